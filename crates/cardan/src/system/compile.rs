//! From a model to a system: checks, places in the vectors, rows without identically-zero ones, memory slots, pattern.

use super::layout::{CompiledBody, CompiledConstraint, CompiledMarker, ConstraintSlots, ForceSlots};
use super::{State, System, Work};
use crate::bodies::{BodyId, Kind, MarkerId};
use crate::constraints::{Axes, Constraint, Drive, Element, JointId, Level, Row, Rows};
use crate::forces::{Force, ForceLaw, Gravity};
use crate::linear::PatternBuilder;
use crate::math::random::Random;
use crate::math::{Vec3, Vec6};
use crate::measures::{Context, Measure};
use crate::model::{Extra, Model, ModelError};
use std::sync::Arc;

impl System {
    /// Compiles a model.
    pub fn new(model: &Model) -> Result<Self, ModelError> {
        model.validate()?;
        let mut compiler = Compiler::new(model);
        compiler.place_bodies();
        compiler.place_markers();
        compiler.add_joints()?;
        compiler.add_extras()?;
        compiler.drop_zero_rows()?;
        compiler.number_rows();
        compiler.add_forces()?;
        compiler.start_memory();
        compiler.set_coupler_offsets();
        compiler.freeze_pattern();
        Ok(compiler.system)
    }
}

struct Compiler<'a> {
    model: &'a Model,
    system: System,
    /// Couplers that keep their initial value: index of the constraint.
    floating: Vec<usize>,
    slots: usize,
}

impl<'a> Compiler<'a> {
    fn new(model: &'a Model) -> Self {
        let empty = State { t: 0.0, q: vec![], v: vec![], a: vec![], lambda: vec![], memory: vec![] };
        let system = System {
            name: model.name().into(),
            gravity: Gravity(model.gravity()),
            bodies: vec![],
            markers: vec![],
            constraints: vec![],
            forces: vec![],
            nq: 0,
            nv: 0,
            rows: 0,
            levels: vec![],
            initial: empty,
            pattern: Arc::new(PatternBuilder::default().finish()),
            body_slots: vec![],
            force_slots: vec![],
            constraint_slots: vec![],
        };
        Self { model, system, floating: vec![], slots: 0 }
    }

    fn place_bodies(&mut self) {
        let s = &mut self.system;
        for body in &self.model.bodies()[1..] {
            let (q, v) = body.initial_state();
            s.bodies.push(CompiledBody { name: body.name.clone(), shape: body.shape.clone(), q0: s.nq, v0: s.nv });
            s.nq += q.len();
            s.nv += v.len();
            s.initial.q.extend(q);
            s.initial.v.extend(v);
        }
        s.initial.a = vec![0.0; s.nv];
    }

    fn place_markers(&mut self) {
        for marker in self.model.markers() {
            let body = (marker.body != BodyId::GROUND).then(|| marker.body.0 - 1);
            let center = if body.is_some() { self.model.bodies()[marker.body.0].center_of_mass() } else { Vec3::zeros() };
            self.system.markers.push(CompiledMarker {
                name: marker.name.clone(),
                body,
                offset: marker.position - center,
                rotation: marker.orientation.to_rotation_matrix().into_inner(),
            });
        }
    }

    fn upright(&self, marker: MarkerId) -> bool {
        self.system.markers[marker.index()].body.is_none_or(|b| self.system.bodies[b].shape.upright())
    }

    fn axes(&self, i: MarkerId, j: MarkerId) -> Axes {
        if self.upright(i) && self.upright(j) {
            Axes::planar(&self.system.markers[j.index()].rotation.tr_mul(&Vec3::z()))
        } else {
            Axes::spatial()
        }
    }

    fn push(&mut self, name: &str, element: impl Into<Element>) {
        self.system.constraints.push(CompiledConstraint { name: name.into(), element: element.into(), first_row: 0 });
    }

    fn push_rows(&mut self, name: &str, markers: Vec<MarkerId>, mut rows: Vec<Row>) {
        for term in rows.iter_mut().flat_map(|row| &mut row.terms) {
            if let Measure::Angle { slot } = &mut term.measure {
                *slot = self.slots;
                self.slots += 1;
            }
        }
        self.push(name, Rows { markers, rows });
    }

    fn add_joints(&mut self) -> Result<(), ModelError> {
        for joint in self.model.joints() {
            let markers = &self.system.markers;
            if markers[joint.i.index()].body == markers[joint.j.index()].body {
                return Err(ModelError::ActsOnNothing { joint: joint.name.clone() });
            }
            let rows = joint.kind.rows(&self.axes(joint.i, joint.j));
            self.push_rows(&joint.name, vec![joint.i, joint.j], rows);
        }
        Ok(())
    }

    fn joint_markers(&self, name: &str, joint: JointId) -> Result<[MarkerId; 2], ModelError> {
        let joint = self.model.joints().get(joint.index()).ok_or_else(|| ModelError::ForeignHandle { element: name.into() })?;
        Ok([joint.i, joint.j])
    }

    fn add_extras(&mut self) -> Result<(), ModelError> {
        for extra in self.model.extras() {
            match extra {
                Extra::Motion(motion) => {
                    let markers = match motion.drive {
                        Drive::Joint(joint) => {
                            self.check_coordinate(&motion.name, joint, motion.coordinate)?;
                            self.joint_markers(&motion.name, joint)?
                        }
                        Drive::Markers(i, j) => [i, j],
                    };
                    self.push_rows(&motion.name, markers.to_vec(), vec![motion.row()]);
                }
                Extra::Coupler(coupler) => {
                    let mut markers = Vec::new();
                    let mut row = Row { direction: "coupler", terms: vec![], target: crate::constraints::Target::Constant(0.0) };
                    for (k, term) in coupler.terms.iter().enumerate() {
                        self.check_coordinate(&coupler.name, term.joint, term.coordinate)?;
                        markers.extend(self.joint_markers(&coupler.name, term.joint)?);
                        row = row.plus_between(term.factor, term.coordinate.measure(), 2 * k, 2 * k + 1);
                    }
                    match coupler.offset {
                        Some(offset) => row = row.at(offset),
                        None => self.floating.push(self.system.constraints.len()),
                    }
                    self.push_rows(&coupler.name, markers, vec![row]);
                }
                Extra::User(user) => self.push(&user.name, user.clone()),
                Extra::Curve(curve) => {
                    let mut element = curve.clone();
                    element.set_slot(self.slots);
                    self.slots += 1;
                    self.push(&curve.name, element);
                }
                Extra::Rolling(disk) => {
                    self.check_markers(&disk.name, &[disk.disk, disk.plane])?;
                    let (contact, no_slip) = disk.elements(&self.axes(disk.disk, disk.plane));
                    self.push(&disk.name, contact);
                    self.push(&disk.name, no_slip);
                }
                Extra::KnifeEdge(knife) => self.push(&knife.name, knife.clone()),
            }
        }
        self.system.constraints.iter().try_for_each(|c| self.check_markers(&c.name, c.element.markers()))
    }

    fn check_markers(&self, name: &str, markers: &[MarkerId]) -> Result<(), ModelError> {
        let known = markers.iter().all(|m| m.index() < self.system.markers.len());
        if known { Ok(()) } else { Err(ModelError::ForeignHandle { element: name.into() }) }
    }

    fn check_coordinate(&self, name: &str, joint: JointId, coordinate: crate::constraints::Coordinate) -> Result<(), ModelError> {
        let _ = self.joint_markers(name, joint)?;
        let joint = &self.model.joints()[joint.index()];
        if joint.kind.coordinates().contains(&coordinate) {
            return Ok(());
        }
        let what = coordinate.label();
        let mistake = format!("joint '{}' is a {} joint and has no free coordinate '{what}'", joint.name, joint.kind.name());
        Err(ModelError::Joint { joint: name.into(), mistake })
    }

    /// Drops rows that no motion of the bodies can change (planar models, point masses), found by probing random states.
    fn drop_zero_rows(&mut self) -> Result<(), ModelError> {
        let probes = self.probes();
        let mut kept_constraints = Vec::new();
        let mut floating = Vec::new();
        for (index, mut constraint) in std::mem::take(&mut self.system.constraints).into_iter().enumerate() {
            let kept = self.rows_that_act(&constraint, &probes)?;
            if kept.is_empty() {
                return Err(ModelError::ActsOnNothing { joint: constraint.name });
            }
            match &mut constraint.element {
                Element::Rows(rows) => rows.rows = kept.iter().map(|k| rows.rows[*k].clone()).collect(),
                Element::PointOnCurve(curve) => curve.keep(&kept),
                Element::NoSlip(no_slip) => no_slip.keep(&kept),
                _ => {}
            }
            if self.floating.contains(&index) {
                floating.push(kept_constraints.len());
            }
            kept_constraints.push(constraint);
        }
        self.floating = floating;
        self.system.constraints = kept_constraints;
        Ok(())
    }

    fn probes(&self) -> Vec<Work> {
        let mut random = Random::new(1);
        let s = &self.system;
        (0..3)
            .map(|_| {
                let delta: Vec<f64> = (0..s.nv).map(|_| random.range(-1.0, 1.0)).collect();
                let mut q = s.initial.q.clone();
                s.retract(&s.initial.q, &delta, &mut q);
                let mut work = Work::new(s);
                s.kinematics(&q, &delta, &mut work);
                work
            })
            .collect()
    }

    fn rows_that_act(&self, constraint: &CompiledConstraint, probes: &[Work]) -> Result<Vec<usize>, ModelError> {
        let element = &constraint.element;
        let n = element.markers().len();
        let memory = vec![0.0; self.slots];
        let mut kept = Vec::new();
        for row in 0..element.rows() {
            let (mut acts, mut offset) = (false, 0.0_f64);
            for probe in probes {
                let ctx = Context { t: 0.0, markers: &probe.markers, memory: &memory, lambda: &[] };
                let (mut g, mut gt) = (vec![Vec6::zeros(); n], vec![Vec6::zeros(); n]);
                let value = element.evaluate(&ctx, row, &mut g, &mut gt);
                let mut f = vec![0.0; self.system.nv];
                for (marker, g) in element.markers().iter().zip(&g) {
                    self.system.add_wrench(marker.index(), g, 1.0, &probe.frames, &mut f);
                }
                acts |= f.iter().any(|x| x.is_nan() || x.abs() > 1e-12);
                offset = offset.max(value.value.abs());
            }
            if acts {
                kept.push(row);
            } else if offset > 1e-9 && element.level() == Level::Position {
                let direction = element.direction(row);
                return Err(ModelError::NeverMet { joint: constraint.name.clone(), direction, offset });
            }
        }
        Ok(kept)
    }

    fn number_rows(&mut self) {
        let s = &mut self.system;
        for constraint in &mut s.constraints {
            constraint.first_row = s.rows;
            s.rows += constraint.element.rows();
            s.levels.extend(std::iter::repeat_n(constraint.element.level(), constraint.element.rows()));
        }
        s.initial.lambda = vec![0.0; s.rows];
    }

    fn add_forces(&mut self) -> Result<(), ModelError> {
        for force in self.model.forces() {
            let mut force = force.clone();
            if let Force::JointFriction(friction) = &mut force {
                let name = friction.name().to_string();
                self.check_coordinate(&name, friction.joint, friction.coordinate())?;
                let markers = self.joint_markers(&name, friction.joint)?;
                friction.connect(markers, self.force_rows(friction.joint));
            }
            if let Some(slot) = force.slot() {
                *slot = self.slots;
                self.slots += 1;
            }
            self.system.forces.push(force);
        }
        Ok(())
    }

    /// The rows of a joint whose multipliers are forces (not torques).
    fn force_rows(&self, joint: JointId) -> Vec<usize> {
        let name = &self.model.joints()[joint.index()].name;
        let Some(c) = self.system.constraints.iter().find(|c| &c.name == name) else { return vec![] };
        let is_force = |k: &usize| ["x", "y", "z", "distance"].contains(&c.element.direction(*k).as_str());
        (0..c.element.rows()).filter(is_force).map(|k| c.first_row + k).collect()
    }

    /// Angles start with the turns of planar bodies, curve parameters at the nearest point.
    fn start_memory(&mut self) {
        let mut work = Work::new(&self.system);
        self.system.kinematics(&self.system.initial.q, &self.system.initial.v, &mut work);
        let mut memory = vec![0.0; self.slots];
        let ctx = Context { t: 0.0, markers: &work.markers, memory: &[], lambda: &[] };
        for constraint in &self.system.constraints {
            match &constraint.element {
                Element::Rows(rows) => {
                    for term in rows.rows.iter().flat_map(|r| &r.terms) {
                        if let Measure::Angle { slot } = term.measure {
                            memory[slot] = self.turns_between(rows.markers[term.i], rows.markers[term.j]);
                        }
                    }
                }
                Element::PointOnCurve(curve) => curve.start(&ctx, &mut memory),
                _ => {}
            }
        }
        let mut forces = std::mem::take(&mut self.system.forces);
        for force in &mut forces {
            let [i, j] = force.markers();
            if let Some(slot) = force.slot() {
                memory[*slot] = self.turns_between(i, j);
            }
        }
        self.system.forces = forces;
        self.system.initial.memory = memory;
        let mut x = self.system.initial.clone();
        self.system.remember(&mut x, &mut Work::new(&self.system));
        self.system.initial.memory = x.memory;
    }

    /// The angle of i about z_j with the turns of planar bodies, right-handed about z_j whether it points up or down; between
    /// bodies that tilt the angle starts within half a turn of zero.
    fn turns_between(&self, i: MarkerId, j: MarkerId) -> f64 {
        if !self.upright(i) || !self.upright(j) {
            return 0.0;
        }
        let up = self.system.markers[j.index()].rotation[(2, 2)] >= 0.0;
        let angle = self.turns(i) - self.turns(j);
        if up { angle } else { -angle }
    }

    fn turns(&self, marker: MarkerId) -> f64 {
        let s = &self.system;
        let m = &s.markers[marker.index()];
        let own = m.rotation[(1, 0)].atan2(m.rotation[(0, 0)]);
        own + m.body.map_or(0.0, |b| s.bodies[b].shape.turns(&s.initial.q[s.bodies[b].q()]))
    }

    fn set_coupler_offsets(&mut self) {
        let mut work = Work::new(&self.system);
        self.system.evaluate(&self.system.initial, &mut work);
        for index in std::mem::take(&mut self.floating) {
            let constraint = &mut self.system.constraints[index];
            let value = work.phi[constraint.first_row];
            if let Element::Rows(rows) = &mut constraint.element {
                rows.rows[0].target = crate::constraints::Target::Constant(value);
            }
        }
    }

    fn freeze_pattern(&mut self) {
        let s = &mut self.system;
        let sizes = s.bodies.iter().map(|b| b.shape.columns().len()).chain(s.constraints.iter().map(|c| c.element.rows()));
        let mut builder = PatternBuilder::new(sizes.collect());
        let body = |m: MarkerId| s.markers[m.index()].body;
        s.body_slots = (0..s.bodies.len()).map(|b| builder.slot(b, b)).collect();
        for (k, constraint) in s.constraints.iter().enumerate() {
            let (own, markers) = (s.bodies.len() + k, constraint.element.markers());
            let bodies: Vec<Option<usize>> = markers.iter().map(|m| body(*m)).collect();
            let mut slots = ConstraintSlots { diagonal: Some(builder.slot(own, own)), ..Default::default() };
            for a in &bodies {
                slots.columns.push(a.map(|a| builder.slot(a, own)));
                slots.rows.push(a.map(|a| builder.slot(own, a)));
                slots.bodies.extend(bodies.iter().map(|b| a.zip(*b).map(|(a, b)| builder.slot(a, b))));
            }
            s.constraint_slots.push(slots);
        }
        for force in &s.forces {
            let bodies = force.markers().map(body);
            let mut slots = ForceSlots::default();
            for a in 0..2 {
                for b in 0..2 {
                    slots.bodies[a][b] = bodies[a].zip(bodies[b]).map(|(a, b)| builder.slot(a, b));
                }
            }
            for row in force.reaction_rows() {
                let k = s.constraints.partition_point(|c| c.first_row + c.element.rows() <= *row);
                let blocks = bodies.map(|b| b.map(|b| builder.slot(b, s.bodies.len() + k)));
                slots.reactions.push((blocks, row - s.constraints[k].first_row));
            }
            s.force_slots.push(slots);
        }
        s.pattern = Arc::new(builder.finish());
    }
}
