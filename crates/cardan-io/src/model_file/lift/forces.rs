//! Forces.

use super::super::field::Entry;
use super::super::tables::{
    self, Acting, Beam, Bushing, Components, Force, ForceKind, JointFriction, Section, SectionProperties, Sections, SixBySix,
};
use super::{Lifting, entry, function, unless_zero, vector};
use cardan::constraints::Coordinate;
use cardan::forces::{self, ForceLaw, Line};
use cardan::math::{Mat6, Vec6};

impl Lifting<'_> {
    pub(super) fn forces(&self, out: &mut Sections, rust: &mut Vec<String>) {
        for force in self.model.forces() {
            let table = match force {
                forces::Force::SpringDamper(f) => self.spring(f),
                forces::Force::RotationalSpringDamper(f) => self.rotational_spring(f),
                forces::Force::Bushing(f) => self.bushing(f),
                forces::Force::Beam(f) => self.beam(f),
                forces::Force::JointFriction(f) => self.friction(f),
                _ => {
                    rust.push(format!("force '{}'", force.name()));
                    continue;
                }
            };
            out.forces.0.push(self.marked(force.name(), table));
        }
        rust.extend(self.model.pair_forces().iter().map(|force| format!("force '{}'", force.name())));
        out.forces.0.extend(self.model.expression_forces().iter().map(|f| self.marked(&f.name, self.expressions(f))));
    }

    fn marked(&self, name: &str, kind: ForceKind) -> Entry<Force> {
        entry(name, Force { kind, implicit: self.model.is_implicit(name).then_some(true) })
    }

    fn spring(&self, f: &forces::SpringDamper) -> ForceKind {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let (stiffness, damping) = (unless_zero(f.law.stiffness), unless_zero(f.law.damping));
        let (free_length, preload) = (Some(f.law.free), unless_zero(f.law.preload));
        ForceKind::SpringDamper(tables::SpringDamper { i, j, stiffness, damping, free_length, preload })
    }

    fn rotational_spring(&self, f: &forces::RotationalSpringDamper) -> ForceKind {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let (stiffness, damping) = (unless_zero(f.law.stiffness), unless_zero(f.law.damping));
        let (free_angle, preload) = (Some(f.law.free), unless_zero(f.law.preload));
        ForceKind::RotationalSpringDamper(tables::RotationalSpringDamper { i, j, stiffness, damping, free_angle, preload })
    }

    fn bushing(&self, f: &forces::Bushing) -> ForceKind {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let preload = (f.preload != Vec6::zeros()).then(|| Components(f.preload.into()));
        ForceKind::Bushing(Bushing {
            i,
            j,
            stiffness: six_by_six(&f.stiffness_matrix()),
            damping: six_by_six(&f.damping_matrix()),
            preload,
            offset: vector(&f.offset),
        })
    }

    fn beam(&self, f: &forces::Beam) -> ForceKind {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let s = &f.section;
        let shear = (s.shear != [0.0; 2]).then_some(s.shear);
        let section = Section::Properties(SectionProperties { area: s.area, bending: s.bending, torsion: s.torsion, shear });
        ForceKind::Beam(Beam {
            i,
            j,
            length: Some(f.length),
            section,
            youngs_modulus: s.youngs_modulus,
            poisson: None,
            shear_modulus: Some(s.shear_modulus),
            damping_ratio: unless_zero(f.damping_ratio),
        })
    }

    fn friction(&self, f: &forces::JointFriction) -> ForceKind {
        let (static_coefficient, dynamic) = f.coefficients;
        ForceKind::JointFriction(JointFriction {
            joint: self.joint(f.joint),
            static_coefficient,
            dynamic: Some(dynamic),
            radius: (f.coordinate() == Coordinate::Rotation).then_some(f.radius),
            transition_speed: Some(f.transition),
            preload: unless_zero(f.preload),
        })
    }

    fn expressions(&self, f: &forces::ExpressionForce) -> ForceKind {
        let (i, j) = (self.names.of(f.i), self.names.of(f.j));
        let axes = f.axes().filter(|axes| *axes != f.j).map(|axes| self.names.of(axes));
        let text = |text: &String| Some(function(text)).filter(|f| f.text != "0");
        match &f.components {
            forces::Components::Single { line, function: text } => {
                let along = match line {
                    Line::Between => None,
                    Line::Axis => Some(Acting::Axis),
                    Line::Rotation => Some(Acting::Rotation),
                };
                ForceKind::Single(tables::SingleForce { i, j, function: function(text), along })
            }
            forces::Components::Vector { functions, .. } => {
                let [x, y, z] = functions.each_ref().map(text);
                ForceKind::Vector(tables::VectorForce { i, j, x, y, z, axes })
            }
            forces::Components::General { functions, .. } => {
                let [x, y, z, tx, ty, tz] = functions.each_ref().map(text);
                ForceKind::General(tables::GeneralForce { i, j, x, y, z, tx, ty, tz, axes })
            }
        }
    }
}

fn six_by_six(m: &Mat6) -> Option<SixBySix> {
    if *m == Mat6::zeros() {
        return None;
    }
    let diagonal = m.diagonal();
    Some(match *m == Mat6::from_diagonal(&diagonal) {
        true => SixBySix::Diagonal(diagonal.into()),
        false => SixBySix::Full(Box::new(std::array::from_fn(|a| std::array::from_fn(|b| m[(a, b)])))),
    })
}
