//! The command `torture`: which seeds and runs, on how many threads, how long; a mechanism as a model file.

use super::runs::{Bound, Choice, Trial, trial};
use super::table::Tally;
use super::{Mechanism, mechanism};
use cardan_io::model_file::{Document, WriteError, write};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Random mechanisms, every method, several tolerances, against tight runs.
#[derive(Args)]
pub struct Torture {
    /// How many mechanisms
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Only this mechanism, with every method at every tolerance
    #[arg(long)]
    seed: Option<u64>,
    /// Only this method, as the table names it
    #[arg(long)]
    method: Option<String>,
    /// Only this tolerance
    #[arg(long, requires = "method")]
    tol: Option<f64>,
    /// Every method at every tolerance, not at one of them
    #[arg(long)]
    all: bool,
    /// Steps as long as error control allows, not as the time between samples
    #[arg(long)]
    free: bool,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Keeps the tight runs in this folder, and takes those that are there: a second round is several times quicker
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Writes the mechanism as a model file
    #[arg(long, requires = "seed")]
    write: Option<PathBuf>,
    /// Stops after so many seconds
    #[arg(long)]
    seconds: Option<f64>,
}

impl Torture {
    /// Makes the runs and prints what they say; the number of wrong ones.
    pub fn perform(&self) -> Result<usize, Box<dyn std::error::Error>> {
        if let (Some(path), Some(seed)) = (&self.write, self.seed) {
            std::fs::write(path, model_file(&mechanism(seed, 0.0))?)?;
        }
        self.keep.as_ref().map_or(Ok(()), std::fs::create_dir_all)?;
        let tally = self.trials();
        println!("{}", tally.text());
        Ok(tally.wrong())
    }

    fn choice(&self) -> Choice {
        match (&self.method, self.seed, self.all) {
            (Some(name), _, _) => Choice::One(name.clone(), self.tol),
            (None, Some(_), _) | (None, _, true) => Choice::All,
            _ => Choice::Rotating,
        }
    }

    fn steps(&self) -> Bound {
        if self.free { Bound::Errors } else { Bound::Samples }
    }

    /// All trials, in order of seeds whatever the number of threads.
    fn trials(&self) -> Tally {
        let (from, until) = self.seed.map_or((self.from, self.from + self.seeds), |seed| (seed, seed + 1));
        let (next, done, choice, begin) = (AtomicU64::new(from), Mutex::new(Vec::<Trial>::new()), self.choice(), Instant::now());
        let limit = self.seconds.map(Duration::from_secs_f64);
        let work = || {
            while limit.is_none_or(|limit| begin.elapsed() < limit) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= until {
                    break;
                }
                let trial = trial(seed, &choice, self.steps(), self.keep.as_deref());
                if let Ok(mut done) = done.lock() {
                    done.push(trial);
                    progress(done.len(), until - from, begin.elapsed());
                }
            }
        };
        std::thread::scope(|scope| (0..self.threads.clamp(1, 2)).for_each(|_| drop(scope.spawn(work))));
        eprintln!();
        let mut trials = done.into_inner().unwrap_or_default();
        trials.sort_by_key(|t| t.seed);
        let mut tally = Tally::default();
        trials.iter().for_each(|t| tally.add(t));
        tally
    }
}

fn progress(done: usize, all: u64, elapsed: Duration) {
    let left = elapsed.as_secs_f64() * (all as f64 / done as f64 - 1.0);
    eprint!("\r{done} of {all} mechanisms in {:.0} s, {left:.0} s left   ", elapsed.as_secs_f64());
    let _ = std::io::stderr().flush();
}

/// A mechanism as a model file, with its end time and samples.
pub fn model_file(mechanism: &Mechanism) -> Result<String, WriteError> {
    let mut document = Document::from_model(mechanism.model.clone());
    document.simulation.t_end = Some(mechanism.t_end);
    document.simulation.output_interval = Some(mechanism.interval());
    document.description = Some(format!("random mechanism {}, {}", mechanism.seed, mechanism.family));
    write(&document)
}
