//! What a state remembers at the start: the turns of every angle, the parameters of points on curves, and with them the offsets
//! of couplers and motions that keep their initial value.
//!
//! ```text
//! θ_ij = ±(θ_i − θ_j)     + where z_j points up, − where it points down; θ of a marker: its own angle on the body plus
//!                         the body's, turns counted                                                            (1)
//! offset = Σ c_k s_k      of a coupler, or the displacement that a motion of velocity or acceleration starts at,
//!                         at the initial configuration                                                         (2)
//! ```

use super::Compiler;
use crate::bodies::{Kind, MarkerId};
use crate::constraints::Element;
use crate::forces::ForceLaw;
use crate::measures::{Angle, Context, Memory, QuantityKind};
use crate::system::Work;

impl Compiler<'_> {
    /// Angles start with the turns of planar bodies, curve parameters at the nearest point.
    pub(super) fn start_memory(&mut self) {
        if self.slots == 0 {
            return;
        }
        let mut work = Work::new(&self.system);
        self.system.kinematics(&self.system.initial.q, &self.system.initial.v, &mut work);
        let mut memory = Memory::at_rest(vec![0.0; self.slots]);
        let ctx = Context { t: 0.0, markers: &work.markers, memory: &Memory::EMPTY, states: &[], lambda: &[], scratch: &work.scratch };
        for constraint in &self.system.constraints {
            match &constraint.element {
                Element::Rows(rows) => {
                    for term in rows.rows.iter().flat_map(|r| &r.terms) {
                        if let Some(slot) = term.measure.slot() {
                            memory.keep(slot, self.turns_between(rows.markers[term.i], rows.markers[term.j]), 0.0);
                        }
                    }
                }
                Element::PointOnCurve(curve) => curve.start(&ctx, &mut memory),
                _ => {}
            }
        }
        for quantity in &self.system.angles {
            if quantity.kind == QuantityKind::Angle(Angle::About(2)) {
                memory.keep(quantity.slot, self.turns_between(quantity.markers[0], quantity.markers[1]), 0.0);
            }
        }
        let mut forces = std::mem::take(&mut self.system.forces);
        for force in &mut forces {
            let [i, j] = force.markers();
            if let Some(slot) = force.slot() {
                memory.keep(*slot, self.turns_between(i, j), 0.0);
            }
        }
        self.system.forces = forces;
        self.system.initial.memory = memory;
        let mut x = self.system.initial.clone();
        self.system.remember(&mut x, &mut Work::new(&self.system));
        self.system.initial.memory = x.memory;
    }

    /// Equation (1); between bodies that tilt the angle starts within half a turn of zero.
    fn turns_between(&self, i: MarkerId, j: MarkerId) -> f64 {
        if !self.upright(i) || !self.upright(j) {
            return 0.0;
        }
        let up = self.system.markers[j.index()].attachment.rotation()[(2, 2)] >= 0.0;
        let angle = self.turns(i) - self.turns(j);
        if up { angle } else { -angle }
    }

    /// θ of a marker on a body that does not tilt.
    fn turns(&self, marker: MarkerId) -> f64 {
        let s = &self.system;
        let m = &s.markers[marker.index()];
        let own = m.attachment.rotation()[(1, 0)].atan2(m.attachment.rotation()[(0, 0)]);
        own + s.carrier(marker).map_or(0.0, |b| s.bodies[b].shape.turns(&s.initial.q[s.bodies[b].q()]))
    }

    /// Equation (2).
    pub(super) fn set_offsets(&mut self) {
        if self.floating.is_empty() {
            return;
        }
        let mut work = Work::new(&self.system);
        self.system.evaluate(&self.system.initial, &mut work);
        for index in std::mem::take(&mut self.floating) {
            let constraint = &mut self.system.constraints[index];
            let value = work.phi[constraint.first_row];
            if let Element::Rows(rows) = &mut constraint.element {
                rows.rows[0].target = rows.rows[0].target.starting_at(value);
            }
        }
    }
}
