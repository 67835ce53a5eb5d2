//! The observer of `cardan run`: opens the result files when the mechanism is assembled, so that a run that never starts leaves the
//! results of an earlier one alone; writes samples as they come, moves the progress bar, and ends the run when it is interrupted or
//! a file cannot be written.

use crate::args::Format;
use crate::exit::Failure;
use crate::output::{self, save};
use crate::progress::Bar;
use cardan::analysis::{Assembly, Observer, Progress};
use cardan::results::{Channel, Channels, Sample};
use cardan::system::System;
use cardan_io::report::Thinned;
use cardan_io::results::{CsvWriter, ParquetWriter, ResultsError, Table, Writer};
use serde_json::Value;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Samples under way beside the steps: one that is being finished, and one that waits.
const LAG: usize = 2;

/// Where a run is written to, and what is there besides its samples.
pub struct Target {
    /// The folder.
    pub folder: PathBuf,
    /// Result files.
    pub formats: Vec<Format>,
    /// The model with everything worked out.
    pub model: String,
}

impl Target {
    /// Makes the folder and the files in it.
    fn open(&self, channels: &[Channel]) -> Result<Vec<Box<dyn Writer>>, Failure> {
        let Self { folder, formats, model } = self;
        fs::create_dir_all(folder).map_err(|error| Failure::file(format!("{}: {error}", folder.display())))?;
        save(&folder.join("model.toml"), model)?;
        let create = |format: &Format| -> Result<Box<dyn Writer>, ResultsError> {
            Ok(match format {
                Format::Csv => Box::new(CsvWriter::create(&folder.join("results.csv"), channels)?),
                Format::Parquet => Box::new(ParquetWriter::create(&folder.join("results.parquet"), channels)?),
            })
        };
        formats.iter().map(create).collect::<Result<_, _>>().map_err(Failure::file)
    }
}

/// Writes a run down.
pub struct Recorder<'s> {
    system: &'s System,
    target: Target,
    channels: Channels,
    /// The last sample, one number a channel.
    row: Vec<f64>,
    writers: Vec<Box<dyn Writer>>,
    /// Samples for the report.
    shown: Thinned,
    bar: Bar,
    interrupted: Arc<AtomicBool>,
    /// How many samples may be under way beside the steps.
    lag: usize,
    /// When integration began, and the time spent on files since.
    integrating: Option<Instant>,
    writing: Duration,
    /// Redundant constraints, by joint and direction.
    pub redundant: Vec<String>,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Bodies that assembly moved, and what it did to the initial velocities, for programs.
    pub moved: Vec<Value>,
    pub velocities: Option<Value>,
    /// Why a file could not be written.
    pub failure: Option<Failure>,
}

impl<'s> Recorder<'s> {
    /// A recorder that writes there once the run has started.
    pub fn new(system: &'s System, channels: Channels, target: Target, bar: Bar, interrupted: Arc<AtomicBool>) -> Self {
        let row = vec![f64::NAN; channels.list().len()];
        let shown = Thinned::new(row.len());
        Self {
            system,
            target,
            channels,
            row,
            writers: Vec::new(),
            shown,
            bar,
            interrupted,
            lag: 0,
            integrating: None,
            writing: Duration::ZERO,
            redundant: Vec::new(),
            degrees_of_freedom: 0,
            moved: Vec::new(),
            velocities: None,
            failure: None,
        }
    }

    /// Samples may be finished beside the steps, unless there is one processor only, or one thread is asked for.
    pub fn beside_steps(self, threads: Option<usize>) -> Self {
        let several = threads.map_or_else(|| available_parallelism().is_ok_and(|n| n.get() > 1), |n| n > 1);
        Self { lag: if several { LAG } else { 0 }, ..self }
    }

    /// When integration began.
    pub fn began(&self) -> Option<Instant> {
        self.integrating
    }

    /// Seconds spent on the integration alone.
    pub fn integration_seconds(&self) -> f64 {
        self.integrating.map_or(0.0, |begun| begun.elapsed().saturating_sub(self.writing).as_secs_f64())
    }

    /// Closes the files.
    pub fn finish(&mut self) {
        self.bar.clear();
        for writer in &mut self.writers {
            if let Err(error) = writer.finish() {
                self.failure.get_or_insert(Failure::file(error));
            }
        }
    }

    /// Channels with their values in the last sample.
    pub fn last(&self) -> impl Iterator<Item = (&Channel, f64)> {
        self.channels.list().iter().zip(self.row.iter().copied())
    }

    /// The samples that a report shows.
    pub fn samples(self) -> Table {
        self.shown.table(self.channels.list())
    }

    fn write(&mut self) -> Result<(), Failure> {
        self.writers.iter_mut().try_for_each(|writer| writer.row(&self.row)).map_err(Failure::file)
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.failure.is_some() || self.interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Recorder<'_> {
    fn assembled(&mut self, assembly: &Assembly) {
        self.redundant = assembly.redundancy.redundant.iter().map(|r| format!("{} ({})", r.constraint, r.direction)).collect();
        self.degrees_of_freedom = assembly.redundancy.degrees_of_freedom;
        self.moved = output::moved(&assembly.moved);
        self.velocities = assembly.velocities.as_ref().map(output::velocities);
        match self.target.open(self.channels.list()) {
            Ok(writers) => self.writers = writers,
            Err(failure) => self.failure = Some(failure),
        }
        self.integrating = Some(Instant::now());
    }

    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let begun = Instant::now();
        self.channels.fill(self.system, sample, &mut self.row);
        self.shown.push(&self.row);
        if self.failure.is_none() {
            self.failure = self.write().err();
        }
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
