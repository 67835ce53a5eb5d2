//! Forces and torques between markers, of constraints and of force elements, in world axes.
//!
//! ```text
//! w_i = −Σ_r λ_r g_ri      what a constraint exerts on marker i, at its origin                             (1)
//! ```

use super::{CompiledConstraint, Evaluated, System, Work};
use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::math::Vec6;
use crate::measures::Context;

impl Evaluated<'_> {
    /// What the constraint with this number exerts on its first marker (1).
    pub fn reaction(&mut self, constraint: usize) -> Vec6 {
        let (system, x) = (self.system, self.x);
        let CompiledConstraint { element, first_row, .. } = &system.constraints[constraint];
        element.markers().iter().for_each(|marker| system.place_marker(marker.index(), &x.q, &x.v, self.work));
        let Work { markers, gradient, gradient_t, scratch, .. } = &mut *self.work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let n = element.markers().len();
        let mut wrench = Vec6::zeros();
        for k in 0..element.rows() {
            let (g, gt) = (&mut gradient[..n], &mut gradient_t[..n]);
            g.fill(Vec6::zeros());
            gt.fill(Vec6::zeros());
            element.evaluate(&ctx, k, g, gt);
            wrench -= g[0] * x.lambda[first_row + k];
        }
        wrench
    }

    /// What the force with this number (in [`System::force_elements`]) exerts on marker i.
    pub fn applied(&mut self, force: usize) -> Vec6 {
        let (system, x) = (self.system, self.x);
        if let Some(law) = system.forces.get(force) {
            law.markers().iter().for_each(|marker| system.place_marker(marker.index(), &x.q, &x.v, self.work));
            let work = &*self.work;
            let ctx =
                Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
            return law.wrench(&ctx)[0];
        }
        self.work.expressions.wrenches[force - system.forces.len()][0]
    }
}

impl System {
    /// Names and markers of all forces, those given by expressions last.
    pub fn force_elements(&self) -> impl Iterator<Item = (&str, [MarkerId; 2])> {
        let laws = self.forces.iter().map(|f| (f.name(), f.markers()));
        laws.chain(self.expressions.iter().map(|f| (f.name.as_str(), f.markers)))
    }
}
