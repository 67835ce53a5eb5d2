//! The seam: a model compiled to one system of equations,
//!
//! ```text
//! M a + Gᵀλ − Q(q, v, a, λ, x, ẋ, y, t) = 0         dynamics                               (E1)
//! Φ(q, t) = 0,   A(q, t) v + b = 0                  holonomic and nonholonomic constraints (E2)
//! ẋ − f(q, v, a, λ, x, ẋ, y, t) = 0                 differential states                    (E3)
//! y − h(q, v, a, λ, x, ẋ, y, t) = 0                 variables that are solved for           (E4)
//! ```
//!
//! the last of which are of the form of (E3), with y in the place of ẋ, and q on a manifold (`retract`). Q holds applied forces, gravity, and
//! what the bodies exert on themselves: quadratic velocity forces and elastic ones. A [`System`] never changes after compilation; everything that
//! does is in a [`State`] or a caller-owned [`Work`]. How a marker moves with its body is known to `bodies` alone, and asked for here.

mod actions;
mod compile;
mod energy;
mod evaluate;
mod evaluated;
mod expressions;
mod flat;
mod gradient;
mod jacobian;
mod kkt;
mod layout;
mod lengths;
mod linearization;
mod pair_forces;
mod placement;
mod power;
mod rate_change;
mod state;
mod tangent;
mod time_parts;
mod unknown_name;
mod work;
mod wrenches;

pub(crate) use energy::Accounts;
pub use energy::{Energy, Momentum};
pub use evaluated::Evaluated;
pub use expressions::{CompiledHeld, Reader, SensorInfo, Setting, Smoothness, Switches};
pub use jacobian::{Content, Jacobian, Rebuilds};
pub(crate) use kkt::Matrix;
pub use kkt::{Kkt, KktError};
pub use layout::{CompiledBody, CompiledConstraint, CompiledMarker};
pub use linearization::{Linearization, Variation};
pub use placement::{Hats, Placement};
pub use power::{Exchanger, Through};
pub use state::State;
pub use tangent::{Terms, Weights};
pub use unknown_name::UnknownName;
pub use work::Work;

use crate::bodies::Kind;
use crate::constraints::{Constraint, Level};
use crate::forces::{Force, Gravity, PairForce};
use crate::measures::Quantity;
use expressions::{CompiledEvent, CompiledSensor, ExpressionElement, StateEquation};
use flat::Flat;
use std::ops::Range;

/// What messages name where no single element is to blame.
pub(crate) const WHOLE: &str = "the whole mechanism";

/// A compiled model: the equations of a mechanism, and where each of its elements stands in them.
///
/// ```
/// use cardan::prelude::*;
/// let mut model = Model::new("projectile");
/// model.set_gravity([0.0, 0.0, -9.81]);
/// model.add_body(Body::point("ball", 0.2).at([0.0, 0.0, 1.5]).moving([3.0, 0.0, 0.0]));
/// let system = System::new(&model)?;
/// let ball = system.body("ball")?;
/// assert_eq!(ball.position(system.initial()), Vec3::new(0.0, 0.0, 1.5));
/// assert_eq!(system.body("bal").unwrap_err().to_string(), "there is no body 'bal'; did you mean 'ball'?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct System {
    name: String,
    gravity: Gravity,
    bodies: Vec<CompiledBody>,
    markers: Vec<CompiledMarker>,
    constraints: Vec<CompiledConstraint>,
    /// Bodies by kind, and the joints and forces that are evaluated from the frames of their bodies.
    flat: Flat,
    /// The constraints whose tangents are taken row by row: those that are evaluated so, and behind them the rods.
    by_rows: Vec<usize>,
    /// Markers that are read while the equations are evaluated.
    read_markers: Vec<usize>,
    /// Markers that only the tangents of rods read.
    rod_markers: Vec<usize>,
    forces: Vec<Force>,
    /// Those of them that are evaluated from their markers; the others are in flat arrays.
    by_markers: Vec<usize>,
    /// Forces between pairs of markers that come and go.
    pair_forces: Vec<PairForce>,
    expressions: Vec<ExpressionElement>,
    states: Vec<StateEquation>,
    /// Whether an expression of a force or a differential state reads accelerations.
    reads_accelerations: bool,
    /// Angles of expressions that count turns.
    angles: Vec<Quantity>,
    sensors: Vec<CompiledSensor>,
    sensor_info: Vec<SensorInfo>,
    events: Vec<CompiledEvent>,
    /// Names and texts of the variables, for messages.
    variables: Vec<(String, String)>,
    /// Names of the inputs.
    inputs: Vec<String>,
    /// Values held between samples, or until they are switched.
    held: Vec<CompiledHeld>,
    /// Forces that are treated implicitly where only marked ones are; those given by expressions apart.
    implicit_forces: Vec<bool>,
    implicit_pair_forces: Vec<bool>,
    implicit_expressions: Vec<bool>,
    /// Which forces given by expressions change sides with the state.
    switching: Vec<bool>,
    nq: usize,
    nv: usize,
    rows: usize,
    levels: Vec<Level>,
    /// Whether all rows are of position level.
    holonomic: bool,
    initial: State,
    /// The velocities in blocks of at most six, and the bodies that they belong to.
    velocity_blocks: Vec<(usize, Range<usize>)>,
    /// The diagonal of M at the start: a scale.
    inertias: Vec<f64>,
}

impl System {
    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of stored coordinates.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.nv
    }

    /// Number of constraint rows (multipliers).
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of differential states.
    pub fn nx(&self) -> usize {
        self.states.len()
    }

    /// Number of unknowns of a Newton system: velocities, multipliers, differential states.
    pub fn unknowns(&self) -> usize {
        self.nv + self.rows + self.nx()
    }

    /// Names of the differential states.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.states.iter().map(|s| s.name.as_str())
    }

    /// The place of a differential state in [`State::x`].
    pub fn state(&self, name: &str) -> Result<usize, UnknownName> {
        let place = self.states.iter().position(|s| s.name == name);
        place.ok_or_else(|| UnknownName::new("differential state", name, self.state_names()))
    }

    /// Names of the inputs, in the order of [`State::inputs`].
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The level of each row.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether all rows are of position level.
    pub fn is_holonomic(&self) -> bool {
        self.holonomic
    }

    /// The moving bodies.
    pub fn bodies(&self) -> &[CompiledBody] {
        &self.bodies
    }

    /// The constraints.
    pub fn constraints(&self) -> &[CompiledConstraint] {
        &self.constraints
    }

    /// The forces.
    pub fn forces(&self) -> &[Force] {
        &self.forces
    }

    /// The state as the user gave it; [`crate::analysis::assemble`] makes it consistent.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// A moving body by name, which tells where it is in a state.
    pub fn body(&self, name: &str) -> Result<&CompiledBody, UnknownName> {
        let body = self.bodies.iter().find(|b| b.name == name);
        body.ok_or_else(|| UnknownName::new("body", name, self.bodies.iter().map(|b| b.name.as_str())))
    }

    /// The multiplier rows of a constraint by name.
    pub fn reaction_rows(&self, name: &str) -> Result<Range<usize>, UnknownName> {
        let rows = self.constraints.iter().find(|c| c.name == name).map(|c| c.first_row..c.first_row + c.element.rows());
        rows.ok_or_else(|| UnknownName::new("constraint", name, self.constraints.iter().map(|c| c.name.as_str())))
    }

    /// Name of the constraint and direction of a row; rows beyond the constraints are those of differential states.
    pub fn row_name(&self, row: usize) -> (String, String) {
        if row >= self.rows {
            let state = &self.states[row - self.rows];
            let equation = if state.smoothness == Smoothness::Algebraic { "algebraic equation" } else { "differential equation" };
            return (state.name.clone(), equation.into());
        }
        let k = self.constraints.partition_point(|c| c.first_row + c.element.rows() <= row);
        let c = &self.constraints[k];
        (c.name.clone(), c.element.direction(row - c.first_row))
    }

    /// Name of the body and the equation of motion behind a velocity.
    pub fn balance_name(&self, velocity: usize) -> (String, String) {
        let k = self.bodies.partition_point(|b| b.v().end <= velocity);
        let body = &self.bodies[k];
        (body.name.clone(), body.shape.balance(velocity - body.v0))
    }

    /// Where the angular velocities of bodies that turn in space begin.
    pub(crate) fn attitudes(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().filter_map(|b| Some(b.v0 + b.shape.attitude_rates()?.start))
    }

    /// The largest angular velocity of a body, rad/s.
    pub(crate) fn largest_spin(&self, v: &[f64]) -> f64 {
        let spin = |b: &CompiledBody| b.shape.twist(&v[b.v()]).1.norm();
        self.bodies.iter().filter(|b| b.shape.rotates()).map(spin).fold(0.0, f64::max)
    }

    /// Name of the body, constraint or differential state behind a block row of the matrix, where it is known.
    pub fn block_name(&self, block: Option<usize>) -> &str {
        let bodies = self.bodies.iter().map(|b| b.name.as_str());
        let mut names = bodies.chain(self.constraints.iter().map(|c| c.name.as_str())).chain(self.state_names());
        block.and_then(|block| names.nth(block)).unwrap_or(WHOLE)
    }
}
