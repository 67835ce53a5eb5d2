//! The comparison: all runs of a case one after the other, with their errors. What was measured stays in files, so that one case can
//! be repeated without the others; within a case everything is from the same run.

use crate::cases::CASES;
use crate::growth::Growth;
use crate::launch::{LaunchError, Launcher};
use crate::measure::Outcome;
use crate::plan::{Case, Fineness, Planned, Program};
use crate::reference::{Reference, References, distance};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Errors within this factor are equal.
pub const EQUAL: f64 = 1.1;

/// A run that was made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// What was asked for.
    pub planned: Planned,
    /// What came out.
    pub outcome: Outcome,
    /// Distance from the reference; missing where the run failed or there is no reference.
    #[serde(skip)]
    pub error: Option<f64>,
}

/// The runs of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measured {
    /// The family.
    pub family: String,
    /// The size.
    pub n: usize,
    /// All runs.
    pub runs: Vec<Run>,
}

/// Which cases are run again.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// All.
    All,
    /// Those of a quick comparison.
    Quick,
    /// Those of one family.
    Family(String),
}

impl Choice {
    fn has(&self, case: &Case) -> bool {
        match self {
            Choice::All => true,
            Choice::Quick => case.quick,
            Choice::Family(name) => case.family == name,
        }
    }
}

impl Measured {
    /// Runs of a program that have a result.
    pub fn of(&self, program: Program) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |r| r.planned.program == program && r.outcome.failure.is_none())
    }

    /// The first run of a program with this fixed step.
    pub fn at_step(&self, program: Program, h: f64) -> Option<&Run> {
        self.of(program).find(|r| r.planned.fineness == Fineness::Step(h))
    }

    /// The fastest run of a program with at most this error.
    pub fn fastest(&self, program: Program, error: f64) -> Option<&Run> {
        let fine = self.of(program).filter(|r| r.error.is_some_and(|e| e <= error));
        fine.min_by(|a, b| a.outcome.own_s().total_cmp(&b.outcome.own_s()))
    }

    /// What the first steps took Cardan against those of a smaller problem.
    pub fn growth(&self) -> Option<Growth> {
        self.of(Program::Cardan).find_map(|r| r.outcome.growth)
    }

    /// How many times longer a peer's run takes than Cardan with an equal or smaller error.
    pub fn ratio(&self, run: &Run) -> Option<f64> {
        let cardan = self.fastest(Program::Cardan, EQUAL * run.error?)?;
        Some(run.outcome.own_s() / cardan.outcome.own_s())
    }
}

/// Makes the chosen runs and returns these and what earlier ones left.
pub fn compare(launcher: &Launcher, references: &References, choice: &Choice) -> Result<Vec<Measured>, LaunchError> {
    let mut all = Vec::new();
    for case in CASES {
        let reference = references.get(&case.key());
        if choice.has(case) {
            let measured = measure_case(launcher, reference, case)?;
            keep(launcher, &measured)?;
            all.push(measured);
        } else if let Some(mut measured) = kept(launcher, case) {
            measured.runs.iter_mut().for_each(|run| run.error = error(&run.planned, &run.outcome, reference));
            all.push(measured);
        }
    }
    Ok(all)
}

/// The distance from the reference, which is about the end of whole runs.
fn error(planned: &Planned, outcome: &Outcome, reference: Option<&Reference>) -> Option<f64> {
    let distance = distance(&outcome.observed, &reference?.observed);
    let whole = !matches!(planned.fineness, Fineness::First(_));
    (whole && distance.is_finite() && outcome.failure.is_none()).then_some(distance)
}

fn measure_case(launcher: &Launcher, reference: Option<&Reference>, case: &Case) -> Result<Measured, LaunchError> {
    println!("{} ({})", case.family, case.n);
    let description = launcher.describe(case.family, case.n)?;
    let mut runs = Vec::new();
    for planned in case.runs() {
        let outcome = launcher.run(case.family, case.n, &description, &planned);
        let error = error(&planned, &outcome, reference);
        println!(
            "  {} {} {:?}: error {:.1e}, {:.3} ms {}",
            planned.program.name(),
            planned.settings,
            planned.fineness,
            error.unwrap_or(f64::NAN),
            1e3 * outcome.own_s(),
            outcome.failure.as_deref().unwrap_or_default()
        );
        runs.push(Run { planned, outcome, error });
    }
    Ok(Measured { family: case.family.into(), n: case.n, runs })
}

fn file(launcher: &Launcher, key: &str) -> PathBuf {
    launcher.scratch.join(format!("runs-{key}.json"))
}

fn keep(launcher: &Launcher, measured: &Measured) -> Result<(), LaunchError> {
    let path = file(launcher, &format!("{}-{}", measured.family, measured.n));
    let text = serde_json::to_string_pretty(measured).unwrap_or_default();
    std::fs::write(&path, text).map_err(|source| LaunchError::Write { path, source })
}

fn kept(launcher: &Launcher, case: &Case) -> Option<Measured> {
    serde_json::from_str(&std::fs::read_to_string(file(launcher, &case.key())).ok()?).ok()
}
