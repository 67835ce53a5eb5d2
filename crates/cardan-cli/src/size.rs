//! How much a run is going to write, as far as that is known before: samples at an interval or at fixed steps, times channels.

use crate::args::Format;
use crate::exit::{Code, Failure};
use crate::output::number;
use cardan_io::model_file::Settings;

/// More than this is only written when that is asked for, bytes.
const LIMIT: f64 = 4e9;

/// What is going to be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    samples: f64,
    channels: usize,
    bytes: f64,
}

impl Size {
    /// Of a run with these settings; unknown where every step of the error control is recorded.
    pub fn of(settings: &Settings, channels: usize, formats: &[Format]) -> Option<Self> {
        let interval = settings.output_interval.or(settings.step)?;
        let samples = settings.t_end? / interval;
        // A number takes 8 bytes in binary, and about 16 as text.
        let bytes: f64 = formats.iter().map(|format| if *format == Format::Csv { 16.0 } else { 8.0 }).sum();
        Some(Self { samples, channels, bytes: samples * channels as f64 * bytes })
    }

    /// What is to be said where it is more than anybody means to have.
    pub fn excess(&self) -> Option<String> {
        let Self { samples, channels, bytes } = self;
        let (samples, size) = (number(*samples), number((bytes / 1e9).round()));
        (*bytes > LIMIT).then(|| format!("the run would write about {size} GB: {samples} samples of {channels} channels"))
    }

    /// Refuses a run that writes too much, with what to do about it.
    pub fn refuse(&self, hint: &str) -> Result<(), Failure> {
        let failure = |message| Failure { hints: vec![hint.into()], ..Failure::new(Code::Model, message) };
        self.excess().map_or(Ok(()), |message| Err(failure(message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_times_channels_times_eight() {
        let settings = Settings { t_end: Some(10.0), output_interval: Some(1e-8), ..Settings::default() };
        let size = Size::of(&settings, 20, &[Format::Parquet]).unwrap();
        assert!((size.bytes - 1.6e11).abs() < 1.0);
        assert_eq!(size.excess().as_deref(), Some("the run would write about 160 GB: 1e9 samples of 20 channels"));
        assert!(size.refuse("less").is_err());
        let fixed = Settings { t_end: Some(10.0), step: Some(1e-3), ..Settings::default() };
        assert_eq!(Size::of(&fixed, 20, &[Format::Csv, Format::Parquet]).unwrap().excess(), None);
        assert_eq!(Size::of(&Settings { t_end: Some(10.0), ..Settings::default() }, 20, &[Format::Csv]), None);
    }
}
