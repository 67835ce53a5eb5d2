//! A user function F(t, s, ṡ) along one measure: the line between the markers, the z axis of j, or the rotation about it.
//! Written over dual numbers: one evaluation gives F, F_s and F_ṡ, another F_t. F is positive where it drives s up.

use super::along::{Along, Slopes};
use super::{Exchange, ForceLaw, Tangent};
use crate::bodies::MarkerId;
use crate::math::{Dual, Vec3, Vec6};
use crate::measures::{Context, Measure, Memory};
use std::sync::Arc;

/// Where a single force acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Along the line between the markers; s is their distance.
    Between,
    /// Along z of marker j; s is the displacement of i.
    Axis,
    /// A torque about z of marker j; s is the rotation of i, turns counted.
    Rotation,
}

type Function = dyn Fn(Dual, Dual, Dual) -> Dual + Send + Sync;

/// A single-component force given by a function.
#[derive(Clone)]
pub struct SingleForce {
    name: String,
    along: Along,
    function: Arc<Function>,
}

impl SingleForce {
    /// `function(t, s, rate of s)` in N (N m for a rotation).
    pub fn new(
        name: &str,
        i: MarkerId,
        j: MarkerId,
        line: Line,
        function: impl Fn(Dual, Dual, Dual) -> Dual + Send + Sync + 'static,
    ) -> Self {
        let measure = match line {
            Line::Between => Measure::Distance,
            Line::Axis => Measure::Along(Vec3::z()),
            Line::Rotation => Measure::angle(),
        };
        Self { name: name.into(), along: Along { measure, markers: [i, j] }, function: Arc::new(function) }
    }
}

impl std::fmt::Debug for SingleForce {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SingleForce").field("name", &self.name).field("measure", &self.along.measure).finish_non_exhaustive()
    }
}

impl ForceLaw for SingleForce {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> [MarkerId; 2] {
        self.along.markers
    }
    fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        let (s, rate, g) = self.along.state(ctx);
        let force = (self.function)(ctx.t.into(), s.into(), rate.into());
        g.map(|g| g * force.v)
    }
    fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        let slopes = |s, rate| {
            let f = (self.function)(ctx.t.into(), Dual::seeded(s, 1.0, 0.0), Dual::seeded(rate, 0.0, 1.0));
            Slopes { force: f.v, by_s: f.e1, by_rate: f.e2 }
        };
        self.along.wrench_and_tangent(ctx, slopes, out)
    }
    fn rate(&self, ctx: &Context) -> [Vec6; 2] {
        let (s, rate, g) = self.along.state(ctx);
        let force = (self.function)(Dual::seeded(ctx.t, 1.0, 0.0), s.into(), rate.into());
        g.map(|g| g * force.e1)
    }
    fn exchange(&self) -> Exchange {
        Exchange::Applied
    }
    fn slot(&mut self) -> Option<&mut usize> {
        self.along.measure.slot_mut()
    }
    fn remember(&self, ctx: &Context, memory: &mut Memory) {
        self.along.remember(ctx, memory);
    }
}
