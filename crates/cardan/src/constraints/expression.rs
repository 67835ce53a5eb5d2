//! A constraint given by an expression f of displacements, angles and time, held at zero: Φ = f(s_1, …, s_m, t) = 0.
//!
//! With the derivatives of f with respect to its inputs, and g_m, H_m of the quantities s_m:
//!
//! ```text
//! g = Σ_m f_m g_m,     H = Σ_m f_m H_m + Σ_mn f_mn g_m g_nᵀ                                          (1)
//! Φ_t = f_t,   Φ_tt = f_tt,   ∂g/∂t = Σ_m f_mt g_m                                                   (2)
//! ```

use super::{Constraint, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::expr::Program;
use crate::math::{Dual, Mat6, Vec6};
use crate::measures::{Context, Frame, Motion, Past, Quantity};

/// A constraint as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionConstraint {
    /// Unique name.
    pub name: String,
    /// The function that is held at zero.
    pub function: String,
}

/// What an expression of a constraint reads.
#[derive(Debug, Clone)]
pub struct Read {
    /// The quantity.
    pub quantity: Quantity,
    /// Where its markers i, j, k, l are in the list of the element.
    pub at: [usize; 4],
}

/// A compiled expression held at zero.
#[derive(Debug, Clone)]
pub struct ExpressionRow {
    /// The text.
    pub text: String,
    /// The program.
    pub program: Program,
    markers: Vec<MarkerId>,
    /// One for every input of the program; `None` for the time.
    reads: Vec<Option<Read>>,
}

impl ExpressionRow {
    /// From the program and what its inputs read.
    pub(crate) fn new(text: &str, program: Program, quantities: Vec<Option<Quantity>>) -> Self {
        let mut markers = Vec::new();
        let mut place = |marker: MarkerId| {
            markers.iter().position(|m| *m == marker).unwrap_or_else(|| {
                markers.push(marker);
                markers.len() - 1
            })
        };
        let mut read = |quantity: Quantity| {
            let used = quantity.kind.reads();
            let at = std::array::from_fn(|a| if used[a] { place(quantity.markers[a]) } else { 0 });
            Read { quantity, at }
        };
        let reads = quantities.into_iter().map(|q| q.map(&mut read)).collect();
        Self { text: text.into(), program, markers, reads }
    }

    /// The values of the inputs, without derivatives.
    pub(crate) fn inputs(&self, ctx: &Context) -> Vec<f64> {
        let motion = motion(ctx);
        self.reads.iter().map(|r| r.as_ref().map_or(ctx.t, |r| r.quantity.value(&motion))).collect()
    }

    /// The inputs as dual numbers without derivatives, in room taken from the scratch.
    fn duals(&self, ctx: &Context) -> Vec<Dual> {
        let motion = motion(ctx);
        let mut duals = std::mem::take(&mut ctx.scratch.borrow_mut().inputs);
        duals.clear();
        duals.extend(self.reads.iter().map(|r| Dual::constant(r.as_ref().map_or(ctx.t, |r| r.quantity.value(&motion)))));
        duals
    }

    /// f with its derivatives by two of the inputs.
    fn dual(&self, duals: &mut [Dual], first: usize, second: usize, ctx: &Context) -> Dual {
        duals[first].e1 = 1.0;
        duals[second].e2 = 1.0;
        let y = self.program.dual(duals, &mut ctx.scratch.borrow_mut());
        duals[first].e1 = 0.0;
        duals[second].e2 = 0.0;
        y
    }
}

fn motion<'a>(ctx: &Context<'a>) -> Motion<'a> {
    Motion { markers: ctx.markers, accelerations: &[], past: Past { memory: ctx.memory, t: ctx.t } }
}

impl Constraint for ExpressionRow {
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }

    fn rows(&self) -> usize {
        1
    }

    fn direction(&self, _: usize) -> String {
        "function".into()
    }

    fn multiplier_unit(&self, _: usize) -> &'static str {
        "1"
    }

    fn is_driven(&self) -> bool {
        self.program.time().is_some()
    }

    fn evaluate(&self, ctx: &Context, _: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue {
        let (motion, time) = (motion(ctx), self.program.time());
        let mut duals = self.duals(ctx);
        let mut out = RowValue::default();
        for (k, read) in self.reads.iter().enumerate() {
            let y = self.dual(&mut duals, k, time.unwrap_or(k), ctx);
            out.value = y.v;
            match read {
                None => (out.rate, out.acceleration) = (y.e1, y.e12),
                Some(read) => {
                    read.quantity.add_gradient(&motion, y.e1, &read.at, gradient);
                    if time.is_some() {
                        read.quantity.add_gradient(&motion, y.e12, &read.at, gradient_t);
                    }
                }
            }
        }
        ctx.scratch.borrow_mut().inputs = duals;
        out
    }

    fn hessian(&self, ctx: &Context, _: usize, out: &mut [Mat6]) {
        let (motion, n) = (motion(ctx), self.markers.len());
        let own = |read: &Read| {
            let mut g = [Vec6::zeros(); 4];
            read.quantity.add_gradient(&motion, 1.0, &[0, 1, 2, 3], &mut g[..]);
            g
        };
        let mut duals = self.duals(ctx);
        for (k, first) in self.reads.iter().enumerate() {
            let Some(first) = first else { continue };
            let g = own(first);
            for (l, second) in self.reads.iter().enumerate() {
                let Some(second) = second else { continue };
                let y = self.dual(&mut duals, k, l, ctx);
                if k == l {
                    first.quantity.add_hessian(&motion, y.e1, &first.at, n, out);
                }
                let h = own(second);
                for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                    if g[a] != Vec6::zeros() && h[b] != Vec6::zeros() && y.e12 != 0.0 {
                        out[first.at[a] * n + second.at[b]] += g[a] * h[b].transpose() * y.e12;
                    }
                }
            }
        }
        ctx.scratch.borrow_mut().inputs = duals;
    }

    fn change(&self, ctx: &Context, _: usize, paths: &Paths) -> f64 {
        let motion = motion(ctx);
        let quantity = |read: &Read, frames: &[Frame]| {
            let x: Dual = read.quantity.kind.along(read.at.map(|a| &frames[a]));
            x + read.quantity.turns(&motion, x.v)
        };
        let value = |frames: &[Frame], time: Dual| {
            let inputs: Vec<Dual> = self.reads.iter().map(|read| read.as_ref().map_or(time, |r| quantity(r, frames))).collect();
            self.program.dual(&inputs, &mut ctx.scratch.borrow_mut())
        };
        paths.by_differences(value)
    }
}
