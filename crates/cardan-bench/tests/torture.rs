//! Random mechanisms: the same seed gives the same model, models can be written and read, and a few seeds are run with every method.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::prelude::*;
use cardan_bench::torture::command::model_file;
use cardan_bench::torture::families::FAMILIES;
use cardan_bench::torture::mechanism;
use cardan_bench::torture::runs::{Bound, Choice, trial};
use cardan_bench::torture::table::Tally;
use cardan_io::model_file::load_str;
use std::path::Path;

/// Seeds that are run here: every family once.
const SEEDS: u64 = 16;

#[test]
fn mechanisms_follow_from_their_seeds_and_can_be_written() {
    for seed in 0..3 * FAMILIES.len() as u64 {
        let (one, two) = (mechanism(seed, 0.0), mechanism(seed, 0.0));
        assert_eq!(model_file(&one).unwrap(), model_file(&two).unwrap(), "seed {seed}");
        System::new(&one.model).unwrap_or_else(|e| panic!("seed {seed}, {}: {e}", one.family));
        let text = model_file(&one).unwrap();
        let read = load_str(&text, "model.toml", Path::new(""), &[]).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let (written, own) = (read.compile().unwrap(), System::new(&one.model).unwrap());
        assert_eq!((written.nv(), written.rows()), (own.nv(), own.rows()), "seed {seed}");
    }
}

#[test]
fn a_few_seeds_with_every_method() {
    for bound in [Bound::Samples, Bound::Errors] {
        let mut tally = Tally::default();
        (0..SEEDS).for_each(|seed| tally.add(&trial(seed, &Choice::Rotating, bound, None)));
        assert!(tally.wrong() == 0, "{bound:?}: {} wrong runs\n{}", tally.wrong(), tally.text());
    }
}
