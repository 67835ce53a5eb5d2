//! Redundant constraints share their load in a way that rigid bodies do not decide; the smallest reactions are taken. What reads such a
//! reaction reads that choice, and if it acts on the bodies, as friction does, the motion follows from it.

use super::redundancy::Redundancy;
use crate::math::random::Random;
use crate::system::{Reader, State, System, Work};

/// At most this many readers are said one by one.
const SAID: usize = 8;

impl Reader {
    /// Whether it acts on the motion.
    pub fn acts(&self) -> bool {
        !matches!(self.what, "sensor" | "event")
    }
}

/// The elements that read reactions which are not unique.
pub(super) fn readers(system: &System, x: &State, redundancy: &Redundancy, work: &mut Work) -> Vec<Reader> {
    if redundancy.redundant.is_empty() {
        return Vec::new();
    }
    let mut random = Random::new(4);
    let mu: Vec<f64> = (0..redundancy.null_space().dimension()).map(|_| random.range(0.5, 1.0)).collect();
    let direction = redundancy.null_space().transposed_times(&mu);
    system.readers_along(x, &direction, work)
}

/// A sentence about each.
pub(super) fn warnings(readers: &[Reader]) -> Vec<String> {
    let sentence = |Reader { what, name, joint }: &Reader| {
        let so = match *what {
            "sensor" => "what it shows is that choice; the motion does not depend on it",
            "event" => "when it happens depends on that choice",
            "state" | "block" => "what it gives depends on that choice, and the motion with it if it drives a force",
            _ => "the motion depends on that choice",
        };
        format!(
            "{what} '{name}' reads the reaction of '{joint}', which is not unique because constraints are redundant: of all ways to share \
             the load, the one with the smallest reactions is taken, not that of elastic bearings, and {so}. Leave the redundant \
             directions free by other joint types, or carry them by bushings"
        )
    };
    let mut all: Vec<String> = readers.iter().take(SAID).map(sentence).collect();
    if let Some(more) = readers.len().checked_sub(SAID).filter(|more| *more > 0) {
        all.push(format!("{more} more elements read reactions that are not unique"));
    }
    all
}
