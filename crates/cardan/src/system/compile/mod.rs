//! From a model to a system. The compiler goes through the model once, in this order:
//!
//! ```text
//! bodies and markers     places in q and v, offsets from the centres of mass            here
//! joints, constraints    handles checked, rows made of measures, memory slots           elements
//! rows                   those that no motion can change are dropped, the rest numbered rows
//! forces                 friction tied to its joint's rows, memory slots                elements
//! expressions            names looked up, programs with what they read                  expressions
//! flat arrays            bodies and common joints by kind; which markers are read         flat
//! memory                 turns at the start, offsets of couplers and motions that keep theirs   memory
//! ```

mod elements;
mod expressions;
mod flat;
mod memory;
mod rows;

use super::flat::Flat;
use super::gradient::mass_matrix;
use super::layout::{CompiledBody, CompiledMarker};
use super::{State, System};
use crate::bodies::{Attachment, BodyId, Kind, MarkerId};
use crate::expr::Scope;
use crate::forces::Gravity;
use crate::linear::rank::BLOCK;
use crate::measures::Memory;
use crate::model::{MarkerName, Model, ModelError, Names};
use std::collections::HashMap;

impl System {
    /// Compiles a model.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        model.validate()?;
        let lowered = model.lowered()?;
        if let Some(problem) = model.check_expressions().into_iter().next() {
            return Err(ModelError::Expression(Box::new(problem)));
        }
        lowered.validate()?;
        let mut compiler = Compiler::new(&lowered);
        compiler.place_bodies();
        compiler.place_markers();
        compiler.add_joints()?;
        compiler.add_extras()?;
        compiler.drop_zero_rows()?;
        compiler.number_rows();
        compiler.add_forces()?;
        compiler.add_expression_forces()?;
        compiler.add_states()?;
        compiler.add_pair_forces()?;
        compiler.add_readings()?;
        compiler.add_held()?;
        compiler.mark_implicit();
        compiler.flatten();
        compiler.start_memory();
        compiler.set_offsets();
        Ok(compiler.system)
    }
}

struct Compiler<'a> {
    model: &'a Model,
    system: System,
    /// Couplers and motions that keep their initial value: index of the constraint.
    floating: Vec<usize>,
    /// Number of memory slots given so far.
    slots: usize,
    names: Names,
    scope: Scope,
    /// Markers of body frames and centres of mass that expressions name.
    implicit: HashMap<MarkerName, MarkerId>,
}

impl<'a> Compiler<'a> {
    fn new(model: &'a Model) -> Self {
        let inputs = model.inputs().iter().map(|input| input.initial).chain(model.held().iter().map(|h| h.initial)).collect();
        let empty =
            State { t: 0.0, q: vec![], v: vec![], a: vec![], lambda: vec![], x: vec![], x_dot: vec![], memory: Memory::EMPTY, inputs };
        let system = System {
            name: model.name().into(),
            gravity: Gravity(model.gravity()),
            bodies: vec![],
            markers: vec![],
            constraints: vec![],
            flat: Flat::default(),
            by_rows: vec![],
            read_markers: vec![],
            rod_markers: vec![],
            forces: vec![],
            by_markers: vec![],
            pair_forces: model.pair_forces().to_vec(),
            expressions: vec![],
            states: vec![],
            reads_accelerations: false,
            angles: vec![],
            sensors: vec![],
            sensor_info: vec![],
            events: vec![],
            variables: vec![],
            inputs: model.inputs().iter().map(|input| input.name.clone()).collect(),
            held: vec![],
            implicit_forces: vec![],
            implicit_pair_forces: model.pair_laws().map(|f| model.is_implicit(f.name())).collect(),
            implicit_expressions: vec![],
            switching: vec![],
            nq: 0,
            nv: 0,
            rows: 0,
            levels: vec![],
            holonomic: true,
            initial: empty,
            velocity_blocks: vec![],
            inertias: vec![],
        };
        let (names, scope) = (Names::new(model), model.scope());
        let mut compiler = Self { model, system, floating: vec![], slots: 0, names, scope, implicit: HashMap::new() };
        let texts = model.variables().iter().map(|v| (v.name.clone(), v.function.clone()));
        compiler.system.variables = texts.collect();
        compiler
    }

    fn place_bodies(&mut self) {
        let s = &mut self.system;
        for body in &self.model.bodies()[1..] {
            let (q, v) = body.initial_state();
            s.bodies.push(CompiledBody { name: body.name.clone(), shape: body.shape.clone(), q0: s.nq, v0: s.nv });
            s.flat.bodies.push(s.bodies.len() - 1, &s.bodies[s.bodies.len() - 1]);
            let blocks = (0..v.len()).step_by(BLOCK).map(|k| s.nv + k..s.nv + (k + BLOCK).min(v.len()));
            s.velocity_blocks.extend(blocks.map(|block| (s.bodies.len() - 1, block)));
            s.inertias.extend(mass_matrix(&body.shape, &q).diagonal().iter());
            s.nq += q.len();
            s.nv += v.len();
            s.initial.q.extend(q);
            s.initial.v.extend(v);
        }
        s.initial.a = vec![0.0; s.nv];
    }

    fn place_markers(&mut self) {
        for marker in self.model.markers() {
            let body = self.number(marker.body);
            let attachment = match self.system.moving(body) {
                Some(b) => Attachment::new(&self.system.bodies[b].shape, marker),
                None => Attachment::on_ground(marker),
            };
            self.system.markers.push(CompiledMarker { name: marker.name.clone(), body, attachment });
        }
    }

    /// The number in the system of a body of the model, whose ground comes first.
    fn number(&self, body: BodyId) -> usize {
        body.index().checked_sub(1).unwrap_or(self.system.ground())
    }

    /// Whether the body of a marker never tilts.
    fn upright(&self, marker: MarkerId) -> bool {
        self.system.carrier(marker).is_none_or(|b| self.system.bodies[b].shape.upright())
    }

    /// A new slot in the memory of the state.
    fn next_slot(&mut self) -> usize {
        self.slots += 1;
        self.slots - 1
    }
}
