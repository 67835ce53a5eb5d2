//! Joints, the other constraints and forces become elements of the system: handles are checked, joint rows written along
//! axes that suit the bodies, and whatever counts turns gets a slot in the memory.

use super::Compiler;
use crate::bodies::MarkerId;
use crate::constraints::{Axes, Constraint, Coordinate, Coupler, Drive, Element, JointId, Motion, Prescribed, Row, Rows, Target};
use crate::forces::{Force, ForceLaw};
use crate::math::Vec3;
use crate::model::{Extra, ModelError};
use crate::system::CompiledConstraint;

impl Compiler<'_> {
    pub(super) fn add_joints(&mut self) -> Result<(), ModelError> {
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

    /// Constraints that are not joints.
    pub(super) fn add_extras(&mut self) -> Result<(), ModelError> {
        for extra in self.model.extras() {
            match extra {
                Extra::Motion(motion) => self.add_motion(motion)?,
                Extra::Coupler(coupler) => self.add_coupler(coupler)?,
                Extra::User(user) => self.push(&user.name, user.clone()),
                Extra::Expression(constraint) => {
                    let row = self.expression_row(constraint)?;
                    self.push(&constraint.name, row);
                }
                Extra::Curve(curve) => {
                    let mut element = curve.clone();
                    element.set_slot(self.next_slot());
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

    fn add_motion(&mut self, motion: &Motion) -> Result<(), ModelError> {
        let markers = match motion.drive {
            Drive::Joint(joint) => self.joint_coordinate(&motion.name, joint, motion.coordinate)?,
            Drive::Markers(i, j) => [i, j],
        };
        let function = self.time_function(&motion.name, &motion.function)?;
        let start = motion.initial_displacement.unwrap_or(0.0);
        let function = match motion.prescribed {
            Prescribed::Displacement => function,
            Prescribed::Velocity => function.integral(start),
            Prescribed::Acceleration { initial_velocity } => function.double_integral(start, initial_velocity),
        };
        if motion.prescribed != Prescribed::Displacement && motion.initial_displacement.is_none() {
            self.floating.push(self.system.constraints.len());
        }
        let row = Row::new(motion.coordinate.label(), motion.coordinate.measure()).following(function);
        self.push_rows(&motion.name, markers.to_vec(), vec![row]);
        Ok(())
    }

    fn add_coupler(&mut self, coupler: &Coupler) -> Result<(), ModelError> {
        let mut markers = Vec::new();
        let mut row = Row { direction: "coupler", terms: vec![], target: Target::Constant(coupler.offset.unwrap_or(0.0)) };
        for (k, term) in coupler.terms.iter().enumerate() {
            markers.extend(self.joint_coordinate(&coupler.name, term.joint, term.coordinate)?);
            row = row.plus_between(term.factor, term.coordinate.measure(), 2 * k, 2 * k + 1);
        }
        if coupler.offset.is_none() {
            self.floating.push(self.system.constraints.len());
        }
        self.push_rows(&coupler.name, markers, vec![row]);
        Ok(())
    }

    pub(super) fn add_forces(&mut self) -> Result<(), ModelError> {
        for force in self.model.forces() {
            let mut force = force.clone();
            if let Force::JointFriction(friction) = &mut force {
                let name = friction.name().to_string();
                let markers = self.joint_coordinate(&name, friction.joint, friction.coordinate())?;
                friction.connect(markers, self.force_rows(friction.joint));
            }
            if let Some(slot) = force.slot() {
                *slot = self.next_slot();
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

    /// The axes of a joint between two markers: fitted to the plane if neither body tilts.
    fn axes(&self, i: MarkerId, j: MarkerId) -> Axes {
        if self.upright(i) && self.upright(j) {
            Axes::planar(&self.system.markers[j.index()].attachment.rotation().tr_mul(&Vec3::z()))
        } else {
            Axes::spatial()
        }
    }

    fn push(&mut self, name: &str, element: impl Into<Element>) {
        self.system.constraints.push(CompiledConstraint { name: name.into(), element: element.into(), first_row: 0 });
    }

    fn push_rows(&mut self, name: &str, markers: Vec<MarkerId>, mut rows: Vec<Row>) {
        for term in rows.iter_mut().flat_map(|row| &mut row.terms) {
            if let Some(slot) = term.measure.slot_mut() {
                *slot = self.next_slot();
            }
        }
        self.push(name, Rows { markers, rows });
    }

    fn check_markers(&self, name: &str, markers: &[MarkerId]) -> Result<(), ModelError> {
        let known = markers.iter().all(|m| m.index() < self.system.markers.len());
        if known { Ok(()) } else { Err(ModelError::ForeignHandle { element: name.into() }) }
    }

    /// The markers of a joint that must have this free coordinate; `name` is the element that uses it.
    fn joint_coordinate(&self, name: &str, joint: JointId, coordinate: Coordinate) -> Result<[MarkerId; 2], ModelError> {
        let joint = self.model.joints().get(joint.index()).ok_or_else(|| ModelError::ForeignHandle { element: name.into() })?;
        if joint.kind.coordinates().contains(&coordinate) {
            return Ok([joint.i, joint.j]);
        }
        let what = coordinate.label();
        let mistake = format!("joint '{}' is a {} joint and has no free coordinate '{what}'", joint.name, joint.kind.name());
        Err(ModelError::Joint { joint: name.into(), mistake })
    }
}
