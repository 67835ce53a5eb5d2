//! Lengths of bodies and of what they belong to.

use super::{CompiledMarker, System};
use crate::bodies::{Attached, BodyFrame, Kind, MarkerId};
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::math::Vec3;

impl System {
    /// For every body the length of the mechanism it belongs to, m: the largest radius of gyration, distance of a marker from the centre of
    /// mass, or distance between the markers of an element, of all bodies that elements connect with each other but by the ground. Zero
    /// where nothing tells.
    pub fn mechanism_lengths(&self, q: &[f64]) -> Vec<f64> {
        let mut own = self.own_lengths();
        let mut group: Vec<usize> = (0..self.bodies.len()).collect();
        let elements = self.constraints.iter().map(|c| c.element.markers().to_vec());
        let forces = self.forces.iter().map(|f| f.markers().to_vec());
        for markers in elements.chain(forces).chain(self.expressions.iter().map(|f| f.markers.to_vec())) {
            let span = self.span(&markers, q);
            let bodies: Vec<usize> = markers.iter().filter_map(|m| self.carrier(*m)).collect();
            for b in &bodies {
                own[*b] = own[*b].max(span);
                let (a, b) = (root(&group, bodies[0]), root(&group, *b));
                group[b] = a;
            }
        }
        let mut largest = vec![0.0_f64; own.len()];
        for (b, length) in own.iter().enumerate() {
            let r = root(&group, b);
            largest[r] = largest[r].max(*length);
        }
        (0..own.len()).map(|b| largest[root(&group, b)]).collect()
    }

    /// Where a marker is.
    fn marker_position(&self, marker: usize, q: &[f64]) -> Vec3 {
        let CompiledMarker { body, attachment: at, .. } = &self.markers[marker];
        let Some(body) = self.moving(*body).map(|b| &self.bodies[b]) else { return at.standing().p };
        let (shape, q, still) = (&body.shape, &q[body.q()], vec![0.0; body.shape.nv()]);
        let (frame, deformed) = (BodyFrame::of(shape, q, &still), at.deformed(shape, q, &still));
        Attached { shape, at, frame: &frame, deformed: &deformed }.state().p
    }

    /// The largest distance from the first of some markers to the others.
    fn span(&self, markers: &[MarkerId], q: &[f64]) -> f64 {
        let place = |m: &MarkerId| self.marker_position(m.index(), q);
        let first = markers.first().map(place);
        markers.iter().map(|m| first.map_or(0.0, |p| (place(m) - p).norm())).fold(0.0, f64::max)
    }
}

fn root(group: &[usize], mut b: usize) -> usize {
    while group[b] != b {
        b = group[b];
    }
    b
}
