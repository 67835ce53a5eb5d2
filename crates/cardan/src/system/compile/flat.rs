//! The flat arrays: which joints go there, and which markers are left to be read one by one.

use super::Compiler;
use crate::bodies::{Attachment, MarkerId, Shape};
use crate::constraints::{Constraint, Element, Row, RowTerm, Rows, Target};
use crate::forces::ForceLaw;
use crate::math::Vec3;
use crate::measures::Measure;
use crate::system::expressions::{Expression, Source};
use crate::system::flat::{Along, Dot, End, Flat, Place, PlanarAlong, PlanarDot, PlanarJoint, Points, Rod, SpatialJoint};
use crate::system::{CompiledConstraint, CompiledMarker, System};

/// A row of a joint, its directions in marker axes and with their factor.
enum Primitive {
    World(usize),
    Along(Vec3, f64),
    Dot(Vec3, Vec3, f64),
}

/// The bodies of a joint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Space,
    Plane,
}

impl Compiler<'_> {
    /// Sorts constraints and forces into flat ones and those evaluated row by row or marker by marker, and lists the markers that are read.
    pub(super) fn flatten(&mut self) {
        let s = &mut self.system;
        let mut flat = std::mem::take(&mut s.flat);
        let mut rods = Vec::new();
        let mut order: Vec<usize> = (0..s.constraints.len()).collect();
        order.sort_by_key(|k| later_body(s, &s.constraints[*k]));
        for k in order {
            let constraint = &s.constraints[k];
            if let Some(rod) = rod(s, constraint) {
                flat.rods.push(rod);
                rods.push(k);
            } else if add_joint(s, constraint, &mut flat).is_none() {
                s.by_rows.push(k);
            }
        }
        for k in 0..s.forces.len() {
            if add_force(s, k, &mut flat).is_none() {
                s.by_markers.push(k);
            }
        }
        s.flat = flat;
        s.by_rows.sort_unstable();
        s.read_markers = read_markers(s);
        s.by_rows.extend(rods);
        s.rod_markers = rod_markers(s);
    }
}

/// The last of the moving bodies that a constraint acts on.
fn later_body(s: &System, constraint: &CompiledConstraint) -> Option<usize> {
    constraint.element.markers().iter().filter_map(|m| s.carrier(*m)).max()
}

/// Adds a constraint to the flat arrays if it is one for them.
fn add_joint(s: &System, constraint: &CompiledConstraint, flat: &mut Flat) -> Option<()> {
    let Element::Rows(Rows { markers, rows }) = &constraint.element else { return None };
    let &[i, j] = markers.as_slice() else { return None };
    let markers = [&s.markers[i.index()], &s.markers[j.index()]];
    let room = room(s, markers)?;
    let attachments = markers.map(|m| &m.attachment);
    let arms = [attachments[0].fixed_offset()?, attachments[1].fixed_offset()?];
    let primitives: Vec<Primitive> = rows.iter().map(primitive).collect::<Option<_>>()?;
    let points = if room == Room::Space { 3 } else { 2 };
    let coincide = matches!(primitives[0], Primitive::World(_));
    let rest = if coincide { primitives.get(points..)? } else { &primitives[..] };
    let in_order = (0..primitives.len() - rest.len()).all(|k| matches!(primitives[k], Primitive::World(axis) if axis == k));
    let alongs = rest.iter().take_while(|p| matches!(p, Primitive::Along(..))).count();
    if !in_order || !rest[alongs..].iter().all(|p| matches!(p, Primitive::Dot(..))) {
        return None;
    }
    let (first_along, first_dot) = match room {
        Room::Space => (flat.alongs.len(), flat.dots.len()),
        Room::Plane => (flat.planar_alongs.len(), flat.planar_dots.len()),
    };
    let at = Place {
        bodies: markers.map(|m| m.body),
        row: constraint.first_row,
        rows: rows.len(),
        points: if coincide { Points::Coincide } else { Points::Free },
        alongs: first_along..first_along + alongs,
        dots: first_dot..first_dot + rest.len() - alongs,
    };
    match room {
        Room::Space => add_spatial(flat, at, attachments, arms, rest),
        Room::Plane => add_planar(flat, at, attachments, arms, rest),
    }
    Some(())
}

/// Adds a force to the flat arrays if it is one for them.
fn add_force(s: &System, number: usize, flat: &mut Flat) -> Option<()> {
    let end = |marker: MarkerId| {
        let CompiledMarker { body, attachment, .. } = &s.markers[marker.index()];
        let columns = s.moving(*body).map_or(&[][..], |b| s.bodies[b].shape.columns());
        attachment.fixed_offset().map(|offset| End { body: *body, offset, rotation: *attachment.rotation(), columns })
    };
    let [i, j] = s.forces[number].markers().map(end);
    flat.forces.push(number, [i?, j?], &s.forces[number])
}

/// The constraint as a rod, if it is one.
fn rod(s: &System, constraint: &CompiledConstraint) -> Option<Rod> {
    let Element::Rows(Rows { markers, rows }) = &constraint.element else { return None };
    let (&[i, j], [Row { terms, target: Target::Constant(target), .. }]) = (markers.as_slice(), rows.as_slice()) else { return None };
    let [RowTerm { coefficient, measure: Measure::HalfSquare, i: 0, j: 1 }] = terms.as_slice() else { return None };
    let markers = [&s.markers[i.index()], &s.markers[j.index()]];
    let bodies = markers.map(|m| m.body);
    let arms = [markers[0].attachment.fixed_offset()?, markers[1].attachment.fixed_offset()?];
    (bodies[0] != bodies[1]).then_some(Rod { bodies, arms, row: constraint.first_row, scale: *coefficient, target: *target })
}

fn add_spatial(flat: &mut Flat, at: Place, [i, j]: [&Attachment; 2], arms: [Vec3; 2], rows: &[Primitive]) {
    for row in rows {
        match row {
            Primitive::World(_) => {}
            Primitive::Along(b, target) => flat.alongs.push(Along { b: j.rotation() * b, target: *target }),
            Primitive::Dot(a, b, target) => flat.dots.push(Dot { a: i.rotation() * a, b: j.rotation() * b, target: *target }),
        }
    }
    flat.spatial.push(SpatialJoint { at, arms });
}

/// What is out of the plane never changes: it goes to the targets.
fn add_planar(flat: &mut Flat, at: Place, [i, j]: [&Attachment; 2], arms: [Vec3; 2], rows: &[Primitive]) {
    for row in rows {
        match row {
            Primitive::World(_) => {}
            Primitive::Along(b, target) => {
                let b = j.rotation() * b;
                flat.planar_alongs.push(PlanarAlong { b: b.xy(), target: target - b.z * (arms[0].z - arms[1].z) });
            }
            Primitive::Dot(a, b, target) => {
                let (a, b) = (i.rotation() * a, j.rotation() * b);
                flat.planar_dots.push(PlanarDot { a: a.xy(), b: b.xy(), target: target - a.z * b.z });
            }
        }
    }
    flat.planar.push(PlanarJoint { at, arms: arms.map(|s| s.xy()) });
}

/// Whether the joint is between two rigid or two planar bodies, one of which may be the ground.
fn room(s: &System, markers: [&CompiledMarker; 2]) -> Option<Room> {
    let [i, j] = markers.map(|m| s.moving(m.body).map(|b| &s.bodies[b].shape));
    let all = |fits: fn(&Shape) -> bool| i.is_none_or(fits) && j.is_none_or(fits);
    if markers[0].body == markers[1].body {
        None
    } else if all(|shape| matches!(shape, Shape::Rigid(_))) {
        Some(Room::Space)
    } else if all(|shape| matches!(shape, Shape::Planar(_))) {
        Some(Room::Plane)
    } else {
        None
    }
}

/// The row as a primitive, if it is one measure of i and j held at a constant.
fn primitive(row: &Row) -> Option<Primitive> {
    let ([RowTerm { coefficient, measure, i: 0, j: 1 }], Target::Constant(target)) = (row.terms.as_slice(), &row.target) else {
        return None;
    };
    match measure {
        Measure::World(axis) if *coefficient == 1.0 && *target == 0.0 => Some(Primitive::World(*axis)),
        Measure::Along(b) => Some(Primitive::Along(b * *coefficient, *target)),
        Measure::Dot(a, b) => Some(Primitive::Dot(a * *coefficient, *b, *target)),
        _ => None,
    }
}

/// The markers that constraints, forces, expressions and remembered angles read, in order.
fn read_markers(s: &System) -> Vec<usize> {
    let constraints = s.by_rows.iter().flat_map(|k| s.constraints[*k].element.markers().iter().copied());
    let laws = s.by_markers.iter().flat_map(|k| s.forces[*k].markers());
    let forces = laws.chain(s.pair_forces.iter().flat_map(|f| f.markers().iter().copied()));
    let acting = s.expressions.iter().flat_map(|f| f.reads.markers.iter().chain(&f.markers)).copied();
    let rates = s.states.iter().flat_map(|x| x.reads.markers.iter().copied());
    let components = s.expressions.iter().flat_map(|f| f.components.iter().map(|c| &c.1));
    let quantities = components.chain(s.states.iter().map(|x| &x.expression)).flat_map(quantity_markers);
    let angles = s.angles.iter().flat_map(|a| a.markers);
    let all = constraints.chain(forces).chain(acting).chain(rates).chain(quantities).chain(angles);
    let mut markers: Vec<usize> = all.map(MarkerId::index).collect();
    markers.sort_unstable();
    markers.dedup();
    markers
}

/// The markers that only the tangent and the bias of rods read.
fn rod_markers(s: &System) -> Vec<usize> {
    let rods = &s.by_rows[s.by_rows.len() - s.flat.rods.len()..];
    let ends = rods.iter().flat_map(|k| s.constraints[*k].element.markers().iter().map(|m| m.index()));
    let mut markers: Vec<usize> = ends.filter(|m| s.read_markers.binary_search(m).is_err()).collect();
    markers.sort_unstable();
    markers.dedup();
    markers
}

fn quantity_markers(e: &Expression) -> impl Iterator<Item = MarkerId> {
    e.sources.iter().filter_map(|s| if let Source::Motion { quantity, .. } = s { Some(quantity.markers) } else { None }).flatten()
}
