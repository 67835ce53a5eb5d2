//! What many trials say together: a table of methods and tolerances, mechanisms put aside, reasons of refusals, wrong runs.

use super::runs::{Outcome, Trial, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The runs of one method at one tolerance.
#[derive(Debug, Default)]
struct Cell {
    runs: usize,
    wrong: usize,
    refused: usize,
    too_long: usize,
    sensitive: usize,
    errors: Vec<f64>,
    steps: Vec<f64>,
    evaluations: Vec<f64>,
}

/// A run that was wrong.
#[derive(Debug, Clone)]
struct Wrong {
    error: f64,
    line: String,
}

/// Everything counted.
#[derive(Default)]
pub struct Tally {
    cells: BTreeMap<(String, String), Cell>,
    reasons: BTreeMap<(String, &'static str), usize>,
    words: BTreeMap<String, (usize, u64)>,
    wrong: Vec<Wrong>,
    aside: BTreeMap<&'static str, Vec<(u64, String)>>,
    families: BTreeMap<&'static str, [usize; 2]>,
    /// Errors of positions and of velocities with nothing but defaults, of mechanisms that are not too sensitive.
    defaults: [Vec<f64>; 2],
    mechanisms: usize,
}

impl Tally {
    /// Counts a trial.
    pub fn add(&mut self, trial: &Trial) {
        self.mechanisms += 1;
        match &trial.outcomes {
            Err(reason) => self.aside.entry(trial.family).or_default().push((trial.seed, reason.clone())),
            Ok((sensitivity, outcomes)) => outcomes.iter().for_each(|outcome| self.count(trial, *sensitivity, outcome)),
        }
    }

    fn count(&mut self, trial: &Trial, sensitivity: f64, outcome: &Outcome) {
        let (name, tolerance) = (outcome.way.name(), outcome.way.tolerance_name());
        let cell = self.cells.entry((name.clone(), tolerance.clone())).or_default();
        cell.runs += 1;
        let family = self.families.entry(trial.family).or_default();
        family[0] += 1;
        match &outcome.verdict {
            Verdict::Refused(sort, words) => {
                cell.refused += 1;
                *self.reasons.entry((name, sort)).or_default() += 1;
                self.words.entry(blank(words)).or_insert((0, trial.seed)).0 += 1;
                return;
            }
            Verdict::TooLong => {
                cell.too_long += 1;
                return;
            }
            Verdict::Sensitive(_) => cell.sensitive += 1,
            Verdict::Right(worst) => cell.errors.push(worst.error),
            Verdict::Wrong(worst) => {
                cell.wrong += 1;
                family[1] += 1;
                cell.errors.push(worst.error);
                let (seed, family) = (trial.seed, trial.family);
                let tail = if outcome.way.tolerance.is_some() { format!(" --tol {tolerance}") } else { String::new() };
                let found = format!("error {:8.1e} in {} at {:.4} s", worst.error, worst.channel, worst.time);
                let line = format!(
                    "seed {seed:>6} {family:<14} {name:<26} {tolerance:>7}  {found}, sensitivity {sensitivity:.0}: \
                     --seed {seed} --method {name}{tail}"
                );
                self.wrong.push(Wrong { error: worst.error, line });
            }
        }
        if outcome.way.method.is_none() && !matches!(outcome.verdict, Verdict::Sensitive(_)) {
            (0..2).for_each(|k| self.defaults[k].push(outcome.parts[k]));
        }
        cell.steps.push(outcome.steps as f64);
        cell.evaluations.push(outcome.evaluations as f64);
    }

    /// Number of wrong runs.
    pub fn wrong(&self) -> usize {
        self.wrong.len()
    }

    /// All of it in words.
    pub fn text(&self) -> String {
        [self.summary(), self.with_defaults(), self.table(), self.by_family(), self.refusals(), self.put_aside(), self.wrong_runs()]
            .concat()
    }

    fn summary(&self) -> String {
        let runs: usize = self.cells.values().map(|c| c.runs).sum();
        let aside: usize = self.aside.values().map(Vec::len).sum();
        format!("{} mechanisms, {aside} of them without a reference, {runs} runs, {} wrong\n\n", self.mechanisms, self.wrong.len())
    }

    /// What a newcomer's run is worth: a thousandth of the extent in positions and a hundredth in velocities are asked for.
    fn with_defaults(&self) -> String {
        let mut out = String::new();
        for (errors, (what, bar)) in self.defaults.iter().zip([("positions", 1e-3), ("velocities", 1e-2)]) {
            let within = errors.iter().filter(|e| **e <= bar).count();
            let [median, most, worst] = [0.5, 0.95, 1.0].map(|part| quantile(errors, part));
            let count = errors.len();
            let _ = writeln!(
                out,
                "defaults, {what}: {within} of {count} within {bar:.0e}; median {median:.1e}, 95 % {most:.1e}, worst {worst:.1e}"
            );
        }
        out + "\n"
    }

    fn table(&self) -> String {
        let mut out =
            "| method | tolerance | runs | wrong | refused | too long | sensitive | median error | 95 % | worst | steps | evaluations |\n\
                       |---|---|---|---|---|---|---|---|---|---|---|---|\n"
                .to_string();
        for ((method, tolerance), c) in &self.cells {
            let _ = writeln!(
                out,
                "| {method} | {tolerance} | {} | {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.0} | {:.0} |",
                c.runs,
                c.wrong,
                c.refused,
                c.too_long,
                c.sensitive,
                quantile(&c.errors, 0.5),
                quantile(&c.errors, 0.95),
                quantile(&c.errors, 1.0),
                quantile(&c.steps, 0.5),
                quantile(&c.evaluations, 0.5)
            );
        }
        out
    }

    fn by_family(&self) -> String {
        let mut out = "\nfamily: runs, wrong, mechanisms without a reference\n".to_string();
        for (family, [runs, wrong]) in &self.families {
            let _ = writeln!(out, "  {family:<16} {runs:>6} {wrong:>5} {:>5}", self.aside.get(family).map_or(0, Vec::len));
        }
        out
    }

    fn refusals(&self) -> String {
        let mut out = "\nrefused, by method and sort\n".to_string();
        for ((method, sort), count) in &self.reasons {
            let _ = writeln!(out, "  {method:<28} {sort:<10} {count:>5}");
        }
        let mut words: Vec<_> = self.words.iter().collect();
        words.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        out += "\nrefused, in words\n";
        for (words, (count, seed)) in words.into_iter().take(25) {
            let _ = writeln!(out, "  {count:>5} (seed {seed}) {words}");
        }
        out
    }

    fn put_aside(&self) -> String {
        let mut out = "\nwithout a reference\n".to_string();
        for (family, list) in &self.aside {
            for (seed, reason) in list.iter().take(8) {
                let _ = writeln!(out, "  {family:<14} seed {seed:>6}: {reason}");
            }
        }
        out
    }

    fn wrong_runs(&self) -> String {
        let mut wrong: Vec<&Wrong> = self.wrong.iter().collect();
        wrong.sort_by(|a, b| b.error.total_cmp(&a.error));
        let mut out = "\nwrong\n".to_string();
        wrong.iter().for_each(|w| out += &format!("  {}\n", w.line));
        out
    }
}

/// A quantile; 0 where there is nothing.
fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get((part * last as f64).round() as usize).copied().unwrap_or(0.0)
}

/// A message without its numbers, so that like ones are counted together.
fn blank(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for word in text.split_inclusive(' ') {
        let numeric = word.trim_matches(|c: char| !c.is_alphanumeric()).parse::<f64>().is_ok();
        let quoted = word.contains('\'');
        match (numeric || quoted, inside) {
            (true, false) => out += "… ",
            (true, true) => {}
            (false, _) => out += word,
        }
        inside = numeric || quoted;
    }
    out.chars().take(160).collect()
}
