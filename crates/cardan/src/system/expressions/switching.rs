//! Forces given by expressions that change sides with the state: contacts, stops, dry friction. Apart from the others, so that steps of fixed
//! size can take their mean over the way (`integrators/euler/mean`).

use super::sides::Switches;
use crate::bodies::Wrench;
use crate::expr::Side;
use crate::system::evaluate::Loads;
use crate::system::{Evaluated, Jacobian, State, System, Weights, Work};

impl Evaluated<'_> {
    /// Q of the forces that change sides.
    pub fn switching_forces(&mut self, out: &mut [f64]) {
        self.system.sum_switching(self.work, out);
    }

    /// Adds their part to the tangent.
    pub fn add_switching_tangent(&mut self, w: &Weights, jacobian: &mut Jacobian) {
        self.system.add_switching_blocks(self.x, w, self.work, jacobian);
    }
}

impl System {
    /// Q of the forces that change sides at a state, of which nothing but expressions is evaluated.
    pub fn switching_forces(&self, x: &State, work: &mut Work, out: &mut [f64]) {
        self.prepare_readings(x, work);
        self.sum_switching(work, out);
    }

    /// Adds their part to the tangent, in the same way.
    pub fn add_switching_tangent(&self, x: &State, w: &Weights, work: &mut Work, jacobian: &mut Jacobian) {
        self.prepare_readings(x, work);
        self.add_switching_blocks(x, w, work, jacobian);
    }

    fn sum_switching(&self, work: &mut Work, out: &mut [f64]) {
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

    fn add_switching_blocks(&self, x: &State, w: &Weights, work: &mut Work, jacobian: &mut Jacobian) {
        self.flat.bodies.turn(w.placed, work);
        self.marker_maps(w, work);
        if self.reads_accelerations {
            self.acceleration_maps(x, w, work);
        }
        let mut into = jacobian.target(0);
        self.switching_places().for_each(|k| self.add_expression_blocks(k, x, w, work, &mut into));
    }

    /// How far these forces are from their other sides at a state.
    pub fn margins(&self, switches: &Switches, x: &State, work: &mut Work, out: &mut Vec<Side>) {
        out.clear();
        self.prepare_readings(x, work);
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
