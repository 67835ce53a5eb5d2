//! Runs of Radau IIA whose steps end where a reference has numbers.

use super::cases::{Case, Parts};
use super::table::Table;
use crate::ReproduceError;
use cardan::analysis::modes;
use cardan::prelude::*;
use cardan::results::{Channels, Sample};
use cardan_io::model_file::load_str;
use std::path::Path;

/// What a case has come to.
pub struct Own {
    /// As the rows of its table of samples.
    pub rows: Vec<Vec<f64>>,
    /// All events, in order.
    pub events: Vec<(String, f64)>,
    /// Frequencies of small motions at the end, rad/s, from the lowest on.
    pub frequencies: Vec<f64>,
}

/// Runs a case, part by part.
pub fn own(case: &Case, table: &Table) -> Result<Own, ReproduceError> {
    let given: Vec<(String, String)> = case.set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let Parts::Modes(modes) = case.parts else { return part(case, table, &given) };
    let mut sum = Own { rows: vec![vec![0.0; table.names.len()]; table.rows.len()], events: Vec::new(), frequencies: Vec::new() };
    for mode in 1..=modes {
        let set = [("first".to_string(), mode.to_string()), ("last".to_string(), mode.to_string())];
        let own = part(case, table, &set)?;
        sum.rows.iter_mut().flatten().zip(own.rows.iter().flatten()).for_each(|(sum, own)| *sum += own);
    }
    Ok(sum)
}

fn part(case: &Case, table: &Table, set: &[(String, String)]) -> Result<Own, ReproduceError> {
    let text = format!("{}\n{}", case.model, case.sensors);
    let system = load_str(&text, case.name, Path::new("."), set)?.compile()?;
    let t_end = table.times.last().copied().unwrap_or(0.0);
    let times = Record::Times(table.times.clone());
    let run = Simulation::new(&system).method(Radau).tolerance(case.tolerance).norm(Norm::Paper).record(times).run(t_end)?;
    let row = |t: &f64| row(&system, table, run.samples.iter().find(|s| s.state.t == *t), *t);
    let rows = table.times.iter().map(row).collect::<Result<_, _>>()?;
    let last = run.last().filter(|_| !case.frequencies.is_empty());
    let frequencies =
        last.map_or(Ok(Vec::new()), |x| modes(&system, x).map(|m| m.modes.iter().map(|mode| mode.eigenvalue.im).collect()))?;
    Ok(Own { rows, events: run.events.into_iter().map(|e| (e.name, e.t)).collect(), frequencies })
}

/// The channels of a table at a sample.
fn row(system: &System, table: &Table, sample: Option<&Sample>, t: f64) -> Result<Vec<f64>, ReproduceError> {
    let sample = sample.ok_or(ReproduceError::NoState { t })?;
    let mut channels = Channels::new(system);
    let mut row = vec![0.0; channels.list().len()];
    channels.fill(system, sample, &mut row);
    table.names.iter().map(|name| Ok(row[channels.index(name)?])).collect()
}
