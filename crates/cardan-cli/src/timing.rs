//! How long steps took: the usual, the rare and the worst, and a picture in text.

use serde_json::{Value, json};

/// Bars of the histogram are at most so long.
const WIDTH: usize = 40;

/// Durations in seconds, sorted.
pub struct Timing(Vec<f64>);

impl Timing {
    /// Of these durations.
    pub fn new(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        Self(seconds)
    }

    /// The duration that this part of all steps does not exceed.
    pub fn quantile(&self, part: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(((part * self.0.len() as f64).ceil() as usize).saturating_sub(1).min(last)).copied().unwrap_or(0.0)
    }

    /// The longest.
    pub fn worst(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
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
        let class = |seconds: f64| (seconds.max(1e-9) * 1e9).log2().floor() as i32;
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else { return String::new() };
        let mut lines = Vec::new();
        for k in class(*first)..=class(*last) {
            let count = self.0.iter().filter(|s| class(**s) == k).count();
            let length = (count * WIDTH).div_ceil(self.0.len());
            let limits = [k, k + 1].map(|k| short(2f64.powi(k) * 1e-9));
            lines.push(format!("  {:>9} – {:>9}  {:<WIDTH$}  {count}", limits[0], limits[1], "#".repeat(length)));
        }
        lines.join("\n")
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

    #[test]
    fn quantiles_count_from_below() {
        let timing = Timing::new((1..=1000).rev().map(|k| f64::from(k) * 1e-6).collect());
        assert_eq!([0.5, 0.99, 0.999].map(|p| (1e6 * timing.quantile(p)).round()), [500.0, 990.0, 999.0]);
        assert_eq!(timing.line(), "median 500 µs, 99 % 990 µs, 99.9 % 999 µs, worst 1.00 ms");
        assert_eq!(Timing::new(vec![]).worst(), 0.0);
    }

    #[test]
    fn a_histogram_has_a_line_for_each_doubling() {
        let timing = Timing::new(vec![1.5e-6, 1.6e-6, 3e-6, 9e-6]);
        let lines: Vec<String> = timing.histogram().lines().map(|l| l.split_whitespace().last().unwrap_or_default().into()).collect();
        assert_eq!(lines, ["2", "1", "0", "1"], "{}", timing.histogram());
    }

    #[test]
    fn durations_have_three_digits() {
        let shown = [3.14e-7, 1.2345e-5, 0.25, 12.0, 9.999e-3].map(short);
        assert_eq!(shown, ["314 ns", "12.3 µs", "250 ms", "12.0 s", "10.0 ms"]);
    }
}
