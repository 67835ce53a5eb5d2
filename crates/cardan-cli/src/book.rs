//! What a run writes down of its samples: a row of all channels each, in the result files and for the report. That is done at once, or in a thread
//! of its own beside the steps, sample after sample in the same order.

use crate::exit::Failure;
use crate::recorder::Target;
use crate::touches::TouchBook;
use cardan::results::{Channel, Channels, Sample};
use cardan::system::System;
use cardan_io::report::{Thinned, Touches};
use cardan_io::results::{Table, Writer};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

/// With fewer channels a row is written sooner than its sample is handed over.
const WORTH_A_THREAD: usize = 1000;

/// The result files, and the samples of the report.
pub struct Book {
    channels: Channels,
    /// The last sample, one number a channel.
    row: Vec<f64>,
    writers: Vec<Box<dyn Writer + Send>>,
    /// Samples for the report.
    shown: Thinned,
    /// Touches of contacts, if there are contacts.
    touches: Option<TouchBook>,
    /// Why a file could not be written.
    pub failure: Option<Failure>,
}

impl Book {
    /// Without files yet.
    pub fn new(channels: Channels, system: &System) -> Self {
        let row = vec![f64::NAN; channels.list().len()];
        let shown = Thinned::new(row.len());
        let touches = (!system.pair_forces().is_empty()).then(|| TouchBook::new(system));
        Self { channels, row, writers: Vec::new(), shown, touches, failure: None }
    }

    /// Makes the files.
    fn open(&mut self, target: &Target) {
        let opened = target.open(self.channels.list()).and_then(|writers| {
            self.writers = writers;
            self.touches.as_mut().map_or(Ok(()), |touches| touches.open(target))
        });
        self.failure = opened.err();
    }

    /// Writes a sample.
    fn write(&mut self, system: &System, sample: &Sample) {
        self.channels.fill(system, sample, &mut self.row);
        self.shown.push(&self.row);
        if self.failure.is_none() {
            self.failure = self.writers.iter_mut().try_for_each(|writer| writer.row(&self.row)).map_err(Failure::file).err();
        }
        if let (Some(touches), None) = (&mut self.touches, &self.failure) {
            self.failure = touches.write(system, &sample.state).map_err(Failure::file).err();
        }
    }

    /// Closes the files.
    fn finish(&mut self) {
        let of_touches = self.touches.iter_mut().flat_map(|touches| &mut touches.writers);
        for writer in self.writers.iter_mut().chain(of_touches) {
            if let Err(error) = writer.finish() {
                self.failure.get_or_insert(Failure::file(error));
            }
        }
    }

    /// Channels with their values in the last sample.
    pub fn last(&self) -> impl Iterator<Item = (&Channel, f64)> {
        self.channels.list().iter().zip(self.row.iter().copied())
    }

    /// The samples and the touches that a report shows.
    pub fn samples(self) -> (Table, Option<Touches>) {
        (self.shown.table(self.channels.list()), self.touches.map(|touches| touches.shown))
    }
}

/// What there is to be written down.
pub enum Entry<'s> {
    /// Where, from here on.
    Files(Target<'s>),
    Sample(Box<Sample>),
}

/// Where entries are written down.
pub enum Desk<'scope, 's> {
    /// At once.
    Here(Box<Book>),
    /// In a thread of its own.
    Beside { queue: SyncSender<Entry<'s>>, failed: Arc<AtomicBool>, thread: ScopedJoinHandle<'scope, Book> },
}

impl<'scope, 's: 'scope> Desk<'scope, 's> {
    /// Beside the steps where so many samples may wait, if that is worth it.
    pub fn new(book: Book, system: &'s System, lag: usize, scope: &'scope Scope<'scope, '_>) -> Self {
        if lag == 0 || book.row.len() < WORTH_A_THREAD {
            return Self::Here(Box::new(book));
        }
        let (queue, entries) = sync_channel::<Entry<'s>>(lag);
        let failed = Arc::new(AtomicBool::new(false));
        let says = failed.clone();
        let thread = scope.spawn(move || {
            let mut book = book;
            for entry in entries {
                match entry {
                    Entry::Files(target) => book.open(&target),
                    Entry::Sample(sample) => book.write(system, &sample),
                }
                says.store(book.failure.is_some(), Ordering::Relaxed);
            }
            book
        });
        Self::Beside { queue, failed, thread }
    }

    /// Makes the files.
    pub fn open(&mut self, target: Target<'s>) {
        match self {
            Self::Here(book) => book.open(&target),
            // Where the thread is gone, its panic is met at the end.
            Self::Beside { queue, .. } => _ = queue.send(Entry::Files(target)),
        }
    }

    /// Writes a sample.
    pub fn write(&mut self, system: &System, sample: &Sample) {
        match self {
            Self::Here(book) => book.write(system, sample),
            Self::Beside { queue, .. } => _ = queue.send(Entry::Sample(Box::new(sample.clone()))),
        }
    }

    /// Whether a file could not be written.
    pub fn failed(&self) -> bool {
        match self {
            Self::Here(book) => book.failure.is_some(),
            Self::Beside { failed, .. } => failed.load(Ordering::Relaxed),
        }
    }

    /// Waits for what is under way, and closes the files.
    pub fn close(self) -> Book {
        let mut book = match self {
            Self::Here(book) => *book,
            Self::Beside { queue, thread, .. } => {
                drop(queue);
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            }
        };
        book.finish();
        book
    }
}
