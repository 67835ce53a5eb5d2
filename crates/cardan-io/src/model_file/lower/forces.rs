//! Forces.

use super::super::field::{Function, Name};
use super::super::problem::Span;
use super::super::tables::{self, Acting, Force, ForceKind, Freedom, Section, SixBySix};
use super::Lowering;
use cardan::bodies::MarkerId;
use cardan::constraints::Coordinate;
use cardan::forces::{self, COMPONENTS, ExpressionForce, ForceLaw, Line};
use cardan::math::Mat6;
use cardan::measures::Measure;

impl Lowering<'_> {
    pub(super) fn force(&mut self, name: &str, span: &Span, t: &Force) -> Option<()> {
        self.place("force", name, span)?;
        self.plain_force(name, span, &t.kind)?;
        if t.implicit == Some(true) {
            self.model.mark_implicit(name);
        }
        Some(())
    }

    fn plain_force(&mut self, name: &str, span: &Span, t: &ForceKind) -> Option<()> {
        let force = match t {
            ForceKind::SpringDamper(t) => self.spring(name, t)?.into(),
            ForceKind::RotationalSpringDamper(t) => self.rotational_spring(name, t)?.into(),
            ForceKind::Bushing(t) => self.bushing(name, t)?.into(),
            ForceKind::Beam(t) => self.beam(name, span, t)?.into(),
            ForceKind::JointFriction(t) => self.friction(name, span, t)?.into(),
            ForceKind::Single(t) => return self.single(name, t),
            ForceKind::Vector(t) => {
                let functions = self.components(name, [&t.x, &t.y, &t.z]);
                let ([i, j], axes) = self.axes(&t.i, &t.j, &t.axes)?;
                self.model.add_force(ExpressionForce::vector(name, i, j, axes, functions));
                return Some(());
            }
            ForceKind::General(t) => {
                let functions = self.components(name, [&t.x, &t.y, &t.z, &t.tx, &t.ty, &t.tz]);
                let ([i, j], axes) = self.axes(&t.i, &t.j, &t.axes)?;
                self.model.add_force(ExpressionForce::general(name, i, j, axes, functions));
                return Some(());
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

    fn single(&mut self, name: &str, t: &tables::SingleForce) -> Option<()> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let line = match t.along {
            None | Some(Acting::Line) => Line::Between,
            Some(Acting::Axis) => Line::Axis,
            Some(Acting::Rotation) => Line::Rotation,
        };
        let function = self.text("force", name, "function", &t.function);
        self.model.add_force(ExpressionForce::single(name, i, j, line, function));
        Some(())
    }

    /// The texts of components; those left out are zero.
    fn components<const N: usize>(&mut self, name: &str, functions: [&Option<Function>; N]) -> [String; N] {
        std::array::from_fn(|k| functions[k].as_ref().map_or("0".into(), |f| self.text("force", name, COMPONENTS[k], f)))
    }

    /// Both markers and the one whose axes are used.
    fn axes(&mut self, i: &Name, j: &Name, axes: &Option<Name>) -> Option<([MarkerId; 2], MarkerId)> {
        let both = self.both(i, j);
        let axes = match axes {
            Some(axes) => self.marker(axes),
            None => both.map(|[_, j]| j),
        };
        Some((both?, axes?))
    }

    fn spring(&mut self, name: &str, t: &tables::SpringDamper) -> Option<forces::SpringDamper> {
        let [i, j] = self.both(&t.i, &t.j)?;
        let free = t.free_length.unwrap_or_else(|| self.measured(&Measure::Distance, i, j));
        let spring =
            forces::SpringDamper::new(name, i, j).stiffness(t.stiffness.unwrap_or_default()).damping(t.damping.unwrap_or_default());
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
            (Coordinate::Rotation, None) => {
                return self.problem(span, format!("friction '{name}': the joint turns"), "needs the pin's 'radius'");
            }
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
