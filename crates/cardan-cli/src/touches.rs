//! What a run writes down of its contacts: where things touch at each sample, in a file beside that of the channels and for the report.

use crate::exit::Failure;
use crate::recorder::Target;
use cardan::system::{State, System, Work};
use cardan_io::report::Touches;
use cardan_io::results::touches::{self, WIDTH};
use cardan_io::results::{ResultsError, Writer};

/// The files of touches, and those of the report.
pub struct TouchBook {
    work: Work,
    pub writers: Vec<Box<dyn Writer + Send>>,
    pub shown: Touches,
}

impl TouchBook {
    /// Without files yet.
    pub fn new(system: &System) -> Self {
        Self { work: Work::new(system), writers: Vec::new(), shown: Touches::default() }
    }

    /// Makes the files.
    pub fn open(&mut self, target: &Target) -> Result<(), Failure> {
        self.writers = target.create(touches::NAME, &touches::channels())?;
        Ok(())
    }

    /// Writes the touches of a sample that carry force.
    pub fn write(&mut self, system: &System, x: &State) -> Result<(), ResultsError> {
        let Self { work, writers, shown } = self;
        let mut written = Ok(());
        system.presses(x, work, |contact, press| {
            let [i, j] = press.pair;
            let mut row = [x.t, contact as f64, i as f64, j as f64, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            let vectors = [press.point, press.normal, press.friction];
            row[WIDTH - 9..].iter_mut().zip(vectors.iter().flatten()).for_each(|(out, value)| *out = *value);
            if press.normal.norm() > 0.0 && written.is_ok() {
                shown.push(&row);
                written = writers.iter_mut().try_for_each(|writer| writer.row(&row));
            }
        });
        shown.end_sample();
        written
    }
}
