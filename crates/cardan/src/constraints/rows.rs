//! Rows made of measures: Φ = Σ c_k s_k − target(t). All joints, motions and couplers compile to these.

use super::{Constraint, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::math::{Mat6, Vec6};
use crate::measures::{Context, Measure, Memory, TimeFunction};

/// What a row holds its measures at.
#[derive(Debug, Clone)]
pub enum Target {
    /// A fixed value.
    Constant(f64),
    /// A function of time.
    Function(TimeFunction),
}

impl Target {
    /// The same, so that it is `value` at the start: a constant, or an integral from there on.
    pub fn starting_at(&self, value: f64) -> Self {
        match self {
            Self::Constant(_) => Self::Constant(value),
            Self::Function(function) => Self::Function(function.starting_at(value)),
        }
    }
}

/// One term of a row: coefficient × measure between two of the element's markers.
#[derive(Debug, Clone)]
pub struct RowTerm {
    /// Factor.
    pub coefficient: f64,
    /// The measure.
    pub measure: Measure,
    /// Index of marker i in the element's list.
    pub i: usize,
    /// Index of marker j in the element's list.
    pub j: usize,
}

/// One scalar equation Σ c_k s_k − target = 0.
#[derive(Debug, Clone)]
pub struct Row {
    /// What it blocks, e.g. "x" or "rotation about y".
    pub direction: &'static str,
    /// The terms.
    pub terms: Vec<RowTerm>,
    /// The right-hand side.
    pub target: Target,
}

impl Row {
    /// The measure between the element's first two markers held at zero.
    pub fn new(direction: &'static str, measure: Measure) -> Self {
        Self { direction, terms: Vec::new(), target: Target::Constant(0.0) }.plus(1.0, measure)
    }

    /// Adds a term between the first two markers.
    pub fn plus(self, coefficient: f64, measure: Measure) -> Self {
        self.plus_between(coefficient, measure, 0, 1)
    }

    /// Adds a term between markers `i` and `j` of the element's list.
    pub fn plus_between(mut self, coefficient: f64, measure: Measure, i: usize, j: usize) -> Self {
        self.terms.push(RowTerm { coefficient, measure, i, j });
        self
    }

    /// Multiplies all terms.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.terms.iter_mut().for_each(|t| t.coefficient *= factor);
        self
    }

    /// Held at this value.
    pub fn at(mut self, value: f64) -> Self {
        self.target = Target::Constant(value);
        self
    }

    /// Held at this function of time.
    pub fn following(mut self, function: TimeFunction) -> Self {
        self.target = Target::Function(function);
        self
    }
}

/// A constraint made of rows.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The markers the rows refer to by position in this list.
    pub markers: Vec<MarkerId>,
    /// The rows.
    pub rows: Vec<Row>,
}

impl Constraint for Rows {
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn direction(&self, row: usize) -> String {
        self.rows[row].direction.into()
    }

    /// Rows that hold a length have forces, rows that hold one angle torques; factors between angles may be radii or ratios.
    fn multiplier_unit(&self, row: usize) -> &'static str {
        match self.rows[row].terms.as_slice() {
            terms if terms.iter().any(|t| t.measure.is_length()) => "N",
            [_] => "N*m",
            _ => "1",
        }
    }

    fn is_driven(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.target, Target::Function(_)))
    }

    #[inline]
    fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], _: &mut [Vec6]) -> RowValue {
        let row = &self.rows[row];
        let [target, rate, acceleration] = match &row.target {
            Target::Constant(value) => [*value, 0.0, 0.0],
            Target::Function(function) => function.derivatives(ctx.t, &mut ctx.scratch.borrow_mut()),
        };
        let mut value = -target;
        for term in &row.terms {
            let (i, j) = (ctx.marker(self.markers[term.i]), ctx.marker(self.markers[term.j]));
            let (s, g) = term.measure.evaluate(i, j, ctx.past());
            value += term.coefficient * s;
            gradient[term.i] += g[0] * term.coefficient;
            gradient[term.j] += g[1] * term.coefficient;
        }
        RowValue { value, rate: -rate, acceleration: -acceleration }
    }

    fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]) {
        let n = self.markers.len();
        for term in &self.rows[row].terms {
            let at = [term.i, term.j];
            let h = term.measure.hessian(ctx.marker(self.markers[term.i]), ctx.marker(self.markers[term.j]));
            for a in 0..2 {
                for b in 0..2 {
                    out[at[a] * n + at[b]] += h[a][b] * term.coefficient;
                }
            }
        }
    }

    fn change(&self, ctx: &Context, row: usize, paths: &Paths) -> f64 {
        let row = &self.rows[row];
        let term = |t: &RowTerm| t.coefficient * t.measure.along(&paths.frames[t.i], &paths.frames[t.j]).varied[2];
        let target = match &row.target {
            Target::Function(function) if paths.time.varied[0] != 0.0 => {
                paths.time.varied[0] * function.third_derivative(ctx.t, &mut ctx.scratch.borrow_mut())
            }
            _ => 0.0,
        };
        row.terms.iter().map(term).sum::<f64>() - target
    }

    fn keep(&mut self, rows: &[usize]) {
        self.rows = rows.iter().map(|r| self.rows[*r].clone()).collect();
    }

    fn remember(&self, ctx: &Context, memory: &mut Memory) {
        for term in self.rows.iter().flat_map(|row| &row.terms) {
            if let Some(slot) = term.measure.slot() {
                let (i, j) = (ctx.marker(self.markers[term.i]), ctx.marker(self.markers[term.j]));
                let (s, g) = term.measure.evaluate(i, j, ctx.past());
                memory.keep(slot, s, g[0].dot(&i.twist()) + g[1].dot(&j.twist()));
            }
        }
    }
}
