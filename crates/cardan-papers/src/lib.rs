//! Tables and figures of papers, computed again: each number beside the published one.
//!
//! One file a paper. A paper is a list of items; an item is a function that runs what the paper ran and returns rows of
//! published and own numbers, with the bar each must meet, and a figure. To add a paper, write its file and add one line
//! to [`PAPERS`].

mod generalized_alpha_bruls;
mod hht_index3_negrut;
mod local_linearization_gil;
mod newmark_index3_gavrea;
mod radau;
mod realtime_dae_burgermeister;
pub mod render;

use cardan::analysis::RealTimeError;
use cardan::model::ModelError;
use cardan::prelude::SimulationError;

use cardan_io::figure::Figure;

/// All papers.
pub const PAPERS: &[&Paper] = &[
    &newmark_index3_gavrea::PAPER,
    &generalized_alpha_bruls::PAPER,
    &hht_index3_negrut::PAPER,
    &realtime_dae_burgermeister::PAPER,
    &local_linearization_gil::PAPER,
    &radau::PAPER,
];

/// A paper and what of it can be computed again.
pub struct Paper {
    /// Short name.
    pub id: &'static str,
    /// Authors, title, where it appeared.
    pub citation: &'static str,
    /// Its tables and figures.
    pub items: &'static [Item],
}

/// A table or a figure.
pub struct Item {
    /// Name within the paper, such as `table-1`.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// How the numbers came about, for the reader: settings that the paper leaves open, where references come from.
    pub note: &'static str,
    /// What the rows are named after.
    pub row_heading: &'static str,
    /// Where the numbers to compare with come from.
    pub against: Against,
    /// Whether it measures CPU times, so that its numbers are others in every run.
    pub timed: bool,
    /// Computes it.
    pub compute: fn() -> Result<Outcome, ReproduceError>,
}

/// Where numbers to compare with come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Against {
    /// Printed in the paper.
    Paper,
    /// A reference solution, where the paper only draws.
    Reference,
    /// What an error may be at most.
    Limit,
}

/// What was computed.
pub struct Outcome {
    /// The numbers, row by row.
    pub comparisons: Vec<Comparison>,
    /// A picture of them.
    pub figure: Figure,
}

/// A number to compare with and the own one.
pub struct Comparison {
    /// Row of the table.
    pub row: String,
    /// Column of the table.
    pub quantity: &'static str,
    /// The number to compare with, as the item's [`Against`] says.
    pub published: f64,
    /// The own number.
    pub own: f64,
    /// How close they must be.
    pub bar: Bar,
}

/// How close an own number must be to the published one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bar {
    /// Equal when rounded to so many significant digits.
    Digits(usize),
    /// Equal up to this fraction of the published number.
    Relative(f64),
    /// Equal up to this difference.
    Absolute(f64),
    /// As large or larger.
    AtLeast,
    /// As small or smaller.
    AtMost,
}

/// A computation that failed.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The run.
    #[error(transparent)]
    Run(#[from] SimulationError),
    /// A step in real time.
    #[error(transparent)]
    RealTime(#[from] RealTimeError),
    /// The start of a step.
    #[error(transparent)]
    Start(#[from] cardan::system::KktError),
    /// A step.
    #[error(transparent)]
    Step(#[from] cardan::integrators::StepError),
    /// Linear equations.
    #[error(transparent)]
    Linear(#[from] cardan::analysis::LinearizeError),
    /// The model file.
    #[error("{0}")]
    File(String),
    /// The model has no such channel.
    #[error(transparent)]
    Unknown(#[from] cardan::system::UnknownName),
    /// No run of a method was accurate enough.
    #[error("{method} did not reach the error that is asked for")]
    NotAccurate {
        /// The method.
        method: &'static str,
    },
    /// The run recorded nothing at a time that is needed.
    #[error("the run has no state at t = {t} s")]
    NoState {
        /// The time.
        t: f64,
    },
}

impl From<cardan_io::model_file::Problems> for ReproduceError {
    fn from(problems: cardan_io::model_file::Problems) -> Self {
        Self::File(problems.to_string())
    }
}

/// A chosen item of a paper.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// The paper.
    pub paper: &'static Paper,
    /// The item.
    pub item: &'static Item,
}

impl Chosen {
    /// The name on the command line, and of files.
    pub fn id(&self) -> String {
        format!("{}-{}", self.paper.id, self.item.name)
    }
}

impl Comparison {
    /// Whether the own number meets its bar.
    pub fn holds(&self) -> bool {
        let difference = (self.own - self.published).abs();
        match self.bar {
            Bar::Digits(digits) => rounded(self.own, digits) == rounded(self.published, digits),
            Bar::Relative(fraction) => difference <= fraction * self.published.abs(),
            Bar::Absolute(limit) => difference <= limit,
            Bar::AtLeast => self.own >= self.published,
            Bar::AtMost => self.own <= self.published,
        }
    }
}

fn rounded(x: f64, digits: usize) -> String {
    format!("{x:.*e}", digits.saturating_sub(1))
}

/// Every item of every paper.
pub fn all() -> impl Iterator<Item = Chosen> {
    PAPERS.iter().flat_map(|paper| paper.items.iter().map(move |item| Chosen { paper, item }))
}

/// The items with this name: `all`, those of a paper, or one.
pub fn choose(name: &str) -> Vec<Chosen> {
    all().filter(|chosen| name == "all" || name == chosen.paper.id || name == chosen.id()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(published: f64, own: f64, bar: Bar) -> bool {
        Comparison { row: String::new(), quantity: "", published, own, bar }.holds()
    }

    #[test]
    fn bars_are_met_or_missed() {
        assert!(compare(7.72e-2, 0.077198, Bar::Digits(3)) && !compare(7.72e-2, 0.07714, Bar::Digits(3)));
        assert!(compare(-2.0, -2.009, Bar::Relative(0.005)) && !compare(-2.0, -2.011, Bar::Relative(0.005)));
        assert!(compare(0.0, -0.1, Bar::Absolute(0.1)) && !compare(0.0, 0.11, Bar::Absolute(0.1)));
        assert!(compare(2.0, 2.5, Bar::AtLeast) && !compare(2.0, 1.9, Bar::AtLeast) && compare(1.0, 0.5, Bar::AtMost));
        for bar in [Bar::Digits(3), Bar::Relative(1.0), Bar::Absolute(1.0), Bar::AtLeast, Bar::AtMost] {
            assert!(!compare(1.0, f64::NAN, bar), "{bar:?}");
        }
    }

    #[test]
    fn names_choose_one_item_a_paper_or_all() {
        let total = all().count();
        let papers: usize = PAPERS.iter().map(|paper| choose(paper.id).len()).sum();
        assert_eq!((choose("all").len(), papers), (total, total), "two papers share a name");
        assert!(all().all(|chosen| choose(&chosen.id()).len() == 1), "two items share a name");
        assert!(choose("table-99").is_empty());
    }
}
