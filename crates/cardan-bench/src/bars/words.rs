//! Bars in words.

use super::{Cost, Demand};
use crate::plan::{FIRST, Program, SMALL};

impl Demand {
    pub(super) fn words(&self) -> String {
        let ahead = |peer: &str, times: f64| {
            if times == 1.0 { format!("ahead of {peer}") } else { format!("≥ {times} times faster than {peer}") }
        };
        let faster = |peer: Program, times: f64| ahead(peer.name(), times);
        match *self {
            Demand::Step { peer, settings, h, times, error } => {
                let which = settings.map_or(String::new(), |s| format!(" {s}"));
                let part = if error < 1.0 { format!(", with {} times smaller error", 1.0 / error) } else { String::new() };
                format!("{}{which} at h = {h:e}{part}", faster(peer, times))
            }
            Demand::Error { peer, error, times } => format!("{} at an error of {error:e}", faster(peer, times)),
            Demand::Elsewhere { peer, cost, times } => format!("{} elsewhere at {}", ahead(peer, times), cost.words()),
            Demand::Like { family, h, most } => format!("a step of {h:e} at most {most} times one of {family}"),
            Demand::Growth(most) => format!("the first {FIRST} steps at most {most} times those of N = {SMALL}, per body"),
            Demand::Memory(most) => format!("less than {most} MB"),
            Demand::Compile(most) => format!("from the model to the first step in less than {most} s"),
        }
    }
}

impl Cost {
    fn words(self) -> String {
        match self {
            Cost::Step { h, .. } => format!("h = {h:e}"),
            Cost::Run { error, .. } => format!("an error of {error:e}"),
        }
    }
}
