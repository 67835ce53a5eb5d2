//! Compiled expressions: components of forces, rates of differential states, sensors, events.
//!
//! An expression z reads the time, quantities of markers ([`crate::measures::Quantity`]), forces of other elements and states. A force
//! is w_a = Σ_c z_c D_ac on its markers a = i, j, with directions D that depend on poses only. Its share of the Newton matrix is
//!
//! ```text
//! −Σ_c (J_aᵀ D_ac) (∇z_c)ᵀ  −  Σ_c z_c J_aᵀ ∂D_ac  −  ∂(J_aᵀ) w_a                                        (1)
//! ∇z = Σ_m  c_q T Jᵀ z_x + (c_q D T + c_v J)ᵀ z_ξ + (c_q E T + c_v F + c_a J)ᵀ z_ξ̇     of the markers m read    (2)
//! ```
//!
//! with J, D of `tangent` and E, F the derivatives of a marker's acceleration by coordinates and velocities of its body. The first
//! term is a rank-one product per component, whatever the expression is.

mod explicit;
mod fault;
mod held;
mod load;
mod readers;
mod shared;
mod sides;
mod states;
mod switching;
mod tangent;

pub(super) use fault::faulty_row;
pub use held::{CompiledHeld, Setting};
pub(super) use load::{Load, LoadElement, LoadKind};
pub use readers::Reader;
pub(super) use shared::Shared;
pub use sides::Switches;
pub use states::Smoothness;
pub(super) use states::StateEquation;

use super::{State, System, Work};
use crate::bodies::{Kind, MarkerId};
use crate::constraints::Constraint;
use crate::expr::Program;
use crate::forces::ForceLaw;
use crate::math::{Mat6, Vec3, Vec6, angular, linear, stack};
use crate::measures::{Context, MarkerGradient, Measure, Motion, Past, Quantity};
use crate::units::Dimension;

/// What an input of an expression reads; places are those in the lists of [`Reads`].
#[derive(Debug, Clone)]
pub(super) enum Source {
    Time,
    Motion { quantity: Quantity, at: [usize; 4] },
    Load(Load),
    State { state: usize, at: usize },
    Rate { state: usize, at: usize },
    Input(usize),
}

/// What the expressions of one element read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reads {
    /// Markers; those a force acts on come first.
    pub markers: Vec<MarkerId>,
    /// Rows of multipliers.
    pub rows: Vec<usize>,
    /// Differential states.
    pub states: Vec<usize>,
    /// The moving bodies of the markers, and for every marker which of them carries it.
    pub bodies: Vec<usize>,
    pub carried: Vec<Option<usize>>,
}

impl Reads {
    /// Number of velocities of the bodies.
    fn velocities(&self, system: &System) -> usize {
        self.bodies.iter().map(|b| system.bodies[*b].shape.nv()).sum()
    }
}

/// A program with what it reads.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub text: String,
    pub program: Program,
    pub sources: Vec<Source>,
}

/// Where the components of a force act.
#[derive(Debug, Clone)]
pub(super) enum Geometry {
    /// Along a measure.
    Along(Measure),
    /// In the axes of a marker; `at` is its place in the list of markers.
    Axes { marker: MarkerId, at: usize },
}

/// An input of a law F(s, ṡ, t) along the measure that the force acts along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LawInput {
    Time,
    Measure,
    Rate,
}

/// A compiled force given by expressions.
#[derive(Debug, Clone)]
pub(super) struct ExpressionElement {
    pub name: String,
    /// Marker i and marker j.
    pub markers: [MarkerId; 2],
    pub components: Vec<(&'static str, Expression)>,
    pub geometry: Geometry,
    /// The inputs of the only component, where they are its own measure, the rate of it or the time: then one evaluation of the
    /// measure gives all that the force needs.
    pub law: Option<Vec<LawInput>>,
    /// What the components read.
    pub shared: Shared,
    /// Markers i and j come first.
    pub reads: Reads,
}

/// A sensor of a compiled model.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorInfo {
    /// Its name.
    pub name: String,
    /// The unit of its values: as given, or the SI unit of its dimension; `None` where that is not known.
    pub unit: Option<String>,
    /// The dimension of its values, as far as it is known.
    pub dimension: Option<Dimension>,
}

/// A compiled sensor.
#[derive(Debug, Clone)]
pub(super) struct CompiledSensor {
    pub expression: Expression,
    /// One of its unit in SI.
    pub factor: f64,
}

/// A compiled event of the model.
#[derive(Debug, Clone)]
pub(super) struct CompiledEvent {
    pub event: crate::model::ModelEvent,
    pub expression: Expression,
    /// What is set where it happens.
    pub settings: Vec<Setting>,
}

/// Scratch for the evaluation of expressions.
#[derive(Debug, Clone, Default)]
pub(super) struct ExpressionWork {
    pub inputs: Vec<f64>,
    /// What the components of a force read.
    pub shared: Vec<f64>,
    pub slopes: Vec<f64>,
    pub gradients: Vec<MarkerGradient>,
    /// ∇z of all velocities of the bodies that are read, one after another.
    pub rows: Vec<f64>,
    /// J_aᵀ D_ac, of all velocities of a body.
    pub column: Vec<f64>,
    pub lambda: Vec<f64>,
    pub states: Vec<f64>,
    /// For constraints whose reaction is read.
    pub gradient: Vec<Vec6>,
    pub gradient_t: Vec<Vec6>,
    pub hessian: Vec<Mat6>,
    /// The wrenches of all forces given by expressions.
    pub wrenches: Vec<[Vec6; 2]>,
    /// Their components.
    pub values: Vec<[f64; 6]>,
}

impl ExpressionWork {
    pub fn new(system: &System) -> Self {
        let forces = &system.expressions;
        let components = forces.iter().flat_map(|f| f.components.iter().map(|c| &c.1));
        let rates = system.states.iter().map(|s| &s.expression);
        let readings = system.sensors.iter().map(|s| &s.expression).chain(system.events.iter().map(|e| &e.expression));
        let readings = readings.chain(system.held.iter().filter_map(|h| h.expression.as_ref()));
        let inputs = components.chain(rates).chain(readings).map(|e| e.sources.len()).max().unwrap_or(0);
        let reads = || forces.iter().map(|f| &f.reads).chain(system.states.iter().map(|s| &s.reads));
        let most = |count: fn(&Reads) -> usize| reads().map(count).max().unwrap_or(0);
        let markers = system.constraints.iter().map(|c| c.element.markers().len()).max().unwrap_or(0);
        Self {
            inputs: vec![0.0; inputs],
            shared: vec![0.0; forces.iter().map(|f| f.shared.len()).max().unwrap_or(0)],
            slopes: vec![0.0; inputs],
            gradients: vec![MarkerGradient::zero(); most(|r| r.markers.len())],
            rows: Vec::with_capacity(reads().map(|r| r.velocities(system)).max().unwrap_or(0)),
            column: Vec::with_capacity(system.bodies.iter().map(|b| b.shape.nv()).max().unwrap_or(0)),
            lambda: vec![0.0; most(|r| r.rows.len())],
            states: vec![0.0; most(|r| r.states.len())],
            gradient: vec![Vec6::zeros(); markers],
            gradient_t: vec![Vec6::zeros(); markers],
            hessian: vec![Mat6::zeros(); markers * markers],
            wrenches: vec![[Vec6::zeros(); 2]; forces.len()],
            values: vec![[0.0; 6]; forces.len()],
        }
    }
}

impl System {
    /// Whether forces or states depend on accelerations, reactions or rates of states, so that accelerations need iterations.
    pub fn forces_feel_themselves(&self) -> bool {
        self.reads_accelerations || !self.states.is_empty() || self.forces_feel_reactions()
    }

    /// Whether accelerations are forces divided by masses that never change: there are no constraints, and no bodies whose masses move within them.
    pub(super) fn has_constant_masses_only(&self) -> bool {
        self.rows == 0 && !self.forces_feel_themselves() && self.bodies.iter().all(|body| body.shape.elastic_range().is_empty())
    }

    /// Whether forces or states depend on reactions: then another share of the load between redundant constraints is another motion, and
    /// the reactions must stay those that the motion was computed with.
    pub fn forces_feel_reactions(&self) -> bool {
        let expressions = self.expressions.iter().map(|f| &f.reads).chain(self.states.iter().map(|s| &s.reads));
        self.forces.iter().any(|f| !f.reaction_rows().is_empty()) || expressions.into_iter().any(|r| !r.rows.is_empty())
    }

    /// Whether forces or states read accelerations, reactions or rates of states.
    pub fn reads_unknowns(&self) -> bool {
        let rates = |e: &Expression| e.sources.iter().any(|s| matches!(s, Source::Rate { .. }));
        let expressions = self.expressions.iter().flat_map(|f| f.components.iter().map(|c| &c.1));
        self.reads_accelerations || self.forces_feel_reactions() || expressions.chain(self.states.iter().map(|s| &s.expression)).any(rates)
    }

    /// The sensors, in the order in which [`System::sense`] gives their values.
    pub fn sensors(&self) -> &[SensorInfo] {
        &self.sensor_info
    }

    /// Accelerations of all markers.
    pub(super) fn marker_accelerations(&self, x: &State, work: &mut Work) {
        let Work { accelerations, frames, deformed, .. } = work;
        for (marker, acceleration) in accelerations.iter_mut().enumerate() {
            if let Some((b, marker)) = self.attached(marker, frames, deformed) {
                *acceleration = marker.acceleration(&x.a[self.bodies[b].v()]);
            }
        }
    }

    /// Evaluates the forces given by expressions, at a state whose kinematics are in `work`.
    pub(super) fn expression_wrenches(&self, x: &State, work: &mut Work) {
        if self.reads_accelerations {
            self.marker_accelerations(x, work);
        }
        let Work { markers, accelerations, expressions, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        for (k, force) in self.expressions.iter().enumerate() {
            if let (Geometry::Along(measure), Some(law)) = (&force.geometry, &force.law) {
                (expressions.values[k][0], expressions.wrenches[k]) = force.wrench_of_law(measure, law, &ctx, &mut expressions.inputs);
                continue;
            }
            let mut z = [0.0; 6];
            self.shared_values(force, x, &ctx, &motion, expressions);
            let scratch = &mut ctx.scratch.borrow_mut();
            for (c, (_, component)) in force.components.iter().enumerate() {
                self.component_inputs(force, c, expressions);
                z[c] = component.program.value(&expressions.inputs, scratch);
            }
            expressions.wrenches[k] = force.wrench(&ctx, &z);
            expressions.values[k] = z;
        }
    }

    /// The inputs of an expression, into the scratch.
    fn expression_inputs(&self, e: &Expression, x: &State, ctx: &Context, motion: &Motion, work: &mut ExpressionWork) {
        for (k, source) in e.sources.iter().enumerate() {
            work.inputs[k] = self.source_value(source, x, ctx, motion, work);
        }
    }

    fn source_value(&self, source: &Source, x: &State, ctx: &Context, motion: &Motion, work: &mut ExpressionWork) -> f64 {
        match source {
            Source::Time => ctx.t,
            Source::Motion { quantity, .. } => quantity.value(motion),
            Source::State { state, .. } => x.x[*state],
            Source::Rate { state, .. } => x.x_dot[*state],
            Source::Input(k) => x.inputs[*k],
            Source::Load(load) => load.part(&self.load_wrench(load, ctx, work), ctx),
        }
    }

    fn expression_value(&self, e: &Expression, x: &State, ctx: &Context, motion: &Motion, work: &mut ExpressionWork) -> f64 {
        self.expression_inputs(e, x, ctx, motion, work);
        e.program.value(&work.inputs[..e.sources.len()], &mut ctx.scratch.borrow_mut())
    }

    /// Everything that sensors and events may read, at a state whose a and λ are consistent.
    pub(in crate::system) fn prepare_readings(&self, x: &State, work: &mut Work) {
        self.kinematics(&x.q, &x.v, work);
        self.marker_accelerations(x, work);
        self.expression_wrenches(x, work);
    }

    fn read(&self, e: &Expression, x: &State, work: &mut Work) -> f64 {
        let Work { markers, accelerations, expressions, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        self.expression_value(e, x, &ctx, &motion, expressions)
    }

    /// The values of all sensors at a state with consistent accelerations and reactions, as the samples of a run have them.
    pub fn sense(&self, x: &State, work: &mut Work, out: &mut [f64]) {
        if self.sensors.is_empty() {
            return;
        }
        self.prepare_readings(x, work);
        for (value, sensor) in out.iter_mut().zip(&self.sensors) {
            *value = self.read(&sensor.expression, x, work) / sensor.factor;
        }
    }

    /// The events of the model, and the values of their functions by place in this list.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &crate::model::ModelEvent> {
        self.events.iter().map(|e| &e.event)
    }

    /// The value of the function of an event of the model.
    pub fn event_value(&self, event: usize, x: &State, work: &mut Work) -> f64 {
        self.prepare_readings(x, work);
        self.read(&self.events[event].expression, x, work)
    }
}

impl ExpressionElement {
    /// The wrenches of given components.
    #[inline]
    fn wrench(&self, ctx: &Context, z: &[f64; 6]) -> [Vec6; 2] {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        match &self.geometry {
            Geometry::Along(measure) => measure.evaluate(i, j, Past::NONE).1.map(|g| g * z[0]),
            Geometry::Axes { marker, .. } => {
                let r = &ctx.marker(*marker).r;
                let (f, tau) = (r * Vec3::new(z[0], z[1], z[2]), r * Vec3::new(z[3], z[4], z[5]));
                [stack(f, tau), stack(-f, -tau - (i.p - j.p).cross(&f))]
            }
        }
    }

    /// F(s, ṡ, t) and its wrenches.
    #[inline]
    fn wrench_of_law(&self, measure: &Measure, law: &[LawInput], ctx: &Context, inputs: &mut [f64]) -> (f64, [Vec6; 2]) {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (s, g) = measure.evaluate(i, j, ctx.past());
        let rate = g[0].dot(&i.twist()) + g[1].dot(&j.twist());
        for (x, input) in inputs.iter_mut().zip(law) {
            *x = match input {
                LawInput::Time => ctx.t,
                LawInput::Measure => s,
                LawInput::Rate => rate,
            };
        }
        let z = self.components[0].1.program.value(inputs, &mut ctx.scratch.borrow_mut());
        (z, g.map(|g| g * z))
    }

    /// D_ac of a component.
    fn direction(&self, ctx: &Context, component: usize) -> [Vec6; 2] {
        let mut z = [0.0; 6];
        z[component] = 1.0;
        self.wrench(ctx, &z)
    }
}

/// The linear or angular part of six numbers.
fn part_of(six: &Vec6, kind: LoadKind) -> Vec3 {
    match kind {
        LoadKind::Force => linear(six),
        LoadKind::Torque => angular(six),
    }
}
