//! Tables of numbers as comma-separated values, with a line of names at the top.

use crate::ReproduceError;

/// A table.
pub struct Table {
    /// Names of the columns but the first, which is the time.
    pub names: Vec<&'static str>,
    /// Instants.
    pub times: Vec<f64>,
    /// The numbers at each instant.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads one.
    pub fn parse(text: &'static str) -> Result<Self, ReproduceError> {
        let mut lines = text.lines();
        let names = lines.next().unwrap_or_default().split(',').skip(1).collect();
        let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(number).collect()).collect::<Result<_, _>>()?;
        let times = rows.iter().filter_map(|row| row.first().copied()).collect();
        Ok(Self { names, times, rows: rows.into_iter().map(|row| row.into_iter().skip(1).collect()).collect() })
    }
}

/// Names and instants of events, one line each after the first.
pub fn events(text: &'static str) -> Result<Vec<(&'static str, f64)>, ReproduceError> {
    text.lines().skip(1).filter_map(|line| line.split_once(',')).map(|(name, t)| Ok((name, number(t)?))).collect()
}

fn number(text: &str) -> Result<f64, ReproduceError> {
    text.parse().map_err(|_| ReproduceError::File(format!("'{text}' is not a number")))
}
