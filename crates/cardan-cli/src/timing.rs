//! How long steps took: the usual, the rare and the worst, and a picture in text.

use serde_json::{Value, json};

/// Bars of the histogram are at most so long.
const WIDTH: usize = 40;

/// Classes of durations: so many in each doubling from one nanosecond on, which is three digits, and so many doublings.
const CLASSES: usize = 1024;
const DOUBLINGS: usize = 44;

/// Durations in seconds, counted in classes: as much memory for a day as for a second.
pub struct Timing {
    counts: Vec<u32>,
    total: usize,
    worst: f64,
}

impl Timing {
    /// Of no step yet.
    pub fn new() -> Self {
        Self { counts: vec![0; CLASSES * DOUBLINGS], total: 0, worst: 0.0 }
    }

    /// Counts a step that took so long.
    pub fn add(&mut self, seconds: f64) {
        let place = (seconds.max(1e-9) * 1e9).log2() * CLASSES as f64;
        self.counts[(place as usize).min(CLASSES * DOUBLINGS - 1)] += 1;
        self.total += 1;
        self.worst = self.worst.max(seconds);
    }

    /// How many steps there were.
    pub fn steps(&self) -> usize {
        self.total
    }

    /// The duration that this part of all steps does not exceed, to three digits.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = ((part * self.total as f64).ceil() as usize).max(1);
        let mut below = 0;
        let class = self.counts.iter().position(|count| {
            below += *count as usize;
            below >= wanted
        });
        class.map_or(0.0, |k| (2f64.powf((k as f64 + 0.5) / CLASSES as f64) * 1e-9).min(self.worst))
    }

    /// The longest.
    pub fn worst(&self) -> f64 {
        self.worst
    }

    /// `median 12.3 µs, 99 % 15.1 µs, 99.9 % 20.2 µs, worst 42.1 µs`.
    pub fn line(&self) -> String {
        let [median, p99, p999] = [0.5, 0.99, 0.999].map(|part| short(self.quantile(part)));
        format!("median {median}, 99 % {p99}, 99.9 % {p999}, worst {}", short(self.worst()))
    }

    /// For programs, in seconds.
    pub fn json(&self) -> Value {
        json!({
            "median": self.quantile(0.5),
            "p99": self.quantile(0.99),
            "p99.9": self.quantile(0.999),
            "worst": self.worst(),
        })
    }

    /// Lines of doubling durations, with a bar for how many steps were that long.
    pub fn histogram(&self) -> String {
        let doublings: Vec<usize> = self.counts.chunks(CLASSES).map(|c| c.iter().map(|n| *n as usize).sum()).collect();
        let used = |count: &usize| *count > 0;
        let (Some(first), Some(last)) = (doublings.iter().position(used), doublings.iter().rposition(used)) else { return String::new() };
        let line = |k: usize| {
            let length = (doublings[k] * WIDTH).div_ceil(self.total);
            let limits = [k, k + 1].map(|k| short(2f64.powi(k as i32) * 1e-9));
            format!("  {:>9} – {:>9}  {:<WIDTH$}  {}", limits[0], limits[1], "#".repeat(length), doublings[k])
        };
        (first..=last).map(line).collect::<Vec<_>>().join("\n")
    }
}

/// A duration with three digits and its unit.
pub fn short(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (1e9 * s, "ns"),
        s if s < 1e-3 => (1e6 * s, "µs"),
        s if s < 1.0 => (1e3 * s, "ms"),
        s => (s, "s"),
    };
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(seconds: impl IntoIterator<Item = f64>) -> Timing {
        let mut timing = Timing::new();
        seconds.into_iter().for_each(|s| timing.add(s));
        timing
    }

    #[test]
    fn quantiles_count_from_below() {
        let timing = of((1..=1000).rev().map(|k| f64::from(k) * 1e-6));
        assert_eq!([0.5, 0.99, 0.999].map(|p| (1e6 * timing.quantile(p)).round()), [500.0, 990.0, 999.0]);
        assert_eq!(timing.line(), "median 500 µs, 99 % 990 µs, 99.9 % 999 µs, worst 1.00 ms");
        assert_eq!((Timing::new().worst(), Timing::new().quantile(0.5)), (0.0, 0.0));
        assert_eq!(of([0.0, 1e9]).quantile(1.0), 2f64.powf(44.0 - 0.5 / 1024.0) * 1e-9, "what is beyond all classes is in the last one");
    }

    #[test]
    fn a_histogram_has_a_line_for_each_doubling() {
        let timing = of([1.5e-6, 1.6e-6, 3e-6, 9e-6]);
        let lines: Vec<String> = timing.histogram().lines().map(|l| l.split_whitespace().last().unwrap_or_default().into()).collect();
        assert_eq!(lines, ["2", "1", "0", "1"], "{}", timing.histogram());
    }

    #[test]
    fn durations_have_three_digits() {
        let shown = [3.14e-7, 1.2345e-5, 0.25, 12.0, 9.999e-3].map(short);
        assert_eq!(shown, ["314 ns", "12.3 µs", "250 ms", "12.0 s", "10.0 ms"]);
    }
}
