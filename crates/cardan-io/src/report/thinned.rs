//! The samples of a report: as many as a page can hold, evenly spaced. While a run goes, every n-th sample is kept, and whenever there are
//! too many every second one of them is dropped and n doubled; the last sample is always there.

use crate::results::{Rows, Table};
use cardan::results::Channel;
use std::convert::Infallible;

/// Numbers a report holds at most.
const MOST: usize = 4_000_000;
/// Samples that are kept in any case.
const LEAST: usize = 100;

/// How many samples of so many channels are kept.
fn most(channels: usize) -> usize {
    (MOST / channels.max(1)).max(LEAST)
}

/// Samples thinned as they come.
#[derive(Debug, Clone)]
pub struct Thinned {
    kept: Rows,
    most: usize,
    every: usize,
    seen: usize,
    /// The last sample that was not kept.
    last: Vec<f64>,
}

impl Thinned {
    /// No samples yet, of so many channels.
    #[must_use]
    pub fn new(channels: usize) -> Self {
        Self { kept: Rows::new(channels), most: most(channels), every: 1, seen: 0, last: vec![f64::NAN; channels] }
    }

    /// Takes a sample, one number a channel.
    pub fn push(&mut self, row: &[f64]) {
        if self.is_wanted() && self.kept.len() == self.most {
            self.kept.keep_every_second();
            self.every *= 2;
        }
        if self.is_wanted() {
            self.kept.push(row);
        } else {
            self.last.copy_from_slice(row);
        }
        self.seen += 1;
    }

    fn is_wanted(&self) -> bool {
        self.seen.is_multiple_of(self.every)
    }

    /// The samples kept and the last one, as columns.
    #[must_use]
    pub fn table(mut self, channels: &[Channel]) -> Table {
        if self.seen > 0 && !(self.seen - 1).is_multiple_of(self.every) {
            self.kept.push(&self.last);
        }
        let mut columns = Vec::with_capacity(channels.len());
        let all: Result<(), Infallible> = self.kept.columns(|column| {
            columns.push(column.to_vec());
            Ok(())
        });
        let Ok(()) = all;
        Table { channels: channels.to_vec(), columns }
    }
}

/// The samples of a whole table that a run would have kept.
#[must_use]
pub fn thinned(mut table: Table) -> Table {
    let rows = table.columns.first().map_or(0, Vec::len);
    let mut every = 1;
    while rows.div_ceil(every) > most(table.channels.len()) {
        every *= 2;
    }
    if every > 1 {
        for column in &mut table.columns {
            let last = column.last().copied().filter(|_| !(rows - 1).is_multiple_of(every));
            *column = column.iter().step_by(every).copied().chain(last).collect();
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_thinned_on_the_way_are_those_thinned_at_the_end() {
        let channels: Vec<Channel> = (0..50_000).map(|k| Channel { name: format!("c{k}"), unit: "1".into() }).collect();
        let row = |r: usize| (0..channels.len()).map(|c| (r + 7 * c) as f64).collect::<Vec<_>>();
        for rows in [0, 1, 99, 100, 101, 130, 199] {
            let mut on_the_way = Thinned::new(channels.len());
            (0..rows).for_each(|r| on_the_way.push(&row(r)));
            let columns = (0..channels.len()).map(|c| (0..rows).map(|r| (r + 7 * c) as f64).collect()).collect();
            let at_the_end = thinned(Table { channels: channels.clone(), columns });
            assert!(on_the_way.table(&channels) == at_the_end, "{rows} rows");
            assert!(at_the_end.columns[0].len() <= LEAST + 1);
            assert_eq!(at_the_end.columns[0].last().copied(), rows.checked_sub(1).map(|r| r as f64));
        }
    }
}
