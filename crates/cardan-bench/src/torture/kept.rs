//! Truths kept in a folder, so that the same mechanisms can be run again with a changed engine at a fraction of the cost. A file is found by the
//! seed and by what the mechanism is made of; delete the folder to compute truths again.
//!
//! A file holds little-endian numbers: doubt, sensitivity, number of samples and of channels, then times and rows; or, where there is no truth,
//! the reason in words.

use super::Mechanism;
use super::judge::{Judge, Record};
use super::truth::Truth;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The kept truth of a mechanism, or the one that `compute` finds, which is kept.
pub fn or_compute(
    folder: Option<&Path>,
    mechanism: &Mechanism,
    judge: &mut Judge,
    compute: impl FnOnce(&mut Judge) -> Result<Truth, String>,
) -> Result<Truth, String> {
    let Some(folder) = folder else { return compute(judge) };
    let [numbers, words] = ["truth", "txt"].map(|ending| file(folder, mechanism, ending));
    if let Some(truth) = std::fs::read(&numbers).ok().and_then(|bytes| decode(&bytes, judge)) {
        return Ok(truth);
    }
    if let Ok(reason) = std::fs::read_to_string(&words) {
        return Err(reason);
    }
    let found = compute(judge);
    let written = match &found {
        Ok(truth) => std::fs::write(&numbers, encode(truth)),
        Err(reason) => std::fs::write(&words, reason),
    };
    written.map_err(|error| format!("the truth could not be kept: {error}"))?;
    found
}

fn file(folder: &Path, mechanism: &Mechanism, ending: &str) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    format!("{mechanism:?}").hash(&mut hasher);
    folder.join(format!("{}-{:016x}.{ending}", mechanism.seed, hasher.finish()))
}

fn encode(truth: &Truth) -> Vec<u8> {
    let Record { times, rows } = &truth.record;
    let channels = rows.first().map_or(0, Vec::len);
    let head = [truth.doubt, truth.sensitivity, times.len() as f64, channels as f64];
    head.iter().chain(times).chain(rows.iter().flatten()).flat_map(|x| x.to_le_bytes()).collect()
}

fn decode(bytes: &[u8], judge: &Judge) -> Option<Truth> {
    let (chunks, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
    let [doubt, sensitivity, samples, channels, ref rest @ ..] = numbers[..] else { return None };
    let (samples, channels) = (samples as usize, channels as usize);
    if channels == 0 || rest.len() != samples * (1 + channels) {
        return None;
    }
    let (times, rows) = rest.split_at(samples);
    let record = Record { times: times.to_vec(), rows: rows.chunks(channels).map(<[f64]>::to_vec).collect() };
    Some(Truth { scales: judge.scales(&record), record, doubt, sensitivity })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::torture::mechanism;
    use cardan::prelude::System;

    #[test]
    fn a_truth_is_computed_once_and_read_again_to_the_last_bit() {
        let folder = std::env::temp_dir().join(format!("cardan-truths-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mechanism = mechanism(0, 0.0);
        let mut judge = Judge::new(&System::new(&mechanism.model).unwrap());
        let width = judge.width();
        let record = Record { times: vec![0.0, 0.1], rows: vec![vec![1.0 / 3.0; width], vec![-2.0 / 7.0; width]] };
        let truth = |judge: &Judge| Truth { scales: judge.scales(&record), record: record.clone(), doubt: 1e-5, sensitivity: 12.5 };
        or_compute(Some(&folder), &mechanism, &mut judge, |judge| Ok(truth(judge))).unwrap();
        let again = or_compute(Some(&folder), &mechanism, &mut judge, |_| Err("it is computed twice".into())).unwrap();
        assert_eq!((&again.record, again.doubt, again.sensitivity), (&record, 1e-5, 12.5));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
