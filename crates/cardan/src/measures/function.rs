//! Functions of time, written once and differentiated by dual numbers; and their integrals.

use super::integral::{Integral, Integrand};
use crate::expr::{Program, Scratch, TimePart};
use crate::math::Dual;
use std::sync::Arc;

#[derive(Clone)]
enum Law {
    Closure(Arc<dyn Fn(Dual) -> Dual + Send + Sync>),
    /// The program is there once the model is compiled.
    Text(String, Option<Arc<Program>>),
    /// s₀ + v₀ t + the integral, once or twice, of a function.
    Integral(Arc<Integrated>),
}

struct Integrated {
    function: TimeFunction,
    times: Times,
    start: f64,
    integral: Integral,
}

/// How often a function is integrated; from which rate on.
#[derive(Clone, Copy)]
enum Times {
    Once,
    Twice(f64),
}

impl Integrated {
    fn derivatives(&self, t: f64, scratch: &mut Scratch) -> [f64; 3] {
        let [f, f_dot, _] = self.function.derivatives(t, scratch);
        let [once, twice] = self.integral.at(t, &mut Rate { function: &self.function, scratch });
        match self.times {
            Times::Once => [self.start + once, f, f_dot],
            Times::Twice(speed) => [self.start + speed * t + twice, speed + once, f],
        }
    }
}

/// Most breaks that are looked for between two times.
const MOST_BREAKS: usize = 4096;

/// What is integrated.
struct Rate<'a> {
    function: &'a TimeFunction,
    scratch: &'a mut Scratch,
}

impl Integrand for Rate<'_> {
    fn value(&mut self, t: f64) -> f64 {
        self.function.derivatives(t, self.scratch)[0]
    }

    /// Those of an expression; a closure tells none.
    fn breaks(&self, from: f64, to: f64) -> Vec<f64> {
        let (mut found, mut last) = (Vec::new(), from);
        let Some(mut part) = self.function.program().and_then(TimePart::of) else { return found };
        while let Some(next) = part.next_break(last, to).filter(|_| found.len() < MOST_BREAKS) {
            last = next.after;
            found.push(last);
        }
        found
    }
}

/// A function of time: a closure over dual numbers or an expression, so that its rate and acceleration are exact.
#[derive(Clone)]
pub struct TimeFunction(Law);

impl TimeFunction {
    /// Wraps a closure, e.g. `TimeFunction::new(|t| (t * 3.0).sin())`.
    pub fn new(f: impl Fn(Dual) -> Dual + Send + Sync + 'static) -> Self {
        Self(Law::Closure(Arc::new(f)))
    }

    /// An expression of TIME, parameters, splines and variables of these, e.g. `"STEP(TIME, 0, 0, 1, 30 deg)"`.
    pub fn expression(text: impl Into<String>) -> Self {
        Self(Law::Text(text.into(), None))
    }

    /// Always this value.
    pub fn constant(value: f64) -> Self {
        Self::new(move |_| Dual::constant(value))
    }

    /// Its integral over time from t = 0 on, which is `start` there.
    pub fn integral(self, start: f64) -> Self {
        self.integrated(Times::Once, start)
    }

    /// Its integral, taken twice, from t = 0 on, where that is `start` and its rate is `speed`.
    pub fn double_integral(self, start: f64, speed: f64) -> Self {
        self.integrated(Times::Twice(speed), start)
    }

    fn integrated(self, times: Times, start: f64) -> Self {
        Self(Law::Integral(Arc::new(Integrated { function: self, times, start, integral: Integral::default() })))
    }

    /// An integral that starts at another value; other functions stay as they are.
    pub(crate) fn starting_at(&self, start: f64) -> Self {
        match &self.0 {
            Law::Integral(i) => i.function.clone().integrated(i.times, start),
            _ => self.clone(),
        }
    }

    /// The text of an expression, or of the one that is integrated; `None` for a closure.
    pub fn text(&self) -> Option<&str> {
        match &self.0 {
            Law::Closure(_) => None,
            Law::Text(text, _) => Some(text),
            Law::Integral(integrated) => integrated.function.text(),
        }
    }

    /// The expression with its program.
    pub(crate) fn compiled(text: &str, program: Program) -> Self {
        Self(Law::Text(text.into(), Some(Arc::new(program))))
    }

    /// The program of a compiled expression, or of the one that is integrated.
    pub(crate) fn program(&self) -> Option<&Program> {
        match &self.0 {
            Law::Text(_, program) => program.as_deref(),
            Law::Closure(_) => None,
            Law::Integral(integrated) => integrated.function.program(),
        }
    }

    /// Value, first and second derivative at time `t`. An expression has them once its model is compiled, until then they are
    /// not numbers.
    pub fn derivatives(&self, t: f64, scratch: &mut Scratch) -> [f64; 3] {
        let time = Dual::seeded(t, 1.0, 1.0);
        let y = match &self.0 {
            Law::Closure(f) => f(time),
            Law::Text(_, Some(program)) => program.dual(&[time][..program.inputs().len()], scratch),
            Law::Text(_, None) => Dual::constant(f64::NAN),
            Law::Integral(integrated) => return integrated.derivatives(t, scratch),
        };
        [y.v, y.e1, y.e12]
    }

    /// The third derivative from `t` on: a difference of second ones, which are the highest that dual numbers have. It looks ahead, since
    /// steps do.
    pub fn third_derivative(&self, t: f64, scratch: &mut Scratch) -> f64 {
        if let Law::Integral(integrated) = &self.0 {
            let [_, f_dot, f_ddot] = integrated.function.derivatives(t, scratch);
            return if let Times::Once = integrated.times { f_ddot } else { f_dot };
        }
        let h = 1e-5 * (1.0 + t.abs());
        let [a, b, c] = [1.0, 2.0, 3.0].map(|k| self.derivatives(t + k * h, scratch)[2]);
        (-5.0 * a + 8.0 * b - 3.0 * c) / (2.0 * h)
    }
}

impl std::fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TimeFunction({})", self.text().unwrap_or("closure"))
    }
}

impl From<f64> for TimeFunction {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}
