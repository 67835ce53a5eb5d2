//! Channels: every number a run gives, by name and unit. Names are structured:
//!
//! ```text
//! time                                                                          s
//! BODY.position.x  .velocity.x  .acceleration.x                                 origin of the body frame, world axes
//! BODY.orientation.w|x|y|z                                                      quaternion, body to world
//! BODY.angular_velocity.x  .angular_acceleration.x                              world axes
//! BODY.angle                                                                    planar bodies, turns counted
//! CONSTRAINT.force.x  .torque.x                                                 on marker i, at its origin, world axes
//! CONSTRAINT.lambda.1                                                           multipliers, in the order of the rows
//! FORCE.force.x  .torque.x                                                      on marker i, at its origin, world axes
//! FORCE.pairs                                                                   how many pairs act, of forces between pairs that come and go
//! CONTACT.gap  .depth  .touching  .sticking  .slip                              smallest gap, largest depth, touches, those that stick, sliding speed
//! CONTACT.normal  .friction  .point.x  .force.x  .power                         sums of forces, their centre, force on i, power lost
//! total.energy  total.kinetic_energy  total.potential_energy                    J
//! constraints.position_violation  constraints.velocity_violation                largest over all rows
//! STATE                                                                         differential states, and variables that are solved for
//! SENSOR                                                                        in its own unit
//! ```
//!
//! Point masses have no orientation, and constraints between more than two markers no force of their own.

use super::Sample;
use crate::bodies::Kind;
use crate::constraints::Constraint;
use crate::forces::PairLaw;
use crate::math::Vec6;
use crate::system::{CompiledBody, State, System, UnknownName, Work};
use std::collections::HashSet;
use std::ops::Range;

/// Name and unit of one number of a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Structured name, such as `crank.position.x`.
    pub name: String,
    /// Unit, such as `rad/s`; `1` for numbers without.
    pub unit: String,
}

/// All channels of a system, and the scratch to fill them.
#[derive(Debug, Clone)]
pub struct Channels {
    list: Vec<Channel>,
    reactions: Vec<Reaction>,
    work: Work,
    /// What forces between changing pairs tell of themselves.
    told: Vec<f64>,
    states: Vec<f64>,
    sensed: Vec<f64>,
}

/// Constraints of one name (a rolling disk is made of two), and their multipliers.
#[derive(Debug, Clone)]
struct Reaction {
    constraints: Range<usize>,
    rows: Range<usize>,
    wrench: bool,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Channels {
    /// The channels of this system.
    pub fn new(system: &System) -> Self {
        let reactions = reactions(system);
        let mut names = Names::default();
        names.add("time".into(), "s");
        system.bodies().iter().for_each(|body| names.body(body));
        reactions.iter().for_each(|reaction| names.reaction(system, reaction));
        system.force_elements().for_each(|(name, _)| names.wrench(name, "forces"));
        system.pair_forces().iter().for_each(|force| names.pair_force(&**force));
        for name in ["energy", "kinetic_energy", "potential_energy"] {
            names.add(format!("total.{name}"), "J");
        }
        for name in ["position_violation", "velocity_violation"] {
            names.add(format!("constraints.{name}"), "1");
        }
        system.state_names().for_each(|name| names.single(name, "states", "1"));
        system.sensors().iter().for_each(|s| names.single(&s.name, "sensors", s.unit.as_deref().unwrap_or("1")));
        Self {
            list: names.list,
            reactions,
            work: Work::new(system),
            told: vec![0.0; system.pair_forces().iter().map(|force| 1 + force.quantities().len()).sum()],
            states: vec![0.0; system.nx()],
            sensed: vec![0.0; system.sensors().len()],
        }
    }

    /// Names and units, in the order of [`Channels::fill`].
    pub fn list(&self) -> &[Channel] {
        &self.list
    }

    /// The place of a channel in the list.
    pub fn index(&self, name: &str) -> Result<usize, UnknownName> {
        let place = self.list.iter().position(|c| c.name == name);
        place.ok_or_else(|| UnknownName::new("channel", name, self.list.iter().map(|c| c.name.as_str())))
    }

    /// One value a sample, for each of the channels at these places of the list.
    pub(super) fn columns<const N: usize>(&mut self, system: &System, samples: &[Sample], places: [usize; N]) -> Vec<[f64; N]> {
        let mut row = vec![0.0; self.list.len()];
        let of = |sample: &Sample| {
            self.fill(system, sample, &mut row);
            places.map(|k| row[k])
        };
        samples.iter().map(of).collect()
    }

    /// Writes a sample's numbers, one for each channel of the list.
    pub fn fill(&mut self, system: &System, sample: &Sample, out: &mut [f64]) {
        let x = &sample.state;
        let mut at = system.evaluate(x, &mut self.work);
        let (position, velocity) = at.violation();
        let mut out = Cursor { out: out.iter_mut() };
        out.put(&[x.t]);
        system.bodies().iter().for_each(|body| out.body(body, x));
        for reaction in &self.reactions {
            if reaction.wrench {
                let parts = reaction.constraints.clone().map(|k| at.reaction(k));
                out.put(parts.sum::<Vec6>().as_slice());
            }
            out.put(&x.lambda[reaction.rows.clone()]);
        }
        (0..system.force_elements().count()).for_each(|k| out.put(at.applied(k).as_slice()));
        at.tell(&mut self.told);
        out.put(&self.told);
        out.put(&[sample.energy.total(), sample.energy.kinetic, sample.energy.potential]);
        out.put(&[position, velocity]);
        self.states.copy_from_slice(&x.x);
        system.solved_variables().for_each(|k| self.states[k] = x.x_dot[k]);
        out.put(&self.states);
        system.sense(x, &mut self.work, &mut self.sensed);
        out.put(&self.sensed);
    }
}

/// Constraints of one name taken together.
fn reactions(system: &System) -> Vec<Reaction> {
    let mut out: Vec<Reaction> = Vec::new();
    for (k, c) in system.constraints().iter().enumerate() {
        let rows = c.first_row..c.first_row + c.element.rows();
        match out.last_mut() {
            Some(last) if system.constraints()[last.constraints.start].name == c.name => {
                (last.constraints.end, last.rows.end) = (k + 1, rows.end);
            }
            _ => out.push(Reaction { constraints: k..k + 1, rows, wrench: c.element.markers().len() == 2 }),
        }
    }
    out
}

/// The list of channels as it grows; every name is given once.
#[derive(Default)]
struct Names {
    list: Vec<Channel>,
    /// Elements with a force and a torque.
    wrenches: HashSet<String>,
    /// All names, once somebody has asked for them.
    taken: Option<HashSet<String>>,
}

impl Names {
    fn add(&mut self, name: String, unit: &str) {
        if let Some(taken) = &mut self.taken {
            taken.insert(name.clone());
        }
        self.list.push(Channel { name, unit: unit.into() });
    }

    fn is_taken(&mut self, name: &str) -> bool {
        let list = &self.list;
        self.taken.get_or_insert_with(|| list.iter().map(|c| c.name.clone()).collect()).contains(name)
    }

    fn vector(&mut self, [element, quantity]: [&str; 2], unit: &str) {
        AXES.iter().for_each(|axis| self.add([element, ".", quantity, ".", axis].concat(), unit));
    }

    fn body(&mut self, body: &CompiledBody) {
        let name = &body.name;
        self.vector([name, "position"], "m");
        self.vector([name, "velocity"], "m/s");
        self.vector([name, "acceleration"], "m/s^2");
        if body.shape.rotates() {
            self.add(format!("{name}.orientation.w"), "1");
            self.vector([name, "orientation"], "1");
            self.vector([name, "angular_velocity"], "rad/s");
            self.vector([name, "angular_acceleration"], "rad/s^2");
        }
        if body.shape.rotates() && body.shape.upright() {
            self.add(format!("{name}.angle"), "rad");
        }
    }

    /// Force and torque of an element; one that shares its name with another is called by its section too.
    fn wrench(&mut self, name: &str, section: &str) {
        let name = if self.wrenches.contains(name) { format!("{section}.{name}") } else { name.into() };
        self.vector([&name, "force"], "N");
        self.vector([&name, "torque"], "N*m");
        self.wrenches.insert(name);
    }

    /// A state or sensor has its own name, and the name of its section before it only where that is taken.
    fn single(&mut self, name: &str, section: &str, unit: &str) {
        let name = if self.is_taken(name) { format!("{section}.{name}") } else { name.into() };
        self.add(name, unit);
    }

    /// How many pairs of a force act, and what it tells of itself.
    fn pair_force(&mut self, force: &dyn PairLaw) {
        let name = force.name();
        let name = if self.is_taken(&format!("{name}.pairs")) { format!("forces.{name}") } else { name.into() };
        self.add(format!("{name}.pairs"), "1");
        force.quantities().iter().for_each(|(quantity, unit)| self.add(format!("{name}.{quantity}"), unit));
    }

    fn reaction(&mut self, system: &System, reaction: &Reaction) {
        let constraints = &system.constraints()[reaction.constraints.clone()];
        let name = &constraints[0].name;
        if reaction.wrench {
            self.wrench(name, "constraints");
        }
        let units = constraints.iter().flat_map(|c| (0..c.element.rows()).map(|k| c.element.multiplier_unit(k)));
        for (k, unit) in units.enumerate() {
            self.add(format!("{name}.lambda.{}", k + 1), unit);
        }
    }
}

/// Where the next numbers go.
struct Cursor<'a> {
    out: std::slice::IterMut<'a, f64>,
}

impl Cursor<'_> {
    fn put(&mut self, values: &[f64]) {
        values.iter().zip(&mut self.out).for_each(|(value, out)| *out = *value);
    }

    /// Position, velocity and acceleration of the body frame's origin; attitude and its rates.
    fn body(&mut self, body: &CompiledBody, x: &State) {
        let (at, (acceleration, angular_acceleration)) = body.motion(x);
        [at.p, at.v, acceleration].iter().for_each(|vector| self.put(vector.as_slice()));
        if body.shape.rotates() {
            let attitude = body.orientation(x);
            self.put(&[attitude.w, attitude.i, attitude.j, attitude.k]);
            self.put(at.w.as_slice());
            self.put(angular_acceleration.as_slice());
        }
        if let Some(angle) = body.angle(x) {
            self.put(&[angle]);
        }
    }
}
