//! Roots by regula falsi in its Illinois variant: with a and b on both sides of the root,
//!
//! ```text
//! x = b − f(b) (b − a)/(f(b) − f(a))                                                                (1)
//! ```
//!
//! replaces the end with the same sign; an end that stays twice has its value halved, and a point outside the bracket is
//! replaced by its middle.

/// A bracketed root search that asks for one evaluation after another.
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
