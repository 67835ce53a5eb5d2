//! The progress bar of a run: simulated time, step size, speed, time to go; on terminals only.

use cardan::analysis::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// The bar is looked after this often.
const INTERVAL: Duration = Duration::from_millis(100);
const PARTS: u64 = 1000;

/// A bar, or nothing.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    begun: Instant,
    shown: Instant,
}

impl Bar {
    /// A bar on stderr.
    pub fn visible() -> Self {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3}%  {msg}  {eta} to go") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Self::of(bar)
    }

    /// Nothing.
    pub fn hidden() -> Self {
        Self::of(ProgressBar::hidden())
    }

    fn of(bar: ProgressBar) -> Self {
        let now = Instant::now();
        Self { bar, begun: now, shown: now }
    }

    /// Shows how far a run is.
    pub fn show(&mut self, progress: &Progress) {
        if self.bar.is_hidden() || self.shown.elapsed() < INTERVAL {
            return;
        }
        self.shown = Instant::now();
        let Progress { t, h, t_end, statistics } = progress;
        let speed = statistics.steps as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        self.bar.set_position((t / t_end * PARTS as f64) as u64);
        self.bar.set_message(format!("t = {t:.4} of {t_end} s  h = {h:.1e} s  {speed:.0} steps/s"));
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
