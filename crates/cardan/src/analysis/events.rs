//! Events: instants where a function of the state crosses zero.
//!
//! A sign change over an accepted step is located on the dense output first, then by steps of the method itself to the
//! candidate time (regula falsi in the step size), so that the state at the event is an ordinary solution point with its
//! constraints satisfied and its time exact to round-off.

use crate::system::State;
use std::fmt;

type Function = dyn Fn(&State) -> f64 + Send + Sync;
type Action = dyn Fn(&mut State) + Send + Sync;

/// Which crossings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// Both.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

impl Direction {
    /// Whether going from `before` to `after` is a crossing of this direction.
    pub fn crossed(self, before: f64, after: f64) -> bool {
        match self {
            Direction::Any => (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0),
            Direction::Rising => before < 0.0 && after >= 0.0,
            Direction::Falling => before > 0.0 && after <= 0.0,
        }
    }
}

/// An event.
pub struct Event {
    /// Name.
    pub name: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether the run ends here.
    pub terminal: bool,
    function: Box<Function>,
    action: Option<Box<Action>>,
}

impl Event {
    /// At the zeros of a function of the state.
    pub fn new(name: &str, function: impl Fn(&State) -> f64 + Send + Sync + 'static) -> Self {
        Self { name: name.into(), direction: Direction::Any, terminal: false, function: Box::new(function), action: None }
    }

    /// Counts only crossings of this direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Ends the run.
    pub fn terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Changes the state at the event (a jump in velocity, say); it is then made consistent again.
    pub fn action(mut self, action: impl Fn(&mut State) + Send + Sync + 'static) -> Self {
        self.action = Some(Box::new(action));
        self
    }

    /// The function's value.
    pub fn value(&self, x: &State) -> f64 {
        (self.function)(x)
    }

    /// Applies the action; says whether there is one.
    pub fn act(&self, x: &mut State) -> bool {
        self.action.as_ref().map(|action| action(x)).is_some()
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("name", &self.name).field("direction", &self.direction).field("terminal", &self.terminal).finish()
    }
}

/// A bracketed root search that asks for one evaluation after another (regula falsi, Illinois variant, with bisection).
#[derive(Debug, Clone, Copy)]
pub struct RootSearch {
    a: (f64, f64),
    b: (f64, f64),
    turn: i32,
}

impl RootSearch {
    /// Between two points with values of opposite sign.
    pub fn new(a: (f64, f64), b: (f64, f64)) -> Self {
        Self { a, b, turn: 0 }
    }

    /// The next point to try, or `None` when the bracket is at round-off.
    pub fn next(&self) -> Option<f64> {
        let width = self.b.0 - self.a.0;
        if width.abs() <= 2.0 * f64::EPSILON * self.a.0.abs().max(self.b.0.abs()) || self.b.1 == 0.0 {
            return None;
        }
        let secant = self.b.0 - self.b.1 * width / (self.b.1 - self.a.1);
        let inside = (secant - self.a.0) * (secant - self.b.0) < 0.0;
        Some(if inside { secant } else { self.a.0 + 0.5 * width })
    }

    /// Takes the value at a tried point.
    pub fn update(&mut self, x: f64, value: f64) {
        if (value > 0.0) == (self.b.1 > 0.0) || value == 0.0 {
            self.b = (x, value);
            if self.turn == 1 {
                self.a.1 *= 0.5;
            }
            self.turn = 1;
        } else {
            self.a = (x, value);
            if self.turn == -1 {
                self.b.1 *= 0.5;
            }
            self.turn = -1;
        }
    }

    /// The end of the bracket on the far side of the crossing.
    pub fn root(&self) -> f64 {
        self.b.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_search_reaches_round_off() {
        let functions: [fn(f64) -> f64; 4] = [|x| x * x - 2.0, |x| (x - 1.3).powi(9), |x| x.exp() - 3.0, |x| x.atan() - 0.7];
        for f in functions {
            let mut search = RootSearch::new((0.0, f(0.0)), (3.0, f(3.0)));
            let mut count = 0;
            while let Some(x) = search.next() {
                search.update(x, f(x));
                count += 1;
                assert!(count < 500);
            }
            let root = search.root();
            assert!(f(root) >= 0.0 && f(root - 1e-14) <= 0.0, "{root} after {count}");
        }
    }
}
