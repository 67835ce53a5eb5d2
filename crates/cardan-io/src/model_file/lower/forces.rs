//! Forces.

use super::super::field::Name;
use super::super::problem::Span;
use super::super::tables::{self, Force, Freedom, Section, SixBySix};
use super::{Lowering, Sort};
use cardan::bodies::MarkerId;
use cardan::constraints::Coordinate;
use cardan::forces::{self, ForceLaw};
use cardan::math::Mat6;
use cardan::measures::Measure;

impl Lowering<'_> {
    pub(super) fn force(&mut self, name: &str, span: &Span, t: &Force) -> Option<()> {
        self.place(Sort::Force, name, span)?;
        let force = match t {
            Force::SpringDamper(t) => self.spring(name, t)?.into(),
            Force::RotationalSpringDamper(t) => self.rotational_spring(name, t)?.into(),
            Force::Bushing(t) => self.bushing(name, t)?.into(),
            Force::Beam(t) => self.beam(name, span, t)?.into(),
            Force::JointFriction(t) => self.friction(name, span, t)?.into(),
            Force::Single(_) | Force::Vector(_) | Force::General(_) => {
                return self.problem(span, format!("force '{name}': functions cannot be read yet"), "this force");
            }
        };
        self.add_force(span, force)
    }

    fn add_force(&mut self, span: &Span, force: forces::Force) -> Option<()> {
        if let Some(mistake) = force.mistake() {
            return self.problem(span, format!("force '{}': {mistake}", force.name()), "this force");
        }
        self.model.add_force(force);
        Some(())
    }

    pub(super) fn both(&mut self, i: &Name, j: &Name) -> Option<[MarkerId; 2]> {
        let (i, j) = (self.marker(i), self.marker(j));
        Some([i?, j?])
    }

    fn spring(&mut self, name: &str, t: &tables::SpringDamper) -> Option<forces::SpringDamper> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let free = t.free_length.unwrap_or_else(|| self.measured(&Measure::Distance, i, j));
        let spring = forces::SpringDamper::new(name, i, j).stiffness(t.stiffness.unwrap_or_default()).damping(t.damping.unwrap_or_default());
        Some(spring.free_length(free).preload(t.preload.unwrap_or_default()))
    }

    fn rotational_spring(&mut self, name: &str, t: &tables::RotationalSpringDamper) -> Option<forces::RotationalSpringDamper> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let free = t.free_angle.unwrap_or_else(|| self.measured(&Measure::angle(), i, j));
        let spring = forces::RotationalSpringDamper::new(name, i, j);
        let spring = spring.stiffness(t.stiffness.unwrap_or_default()).damping(t.damping.unwrap_or_default());
        Some(spring.free_angle(free).preload(t.preload.unwrap_or_default()))
    }

    fn bushing(&mut self, name: &str, t: &tables::Bushing) -> Option<forces::Bushing> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let mut bushing = forces::Bushing::new(name, i, j).offset(t.offset.unwrap_or_default());
        if let Some(k) = &t.stiffness {
            bushing = bushing.stiffness(matrix(k));
        }
        if let Some(c) = &t.damping {
            bushing = bushing.damping(matrix(c));
        }
        let [x, y, z, tx, ty, tz] = t.preload.map_or([0.0; 6], |p| p.0);
        Some(bushing.preload([x, y, z], [tx, ty, tz]))
    }

    fn beam(&mut self, name: &str, span: &Span, t: &tables::Beam) -> Option<forces::Beam> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let e = t.youngs_modulus;
        let poisson = match (t.poisson, t.shear_modulus) {
            (Some(poisson), None) => poisson,
            (None, Some(g)) => e / (2.0 * g) - 1.0,
            _ => return self.problem(span, format!("beam '{name}': give either poisson or shear_modulus"), "one of them"),
        };
        let mut section = match &t.section {
            Section::Round(s) => forces::Section::round(s.radius, e, poisson),
            Section::Rectangle(s) => forces::Section::rectangle(s.width, s.height, e, poisson),
            Section::Properties(s) => {
                let shear_modulus = e / (2.0 * (1.0 + poisson));
                let (area, bending, torsion) = (s.area, s.bending, s.torsion);
                forces::Section { area, bending, torsion, shear: s.shear.unwrap_or_default(), youngs_modulus: e, shear_modulus }
            }
        };
        if let Some(g) = t.shear_modulus {
            section.shear_modulus = g;
        }
        let length = t.length.unwrap_or_else(|| self.measured(&Measure::Distance, i, j));
        Some(forces::Beam::new(name, i, j, length, section).damping_ratio(t.damping_ratio.unwrap_or_default()))
    }

    fn friction(&mut self, name: &str, span: &Span, t: &tables::JointFriction) -> Option<forces::JointFriction> {
        let joint = self.find_joint(&t.joint)?;
        let given = t.radius.map(|_| Freedom::Rotation);
        let coordinate = self.coordinate(joint, given.or(self.slides(joint)), &t.joint.span)?;
        let dynamic = t.dynamic.unwrap_or(t.static_coefficient);
        let friction = match (coordinate, t.radius) {
            (Coordinate::Rotation, Some(radius)) => forces::JointFriction::pin(name, joint, radius, t.static_coefficient, dynamic),
            (Coordinate::Translation, _) => forces::JointFriction::sliding(name, joint, t.static_coefficient, dynamic),
            (Coordinate::Rotation, None) => return self.problem(span, format!("friction '{name}': the joint turns"), "needs the pin's 'radius'"),
        };
        let friction = friction.preload(t.preload.unwrap_or_default());
        Some(match t.transition_speed {
            Some(speed) => friction.transition_speed(speed),
            None => friction,
        })
    }

    /// A joint that slides and turns has friction against sliding where no radius is given.
    fn slides(&self, joint: cardan::constraints::JointId) -> Option<Freedom> {
        let free = self.model.joints()[joint.index()].kind.coordinates();
        free.contains(&Coordinate::Translation).then_some(Freedom::Translation)
    }
}

fn matrix(table: &SixBySix) -> Mat6 {
    match table {
        SixBySix::Diagonal(k) => Mat6::from_diagonal(&(*k).into()),
        SixBySix::Full(rows) => Mat6::from_fn(|a, b| rows[a][b]),
    }
}
