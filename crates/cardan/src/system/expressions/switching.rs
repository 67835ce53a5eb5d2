//! Forces given by expressions that change sides with the state: contacts, stops, dry friction. Apart from the others, so that steps of fixed
//! size can take their mean over the way (`integrators/euler/mean`).

use super::sides::Switches;
use crate::bodies::Wrench;
use crate::expr::Side;
use crate::system::evaluate::Loads;
use crate::system::{Jacobian, State, System, Weights, Work};

impl System {
    /// What is read and exerted by expressions at a state, into `work`.
    pub fn evaluate_expressions(&self, x: &State, work: &mut Work) {
        self.prepare_readings(x, work);
    }

    /// Q of the forces that change sides, where expressions were evaluated last.
    pub fn switching_forces(&self, work: &mut Work, out: &mut [f64]) {
        let Work { frames, deformed, wrenches, modal, expressions, .. } = work;
        wrenches.fill(Wrench::zero());
        modal.fill(0.0);
        let mut loads = Loads { system: self, frames, deformed, wrenches, modal };
        for k in self.switching_places() {
            for (marker, w) in self.expressions[k].markers.into_iter().zip(&expressions.wrenches[k]) {
                loads.add(marker.index(), w, 1.0);
            }
        }
        self.flat.bodies.project(frames, wrenches, modal, out);
    }

    /// Adds their part to the tangent, where expressions were evaluated last.
    pub fn add_switching_tangent(&self, x: &State, w: &Weights, work: &mut Work, jacobian: &mut Jacobian) {
        self.flat.bodies.turn(w.placed, work);
        self.marker_maps(w, work);
        if self.reads_accelerations {
            self.acceleration_maps(x, w, work);
        }
        let mut into = jacobian.target(0);
        self.switching_places().for_each(|k| self.add_expression_blocks(k, x, w, work, &mut into));
    }

    /// How far these forces are from their other sides, where expressions were evaluated last.
    pub fn margins(&self, switches: &Switches, x: &State, work: &mut Work, out: &mut Vec<Side>) {
        out.clear();
        for (k, c, places) in &switches.forces {
            let e = &self.expressions[*k].components[*c].1;
            self.read(e, x, work);
            let inputs = &work.expressions.inputs[..e.sources.len()];
            e.program.sides(places, inputs, &mut work.scratch.borrow_mut(), out);
        }
    }

    /// The force behind one of the margins.
    pub fn switching_name(&self, switches: &Switches, margin: usize) -> &str {
        let mut left = margin;
        for (k, _, places) in &switches.forces {
            if left < places.len() {
                return &self.expressions[*k].name;
            }
            left -= places.len();
        }
        ""
    }

    fn switching_places(&self) -> impl Iterator<Item = usize> + '_ {
        self.switching.iter().enumerate().filter_map(|(k, switches)| switches.then_some(k))
    }
}
