//! The observer of `cardan run`: writes samples to the result files as they come, moves the progress bar, and ends the run when
//! it is interrupted or a file cannot be written.

use crate::args::Format;
use crate::progress::Bar;
use cardan::analysis::{Assembly, Observer, Progress};
use cardan::results::{Channel, Channels, Sample};
use cardan::system::System;
use cardan_io::results::{CsvWriter, ParquetWriter, ResultsError, Writer};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Writes a run down.
pub struct Recorder<'s> {
    system: &'s System,
    channels: Channels,
    /// The last sample, one number a channel.
    row: Vec<f64>,
    writers: Vec<Box<dyn Writer>>,
    bar: Bar,
    interrupted: Arc<AtomicBool>,
    /// When integration began, and the time spent on files since.
    integrating: Option<Instant>,
    writing: Duration,
    /// Redundant constraints, by joint and direction.
    pub redundant: Vec<String>,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Why a file could not be written.
    pub failure: Option<ResultsError>,
}

impl<'s> Recorder<'s> {
    /// Creates the result files in a folder.
    pub fn create(
        system: &'s System,
        folder: &Path,
        formats: &[Format],
        bar: Bar,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, ResultsError> {
        let channels = Channels::new(system);
        let mut writers: Vec<Box<dyn Writer>> = Vec::new();
        for format in formats {
            writers.push(match format {
                Format::Csv => Box::new(CsvWriter::create(&folder.join("results.csv"), channels.list())?),
                Format::Parquet => Box::new(ParquetWriter::create(&folder.join("results.parquet"), channels.list())?),
            });
        }
        let row = vec![f64::NAN; channels.list().len()];
        Ok(Self {
            system,
            channels,
            row,
            writers,
            bar,
            interrupted,
            integrating: None,
            writing: Duration::ZERO,
            redundant: Vec::new(),
            degrees_of_freedom: 0,
            failure: None,
        })
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
                self.failure.get_or_insert(error);
            }
        }
    }

    /// Channels with their values in the last sample.
    pub fn last(&self) -> impl Iterator<Item = (&Channel, f64)> {
        self.channels.list().iter().zip(self.row.iter().copied())
    }

    fn write(&mut self) -> Result<(), ResultsError> {
        self.writers.iter_mut().try_for_each(|writer| writer.row(&self.row))
    }
}

impl Observer for Recorder<'_> {
    fn assembled(&mut self, assembly: &Assembly) {
        self.redundant = assembly.redundancy.redundant.iter().map(|r| format!("{} ({})", r.constraint, r.direction)).collect();
        self.degrees_of_freedom = assembly.redundancy.degrees_of_freedom;
        self.integrating = Some(Instant::now());
    }

    fn sample(&mut self, sample: &Sample) {
        let begun = Instant::now();
        self.channels.fill(self.system, sample, &mut self.row);
        if self.failure.is_none() {
            self.failure = self.write().err();
        }
        self.writing += begun.elapsed();
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.bar.show(progress);
        if self.failure.is_some() || self.interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
