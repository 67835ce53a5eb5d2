//! Who reads reactions that are not unique. Where rows are redundant, λ + n μ with nᵀG = 0 exerts the same forces on the bodies as λ; an
//! expression that reads a force or torque feels the difference where the part that it reads changes along n,
//!
//! ```text
//! e · Σ_r n_r g_r ≠ 0        e the axis that is read, g_r the rows of its joint                       (1)
//! ```
//!
//! and joint friction where its normal force depends on a row with n_r ≠ 0.

use super::{Expression, Load, LoadElement, Source};
use crate::forces::ForceLaw;
use crate::measures::Context;
use crate::system::{State, System, Work};

/// An element that reads a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    /// What it is: "friction", "force", "state", "block", "sensor" or "event".
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// The constraint whose reaction it reads.
    pub joint: String,
}

/// Parts this small against the change of λ are round-off.
const ROUND_OFF: f64 = 1e-9;

impl System {
    /// The elements that read a part of a reaction that changes along `direction`, a change of λ that leaves all forces on the bodies
    /// as they are.
    pub fn readers_along(&self, x: &State, direction: &[f64], work: &mut Work) -> Vec<Reader> {
        self.kinematics(&x.q, &x.v, work);
        let size = crate::math::max_abs(direction);
        let mut out = Vec::new();
        for force in &self.forces {
            if let Some(row) = force.reaction_rows().iter().find(|row| direction[**row].abs() > ROUND_OFF * size) {
                out.push(Reader { what: "friction", name: force.name().into(), joint: self.row_name(*row).0 });
            }
        }
        for (what, name, expression) in self.all_expressions() {
            let loads = expression.sources.iter().filter_map(|s| if let Source::Load(load) = s { Some(load) } else { None });
            for load in loads.filter(|load| self.load_along(load, x, direction, work).abs() > ROUND_OFF * size) {
                let (_, rows) = self.load_parts(&load.element);
                let reader = rows.first().map(|row| Reader { what, name: name.into(), joint: self.row_name(*row).0 });
                out.extend(reader.filter(|reader| !out.contains(reader)));
            }
        }
        out
    }

    /// What an expression would read if λ were `direction` (1).
    fn load_along(&self, load: &Load, x: &State, direction: &[f64], work: &mut Work) -> f64 {
        match &load.element {
            LoadElement::Constraints(_) => {
                let Work { markers, expressions, scratch, .. } = work;
                let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: direction, scratch };
                load.part(&self.load_wrench(load, &ctx, expressions), &ctx)
            }
            LoadElement::Force(k) => self.forces[*k].reaction_rows().iter().map(|row| direction[*row].abs()).fold(0.0, f64::max),
            LoadElement::Expression(_) => 0.0,
        }
    }

    /// All expressions with what they belong to.
    fn all_expressions(&self) -> impl Iterator<Item = (&'static str, &str, &Expression)> {
        let forces = self.expressions.iter().flat_map(|f| f.components.iter().map(|(_, e)| ("force", f.name.as_str(), e)));
        let states = self.states.iter().map(|s| ("state", s.name.as_str(), &s.expression));
        let held = self.held.iter().filter_map(|h| Some(("block", h.name.as_str(), h.expression.as_ref()?)));
        let sensors = self.sensor_info.iter().zip(&self.sensors).map(|(info, s)| ("sensor", info.name.as_str(), &s.expression));
        let events = self.events.iter().map(|e| ("event", e.event.name.as_str(), &e.expression));
        forces.chain(states).chain(held).chain(sensors).chain(events)
    }
}
