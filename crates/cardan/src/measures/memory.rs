//! What a state remembers: angles with their turns and parameters of points on curves, as they were at the last accepted step, with
//! their rates. Poses tell an angle only up to full turns; it is taken nearest to what its rates make of the remembered one,
//!
//! ```text
//! s ≈ s_n + ½ (t − t_n) (ṡ_n + ṡ)                                                                                    (1)
//! ```
//!
//! so that a step may turn as far as it likes: only the error of (1) must stay below half a turn, which is far beyond what error
//! control leaves of it.

use super::approach::{Approach, TouchId};
use std::f64::consts::{PI, TAU};

/// Remembered values and their rates, at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Memory {
    t: f64,
    values: Vec<f64>,
    rates: Vec<f64>,
    /// In the order of their numbers.
    approaches: Vec<Approach>,
}

impl Memory {
    /// Nothing remembered.
    pub const EMPTY: Memory = Memory { t: 0.0, values: Vec::new(), rates: Vec::new(), approaches: Vec::new() };

    /// Values at rest at t = 0.
    pub fn at_rest(values: Vec<f64>) -> Self {
        Self { t: 0.0, rates: vec![0.0; values.len()], values, approaches: Vec::new() }
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The remembered values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Copies another memory of the same system, without allocating where that has no more touches than were there before.
    pub fn copy_from(&mut self, other: &Memory) {
        self.t = other.t;
        self.values.copy_from_slice(&other.values);
        self.rates.copy_from_slice(&other.rates);
        self.approaches.clone_from(&other.approaches);
    }

    /// From now on at this time; every value is to be kept anew.
    pub fn renew(&mut self, t: f64) {
        self.t = t;
        self.approaches.clear();
    }

    /// The time of what is remembered, s.
    pub fn t(&self) -> f64 {
        self.t
    }

    /// A touch as it was.
    #[inline]
    pub fn approach(&self, id: TouchId) -> Option<Approach> {
        self.approaches.binary_search_by_key(&id, |a| a.id).ok().map(|k| self.approaches[k])
    }

    /// Remembers a touch.
    pub fn keep_approach(&mut self, approach: Approach) {
        self.approaches.push(approach);
    }

    /// Puts touches in order once all are kept.
    pub fn order_approaches(&mut self) {
        self.approaches.sort_unstable_by_key(|a| a.id);
    }

    /// Remembers a value and its rate.
    pub fn keep(&mut self, slot: usize, value: f64, rate: f64) {
        (self.values[slot], self.rates[slot]) = (value, if rate.is_finite() { rate } else { 0.0 });
    }
}

/// A memory seen from a later time.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    /// What is remembered.
    pub memory: &'a Memory,
    /// The time it is seen from, s.
    pub t: f64,
}

impl Past<'_> {
    /// No past.
    pub const NONE: Past<'static> = Past { memory: &Memory::EMPTY, t: 0.0 };

    /// Equation (1), with the present rate.
    #[inline]
    pub fn expected(&self, slot: usize, rate: f64) -> Option<f64> {
        let value = *self.memory.values.get(slot)?;
        let gone = self.t - self.memory.t;
        if gone == 0.0 || !rate.is_finite() {
            return Some(value);
        }
        Some(value + 0.5 * gone * (self.memory.rates[slot] + rate))
    }

    /// The value with the rate it had.
    pub fn extrapolated(&self, slot: usize) -> Option<f64> {
        self.expected(slot, *self.memory.rates.get(slot)?)
    }

    /// The angle with the turns that are expected of it; as it is where nothing is remembered.
    #[inline]
    pub fn with_turns(&self, slot: usize, angle: f64, rate: f64) -> f64 {
        self.expected(slot, rate).map_or(angle, |expected| angle + TAU * ((expected - angle) / TAU).round())
    }

    /// The same where the rate is at most `most` in size; it is asked for only where it decides on the turns.
    #[inline]
    pub fn with_turns_within(&self, slot: usize, angle: f64, most: f64, rate: impl FnOnce() -> f64) -> f64 {
        let Some(expected) = self.expected(slot, 0.0) else { return angle };
        let turned = angle + TAU * ((expected - angle) / TAU).round();
        let reach = 0.5 * (self.t - self.memory.t).abs() * most;
        if (expected - turned).abs() + reach < 0.999 * PI { turned } else { self.with_turns(slot, angle, rate()) }
    }
}
