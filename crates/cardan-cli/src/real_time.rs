//! Steps against the clock on the wall. Step k is released at k periods after the start and should be done one period later.
//!
//! Before its release a step waits asleep, and awake for the last part of it: sleeping is not exact. Where a step ends late, the policy
//! decides when the following ones are released: at once until they are on time again (the model catches up with the clock), later by the
//! whole periods that were missed (the model falls behind), or never. Without a clock steps follow one another as quickly as they go.

use crate::args::Overrun;
use crate::timing::Timing;
use std::time::{Duration, Instant};

/// For the last part before a release the program stays awake.
const AWAKE: Duration = Duration::from_micros(300);

/// How a run in real time went.
pub struct Record {
    /// How long steps took.
    pub timing: Timing,
    /// Steps that ended late.
    pub overruns: usize,
    /// The most by which one was late, s.
    pub latest: f64,
    /// Periods that were left out.
    pub skipped: usize,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// With the next step.
    GoOn,
    /// No further.
    Stop,
}

/// When steps are released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// By the clock, with what happens when a step ends late.
    Clock(Overrun),
    /// As soon as the one before is done.
    Free,
}

/// The clock of a run.
pub struct Pacer {
    period: Duration,
    pace: Pace,
    release: Instant,
    record: Record,
}

impl Pacer {
    /// From now on.
    pub fn start(period: f64, pace: Pace) -> Self {
        let record = Record { timing: Timing::new(), overruns: 0, latest: 0.0, skipped: 0 };
        Self { period: Duration::from_secs_f64(period), pace, release: Instant::now(), record }
    }

    /// Waits for the next release, does the step and judges it.
    pub fn step<E>(&mut self, step: impl FnOnce() -> Result<(), E>) -> Result<Verdict, E> {
        if self.pace != Pace::Free {
            self.wait();
        }
        let begun = Instant::now();
        step()?;
        self.record.timing.add(begun.elapsed().as_secs_f64());
        Ok(match self.pace {
            Pace::Free => Verdict::GoOn,
            Pace::Clock(overrun) => self.judge(Instant::now(), overrun),
        })
    }

    fn wait(&self) {
        let early = self.release.saturating_duration_since(Instant::now());
        if early > AWAKE {
            std::thread::sleep(early - AWAKE);
        }
        while Instant::now() < self.release {
            std::hint::spin_loop();
        }
    }

    fn judge(&mut self, now: Instant, overrun: Overrun) -> Verdict {
        let deadline = self.release + self.period;
        self.release = deadline;
        if now <= deadline {
            return Verdict::GoOn;
        }
        let late = (now - deadline).as_secs_f64();
        self.record.overruns += 1;
        self.record.latest = self.record.latest.max(late);
        match overrun {
            Overrun::CatchUp => Verdict::GoOn,
            Overrun::Stop => Verdict::Stop,
            Overrun::Skip => {
                let missed = (late / self.period.as_secs_f64()).ceil() as u32;
                self.release = deadline + self.period * missed;
                self.record.skipped += missed as usize;
                Verdict::GoOn
            }
        }
    }

    /// How it went.
    pub fn finish(self) -> Record {
        self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pacer(overrun: Overrun) -> (Pacer, Instant) {
        let pacer = Pacer::start(1e-3, Pace::Clock(overrun));
        let start = pacer.release;
        (pacer, start)
    }

    #[test]
    fn late_steps_are_caught_up_skipped_or_the_end() {
        let late = Duration::from_micros(3500);
        for (overrun, verdict, release, skipped) in
            [(Overrun::CatchUp, Verdict::GoOn, 1, 0), (Overrun::Skip, Verdict::GoOn, 4, 3), (Overrun::Stop, Verdict::Stop, 1, 0)]
        {
            let (mut pacer, start) = pacer(overrun);
            assert_eq!(pacer.judge(start + late, overrun), verdict, "{overrun:?}");
            assert_eq!(pacer.release, start + Duration::from_millis(release), "{overrun:?}");
            let record = pacer.finish();
            assert_eq!((record.overruns, record.skipped), (1, skipped), "{overrun:?}");
            assert!((record.latest - 2.5e-3).abs() < 1e-9);
        }
    }

    #[test]
    fn steps_wait_for_their_release() {
        let (mut pacer, start) = pacer(Overrun::CatchUp);
        for _ in 0..4 {
            let done: Result<Verdict, ()> = pacer.step(|| Ok(()));
            assert_eq!(done, Ok(Verdict::GoOn));
        }
        assert!(start.elapsed() >= Duration::from_millis(3));
        assert_eq!(pacer.finish().timing.steps(), 4);
    }
}
