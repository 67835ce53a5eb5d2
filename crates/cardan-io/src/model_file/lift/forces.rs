//! Forces.

use super::super::tables::{self, Acting, Beam, Bushing, Components, Force, JointFriction, Section, SectionProperties, Sections, SixBySix};
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
            out.forces.0.push(entry(force.name(), table));
        }
        out.forces.0.extend(self.model.expression_forces().iter().map(|f| entry(&f.name, self.expressions(f))));
    }

    fn spring(&self, f: &forces::SpringDamper) -> Force {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let (stiffness, damping) = (unless_zero(f.law.stiffness), unless_zero(f.law.damping));
        let (free_length, preload) = (Some(f.law.free), unless_zero(f.law.preload));
        Force::SpringDamper(tables::SpringDamper { i, j, stiffness, damping, free_length, preload })
    }

    fn rotational_spring(&self, f: &forces::RotationalSpringDamper) -> Force {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let (stiffness, damping) = (unless_zero(f.law.stiffness), unless_zero(f.law.damping));
        let (free_angle, preload) = (Some(f.law.free), unless_zero(f.law.preload));
        Force::RotationalSpringDamper(tables::RotationalSpringDamper { i, j, stiffness, damping, free_angle, preload })
    }

    fn bushing(&self, f: &forces::Bushing) -> Force {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let preload = (f.preload != Vec6::zeros()).then(|| Components(f.preload.into()));
        Force::Bushing(Bushing {
            i,
            j,
            stiffness: six_by_six(&f.stiffness),
            damping: six_by_six(&f.damping),
            preload,
            offset: vector(&f.offset),
        })
    }

    fn beam(&self, f: &forces::Beam) -> Force {
        let [i, j] = f.markers().map(|m| self.names.of(m));
        let s = &f.section;
        let shear = (s.shear != [0.0; 2]).then_some(s.shear);
        let section = Section::Properties(SectionProperties { area: s.area, bending: s.bending, torsion: s.torsion, shear });
        Force::Beam(Beam {
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

    fn friction(&self, f: &forces::JointFriction) -> Force {
        let (static_coefficient, dynamic) = f.coefficients;
        Force::JointFriction(JointFriction {
            joint: self.joint(f.joint),
            static_coefficient,
            dynamic: Some(dynamic),
            radius: (f.coordinate() == Coordinate::Rotation).then_some(f.radius),
            transition_speed: Some(f.transition),
            preload: unless_zero(f.preload),
        })
    }

    fn expressions(&self, f: &forces::ExpressionForce) -> Force {
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
                Force::Single(tables::SingleForce { i, j, function: function(text), along })
            }
            forces::Components::Vector { functions, .. } => {
                let [x, y, z] = functions.each_ref().map(text);
                Force::Vector(tables::VectorForce { i, j, x, y, z, axes })
            }
            forces::Components::General { functions, .. } => {
                let [x, y, z, tx, ty, tz] = functions.each_ref().map(text);
                Force::General(tables::GeneralForce { i, j, x, y, z, tx, ty, tz, axes })
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
