//! The observer of `cardan run`: opens the result files when the mechanism is assembled, so that a run that never starts leaves the
//! results of an earlier one alone; writes samples as they come, moves the progress bar, and ends the run when it is interrupted or
//! a file cannot be written.

use crate::args::Format;
use crate::book::{Book, Desk};
use crate::exit::Failure;
use crate::input;
use crate::output::{self, save};
use crate::progress::Bar;
use cardan::analysis::{Assembly, Observer, Progress};
use cardan::results::{Channel, Channels, Sample};
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::results::{CsvWriter, ParquetWriter, ResultsError, Writer, touches};
use serde_json::Value;
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, available_parallelism};
use std::time::{Duration, Instant};

/// Samples under way beside the steps: one that is being finished, and one that waits; and as many again that are written.
const LAG: usize = 2;

/// Where a run is written to, and what is there besides its samples.
pub struct Target<'a> {
    /// The folder.
    pub folder: PathBuf,
    /// Result files.
    pub formats: Vec<Format>,
    /// The model, which is written with everything worked out.
    pub document: &'a Document,
}

impl Target<'_> {
    /// Makes the folder, and in it the model and the files for samples; touches of an earlier run do not stay.
    pub fn open(&self, channels: &[Channel]) -> Result<Vec<Box<dyn Writer + Send>>, Failure> {
        let Self { folder, document, .. } = self;
        let wrong = |path: &Path, error: io::Error| Failure::file(format!("{}: {error}", path.display()));
        fs::create_dir_all(folder).map_err(|error| wrong(folder, error))?;
        for ending in ["csv", "parquet"] {
            let old = folder.join(touches::NAME).with_extension(ending);
            fs::remove_file(&old).or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(wrong(&old, error)) })?;
        }
        save(&folder.join("model.toml"), &input::expanded(document)?)?;
        self.create("results", channels)
    }

    /// A file of each format.
    pub fn create(&self, name: &str, channels: &[Channel]) -> Result<Vec<Box<dyn Writer + Send>>, Failure> {
        let create = |format: &Format| -> Result<Box<dyn Writer + Send>, ResultsError> {
            let path = self.folder.join(name);
            Ok(match format {
                Format::Csv => Box::new(CsvWriter::create(&path.with_extension("csv"), channels)?),
                Format::Parquet => Box::new(ParquetWriter::create(&path.with_extension("parquet"), channels)?),
            })
        };
        self.formats.iter().map(create).collect::<Result<_, _>>().map_err(Failure::file)
    }
}

/// How a run began.
#[derive(Default)]
pub struct Start {
    /// When integration began, if it did.
    pub at: Option<Instant>,
    /// Redundant constraints, by joint and direction.
    pub redundant: Vec<String>,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Bodies that assembly moved, and what it did to the initial velocities, for programs.
    pub moved: Vec<Value>,
    pub velocities: Option<Value>,
}

/// Writes a run down.
pub struct Recorder<'scope, 's> {
    system: &'s System,
    /// Where it will be written to, until it is.
    target: Option<Target<'s>>,
    desk: Desk<'scope, 's>,
    bar: Bar,
    interrupted: Arc<AtomicBool>,
    /// How many samples may be under way beside the steps.
    lag: usize,
    start: Start,
    /// The time spent on files since the start.
    writing: Duration,
}

impl<'scope, 's: 'scope> Recorder<'scope, 's> {
    /// A recorder that writes there once the run has started. Samples may be finished and written in threads of this scope beside the steps, unless
    /// there is one processor only, or one thread is asked for.
    pub fn new(
        system: &'s System,
        channels: Channels,
        target: Target<'s>,
        bar: Bar,
        interrupted: Arc<AtomicBool>,
        threads: Option<usize>,
        scope: &'scope Scope<'scope, '_>,
    ) -> Self {
        let several = threads.map_or_else(|| available_parallelism().is_ok_and(|n| n.get() > 1), |n| n > 1);
        let lag = if several { LAG } else { 0 };
        let desk = Desk::new(Book::new(channels, system), system, lag, scope);
        Self { system, target: Some(target), desk, bar, interrupted, lag, start: Start::default(), writing: Duration::ZERO }
    }

    /// Seconds spent on the integration alone.
    pub fn integration_seconds(&self) -> f64 {
        self.start.at.map_or(0.0, |begun| begun.elapsed().saturating_sub(self.writing).as_secs_f64())
    }

    /// Waits for the samples under way and closes the files.
    pub fn finish(self) -> Result<(Start, Book), Failure> {
        self.bar.clear();
        let mut book = self.desk.close();
        match book.failure.take() {
            Some(failure) => Err(failure),
            None => Ok((self.start, book)),
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        let stop = self.desk.failed() || self.interrupted.load(Ordering::Relaxed);
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<'scope, 's: 'scope> Observer for Recorder<'scope, 's> {
    fn assembled(&mut self, assembly: &Assembly) {
        self.start = Start {
            redundant: assembly.redundancy.redundant.iter().map(|r| format!("{} ({})", r.constraint, r.direction)).collect(),
            degrees_of_freedom: assembly.redundancy.degrees_of_freedom,
            moved: output::moved(&assembly.moved),
            velocities: assembly.velocities.as_ref().map(output::velocities),
            at: None,
        };
        self.target.take().into_iter().for_each(|target| self.desk.open(target));
        self.start.at = Some(Instant::now());
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let begun = Instant::now();
        self.desk.write(self.system, sample);
        self.writing += begun.elapsed();
        self.go_on()
    }

    fn lag(&self) -> usize {
        self.lag
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.bar.show(progress);
        self.go_on()
    }
}
