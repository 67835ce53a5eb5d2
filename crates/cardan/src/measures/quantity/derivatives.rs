//! Derivatives of quantities (equations 1 to 5 of the room above).

use super::super::Past;
use super::{Angle, Component, Depth, Gradients, Motion, Quantity, QuantityKind, Vector, column, direction, parts};
use crate::bodies::MarkerState;
use crate::math::{Mat3, Mat6, Vec3, skew};
use crate::measures::scalar::{self, Hessian, Measure};

impl Quantity {
    /// Adds scale · derivatives to `out`, where `at[a]` is the number of marker a of i, j, k, l.
    #[inline]
    pub fn add_gradient<G: Gradients + ?Sized>(&self, m: &Motion, scale: f64, at: &[usize; 4], out: &mut G) {
        use Depth::{Position, Velocity};
        match self.kind {
            QuantityKind::Of(vector, part) => {
                let w = self.vector(vector, m);
                let e = match part {
                    Component::Size => direction(&w) * scale,
                    Component::Axis(k) => {
                        let e = self.axis(k, m) * scale;
                        out.add(at[2], Position, 3, &e.cross(&w));
                        e
                    }
                };
                self.add_vector_gradient(vector, m, &e, at, out);
            }
            QuantityKind::DistanceRate => {
                let [i, j] = self.pair(m);
                let (d, u) = (i.p - j.p, i.v - j.v);
                let length = d.norm();
                if length > 0.0 {
                    let n = d / length;
                    relative(at, out, Position, 0, &((u - n * n.dot(&u)) * (scale / length)));
                    relative(at, out, Velocity, 0, &(n * scale));
                }
            }
            QuantityKind::Angle(angle) => relative(at, out, Position, 3, &(self.angle_gradient(angle, m) * scale)),
        }
    }

    /// e·∂w of equations 1 to 3.
    #[inline]
    fn add_vector_gradient<G: Gradients + ?Sized>(&self, vector: Vector, m: &Motion, e: &Vec3, at: &[usize; 4], out: &mut G) {
        use Depth::{Acceleration, Position, Velocity};
        let [i, j] = self.pair(m);
        let l = &m.markers[self.markers[3].index()];
        let d = i.p - j.p;
        match vector {
            Vector::Displacement => relative(at, out, Position, 0, e),
            Vector::Velocity => {
                relative(at, out, Velocity, 0, e);
                relative(at, out, Position, 0, &l.w.cross(e));
                out.add(at[3], Velocity, 3, &e.cross(&d));
            }
            Vector::AngularVelocity => relative(at, out, Velocity, 3, e),
            Vector::Acceleration => {
                let (u, turned) = (i.v - j.v, l.w.cross(e));
                let alpha = m.accelerations[self.markers[3].index()].1;
                relative(at, out, Acceleration, 0, e);
                relative(at, out, Velocity, 0, &(turned * 2.0));
                relative(at, out, Position, 0, &(alpha.cross(e) + l.w.cross(&turned)));
                out.add(at[3], Acceleration, 3, &e.cross(&d));
                out.add(at[3], Velocity, 3, &(e.cross(&u) * 2.0 + l.w.cross(&d).cross(e) - d.cross(&turned)));
            }
            Vector::AngularAcceleration => {
                relative(at, out, Acceleration, 3, e);
                relative(at, out, Velocity, 3, &l.w.cross(e));
                out.add(at[3], Velocity, 3, &e.cross(&(i.w - j.w)));
            }
        }
    }

    /// By the rotation of i; that by the rotation of j is the opposite.
    fn angle_gradient(&self, angle: Angle, m: &Motion) -> Vec3 {
        let [i, j] = self.pair(m);
        match (angle, parts(angle)) {
            (Angle::Theta, _) => -direction(&column(i, 2).cross(&column(j, 2))),
            (Angle::Pitch, _) => {
                let sine = column(i, 0).dot(&column(j, 2));
                column(i, 0).cross(&column(j, 2)) / (1.0 - sine * sine).sqrt()
            }
            (_, [sine, cosine]) => {
                let (s, c) = (sine.dot(i, j), cosine.dot(i, j));
                (sine.cross(i, j) * c - cosine.cross(i, j) * s) / (s * s + c * c)
            }
        }
    }

    /// Adds scale · ∂²s/∂x_a∂x_b of a quantity of poses to `out[at[a] * n + at[b]]`.
    pub fn add_hessian(&self, m: &Motion, scale: f64, at: &[usize; 4], n: usize, out: &mut [Mat6]) {
        let [i, j] = self.pair(m);
        let h = match self.kind {
            QuantityKind::Of(_, Component::Axis(k)) => return self.add_component_hessian(k, m, scale, at, n, out),
            QuantityKind::Angle(angle) => angle_hessian(angle, i, j),
            _ => Measure::Distance.hessian(i, j),
        };
        for a in 0..2 {
            for b in 0..2 {
                out[at[a] * n + at[b]] += h[a][b] * scale;
            }
        }
    }

    /// Of e_k·d, in which three markers may meet.
    fn add_component_hessian(&self, axis: usize, m: &Motion, scale: f64, at: &[usize; 4], n: usize, out: &mut [Mat6]) {
        let [i, j] = self.pair(m);
        let (e, d) = (skew(&(self.axis(axis, m) * scale)), skew(&(i.p - j.p)));
        let [i, j, k, _] = *at;
        let mut put = |a: usize, b: usize, row: usize, column: usize, block: &Mat3| {
            let mut view = out[a * n + b].fixed_view_mut::<3, 3>(row, column);
            view += block;
        };
        put(i, k, 0, 3, &-e);
        put(j, k, 0, 3, &e);
        put(k, i, 3, 0, &e);
        put(k, j, 3, 0, &-e);
        put(k, k, 3, 3, &(d * e));
    }
}

fn angle_hessian(angle: Angle, i: &MarkerState, j: &MarkerState) -> Hessian {
    let [sine, cosine] = parts(angle).map(|axes| Measure::Dot(Vec3::ith(axes.i, axes.sign), Vec3::ith(axes.j, 1.0)));
    let (s, g) = sine.evaluate(i, j, Past::NONE);
    let (first, second) = match angle {
        Angle::Theta => (-(1.0 - s * s).powf(-0.5), -s * (1.0 - s * s).powf(-1.5)),
        Angle::Pitch => ((1.0 - s * s).powf(-0.5), s * (1.0 - s * s).powf(-1.5)),
        _ => return scalar::angle_hessian(&sine, &cosine, i, j),
    };
    let h = sine.hessian(i, j);
    std::array::from_fn(|a| std::array::from_fn(|b| h[a][b] * first + g[a] * g[b].transpose() * second))
}

/// Adds g for marker i and −g for marker j.
#[inline]
fn relative<G: Gradients + ?Sized>(at: &[usize; 4], out: &mut G, by: Depth, first: usize, g: &Vec3) {
    out.add(at[0], by, first, g);
    out.add(at[1], by, first, &-g);
}
