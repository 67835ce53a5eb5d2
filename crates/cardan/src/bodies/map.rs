//! How the twist of a marker depends on the velocities and increments of its body. All maps have the form
//!
//! ```text
//! [ s I  X  E ]      J = [ I  −R p̂  R Φ ; 0  R  R T Ψ ],     D = ∂(J v)/∂q = [ 0  −R û  R ω̂ Φ ; 0  −R ŵ  R W Ψ ]       (1)
//! [ 0    Y    ]
//! ```
//!
//! with p the marker's arm in body axes, u = ω × p + Φ η̇, w = ω + T Ψ η̇ its velocities there, and W = ∂(T Ψ η̇)/∂θ. The six columns of the
//! frame need half the work of a full matrix; a kind of body has some of them. E is there for flexible bodies only. What deformation does to a
//! wrench at the marker, at a fixed wrench with f = Rᵀ force and τ = Rᵀ torque, is the geometric stiffness
//!
//! ```text
//! ∂(Jᵀ w)/∂q  rows of rotations  (p̂ f̂ + τ̂) δφ − f̂ Φ δη                                                      (2)
//!             rows of η̇          (Φᵀ f̂ + Ψᵀ Tᵀ τ̂) δφ + Ψᵀ ∂(Tᵀ τ)/∂θ Ψ δη
//! ```

use super::attachment::{Attached, Deformed, combine};
use super::{BodyFrame, Kind, ModeShapes};
use crate::math::jet::{JetVec3, rotation, spin};
use crate::math::{Jet, Mat3, Mat6, Vec3, Vec6, angular, left_tangent, left_tangent_slope, linear, skew, stack};

/// A map of the form (1).
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Which of the frame's six columns the body has.
    columns: &'static [usize],
    s: f64,
    x: Mat3,
    y: Mat3,
    /// E, six numbers a column.
    elastic: Vec<f64>,
}

/// The maps of a marker for one tangent.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkerMaps {
    /// J.
    pub j: Map,
    /// J T, with T the tangent of the retraction.
    pub jt: Map,
    /// c_q D T + c_v J.
    pub rate: Map,
}

impl MarkerMaps {
    /// Maps of nothing.
    pub fn zero() -> Self {
        Self { j: Map::zero(), jt: Map::zero(), rate: Map::zero() }
    }

    /// The maps of a marker, for the tangent T of the retraction and the weights c_q and c_v.
    pub fn set(&mut self, marker: &Attached, turn: &Mat3, [c_q, c_v]: [f64; 2]) {
        let (BodyFrame { r, omega, .. }, arm) = (marker.frame, marker.arm());
        let (x, y) = (-r * skew(arm), *r);
        let (mut u, mut w) = (omega.cross(arm), *omega);
        if marker.at.shapes.is_some() {
            u += marker.deformed.p_dot;
            w += marker.spin();
        }
        let (turned_x, turned_y) = (r * skew(&u) * turn, r * skew(&w) * turn);
        let columns = marker.shape.columns();
        self.j.set(columns, 1.0, x, y);
        self.jt.set(columns, 1.0, x * turn, y * turn);
        self.rate.set(columns, c_v, x * c_v - turned_x * c_q, y * c_v - turned_y * c_q);
        if let Some(shapes) = &marker.at.shapes {
            let Deformed { theta, theta_dot, .. } = marker.deformed;
            let (t, slope) = (left_tangent(theta), left_tangent_slope(theta, theta_dot));
            self.j.set_elastic(shapes, r, &(r * t));
            self.jt.elastic.clone_from(&self.j.elastic);
            let by_displacement = r * (Mat3::identity() * c_v + skew(omega) * c_q);
            self.rate.set_elastic(shapes, &by_displacement, &(r * (t * c_v + slope * c_q)));
        }
    }
}

impl Map {
    /// A map of nothing.
    pub fn zero() -> Self {
        Self { columns: &[], s: 0.0, x: Mat3::zeros(), y: Mat3::zeros(), elastic: Vec::new() }
    }

    #[inline]
    fn set(&mut self, columns: &'static [usize], s: f64, x: Mat3, y: Mat3) {
        (self.columns, self.s, self.x, self.y) = (columns, s, x, y);
        self.elastic.clear();
    }

    /// E = (A Φ, B Ψ).
    fn set_elastic(&mut self, shapes: &ModeShapes, a: &Mat3, b: &Mat3) {
        self.elastic.clear();
        for (phi, psi) in shapes.displacement.column_iter().zip(shapes.rotation.column_iter()) {
            self.elastic.extend_from_slice(stack(a * phi, b * psi).as_slice());
        }
    }

    /// c_q E T + c_v F + c_a J, with E and F the derivatives of a marker's acceleration by coordinates and velocities of its body, whose
    /// velocities change by `a`.
    pub fn set_acceleration(&mut self, marker: &Attached, turn: &Mat3, a: &[f64], [c_q, c_v, c_a]: [f64; 3]) {
        let (BodyFrame { r, omega, .. }, arm) = (marker.frame, marker.arm());
        let (center, _) = marker.shape.twist(a);
        let (of_origin, turning) = marker.acceleration(a);
        let local = [r.tr_mul(&(of_origin - center)), r.tr_mul(&turning)];
        let (mut by_omega, mut spin) = (skew(&omega.cross(arm)) + skew(omega) * skew(arm), Vec3::zeros());
        if marker.at.shapes.is_some() {
            by_omega += skew(&marker.deformed.p_dot) * 2.0;
            spin = marker.spin();
        }
        let x = r * (skew(&local[0]) * turn * -c_q - by_omega * c_v - skew(arm) * c_a);
        let y = r * (skew(&local[1]) * turn * -c_q - skew(&spin) * c_v + Mat3::identity() * c_a);
        self.set(marker.shape.columns(), c_a, x, y);
        if let Some(shapes) = &marker.at.shapes {
            let (_, alpha) = marker.shape.twist(a);
            let theta_ddot = combine(&shapes.rotation, marker.shape.elastic(a));
            let [by_theta, by_rate] = spin_acceleration_slopes(marker.deformed, &theta_ddot);
            let Deformed { theta, theta_dot, .. } = marker.deformed;
            let (o, t, slope) = (skew(omega), left_tangent(theta), left_tangent_slope(theta, theta_dot));
            let of_displacement = (skew(&alpha) + o * o) * c_q + o * (2.0 * c_v) + Mat3::identity() * c_a;
            let of_rotation = (o * slope + by_theta) * c_q + (o * t + by_rate) * c_v + t * c_a;
            self.set_elastic(shapes, &(r * of_displacement), &(r * of_rotation));
        }
    }

    /// mapᵀ g of the frame's six columns.
    #[inline]
    fn frame_row(&self, g: &Vec6) -> Vec6 {
        stack(linear(g) * self.s, self.x.tr_mul(&linear(g)) + self.y.tr_mul(&angular(g)))
    }

    /// out += scale · mapᵀ g, for all velocities of the body.
    #[inline]
    pub fn pull_back<'a>(&self, g: &Vec6, scale: f64, out: impl IntoIterator<Item = &'a mut f64>) {
        let (six, mut out) = (self.frame_row(g), out.into_iter());
        for (column, out) in self.columns.iter().zip(out.by_ref()) {
            *out += scale * six[*column];
        }
        for (e, out) in self.elastic.chunks_exact(6).zip(out) {
            *out += scale * dot(e, g.as_slice());
        }
    }

    /// The same into a column of a block; bodies with the six velocities of the frame are common, and quicker.
    #[inline]
    pub fn add_column(&self, g: &Vec6, scale: f64, out: &mut [f64]) {
        match <&mut [f64; 6]>::try_from(&mut *out) {
            Ok(six) if self.columns.len() == 6 => six.iter_mut().zip(self.frame_row(g).iter()).for_each(|(out, x)| *out += scale * x),
            _ => self.pull_back(g, scale, out),
        }
    }

    /// map · δ.
    pub fn times(&self, delta: &[f64]) -> Vec6 {
        let mut six = Vec6::zeros();
        self.columns.iter().zip(delta).for_each(|(column, x)| six[*column] = *x);
        let mut out = stack(linear(&six) * self.s + self.x * angular(&six), self.y * angular(&six));
        for (e, x) in self.elastic.chunks_exact(6).zip(&delta[self.columns.len().min(delta.len())..]) {
            (0..6).for_each(|k| out[k] += e[k] * x);
        }
        out
    }

    /// block += scale · mapᵀ m right, with the velocities of both bodies.
    #[inline]
    pub fn add_product(&self, m: &Mat6, right: &Map, scale: f64, block: &mut [f64]) {
        let (six, rows) = (self.sandwich(m, right), self.velocities());
        for (c, column) in right.columns.iter().enumerate() {
            for (r, row) in self.columns.iter().enumerate() {
                block[c * rows + r] += scale * six[(*row, *column)];
            }
        }
        if !(self.elastic.is_empty() && right.elastic.is_empty()) {
            self.add_elastic_product(m, right, scale, block);
        }
    }

    /// The columns of the right map's E, and the rows of this map's E beside the columns of the right map's frame.
    fn add_elastic_product(&self, m: &Mat6, right: &Map, scale: f64, block: &mut [f64]) {
        let (rows, first) = (self.velocities(), right.columns.len());
        for (c, e) in right.elastic.chunks_exact(6).enumerate() {
            let column = &mut block[(first + c) * rows..][..rows];
            self.pull_back(&(m * Vec6::from_column_slice(e)), scale, column);
        }
        for (r, e) in self.elastic.chunks_exact(6).enumerate() {
            let row = right.frame_row(&m.tr_mul(&Vec6::from_column_slice(e)));
            for (c, column) in right.columns.iter().enumerate() {
                block[c * rows + self.columns.len() + r] += scale * row[*column];
            }
        }
    }

    /// m times the column of a velocity of the body.
    #[inline]
    pub fn times_column(&self, m: &Mat6, velocity: usize) -> Vec6 {
        match self.columns.get(velocity) {
            Some(k) if *k < 3 => m.column(*k) * self.s,
            Some(k) => m.fixed_columns::<3>(0) * self.x.column(k - 3) + m.fixed_columns::<3>(3) * self.y.column(k - 3),
            None => m * Vec6::from_column_slice(self.elastic_column(velocity)),
        }
    }

    /// The velocity of the marker's origin in the column of a velocity of the body.
    #[inline]
    pub fn shift(&self, velocity: usize) -> Vec3 {
        match self.columns.get(velocity) {
            Some(k) if *k < 3 => Vec3::ith(*k, self.s),
            Some(k) => self.x.column(k - 3).into_owned(),
            None => Vec3::from_column_slice(&self.elastic_column(velocity)[..3]),
        }
    }

    fn elastic_column(&self, velocity: usize) -> &[f64] {
        &self.elastic[6 * (velocity - self.columns.len())..][..6]
    }

    /// Number of the body's velocities.
    pub fn velocities(&self) -> usize {
        self.columns.len() + self.elastic.len() / 6
    }

    /// mapᵀ m right of the frames. Blocks between displacements only are common, and quicker.
    #[inline]
    fn sandwich(&self, m: &Mat6, right: &Map) -> Mat6 {
        let quarter = |row: usize, column: usize| m.fixed_view::<3, 3>(row, column).into_owned();
        let (a, b, c, d) = (quarter(0, 0), quarter(0, 3), quarter(3, 0), quarter(3, 3));
        let mut top = [a * right.s, a * right.x];
        let mut bottom = [self.x.tr_mul(&top[0]), Mat3::zeros()];
        if [&b, &c, &d].iter().all(|q| q.iter().all(|x| *x == 0.0)) {
            bottom[1] = self.x.tr_mul(&top[1]);
        } else {
            top[1] += b * right.y;
            bottom[0] += self.y.tr_mul(&c) * right.s;
            bottom[1] = self.x.tr_mul(&top[1]) + self.y.tr_mul(&(c * right.x + d * right.y));
        }
        let mut out = Mat6::zeros();
        for k in 0..2 {
            out.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(&(top[k] * self.s));
            out.fixed_view_mut::<3, 3>(3, 3 * k).copy_from(&bottom[k]);
        }
        out
    }
}

impl Attached<'_> {
    /// block += scale · ∂(Jᵀ w)/∂q T at a fixed wrench (2).
    pub fn add_geometric_stiffness(&self, w: &Vec6, turn: &Mat3, scale: f64, block: &mut [f64]) {
        let r = &self.frame.r;
        let (f, tau) = (r.tr_mul(&linear(w)), r.tr_mul(&angular(w)));
        self.shape.add_turning(&((skew(&tau) + skew(self.arm()) * skew(&f)) * turn), scale, block);
        let Some(shapes) = &self.at.shapes else { return };
        let (rows, first) = (self.shape.nv(), self.shape.elastic_range().start);
        let (t, curve) = (left_tangent(&self.deformed.theta), -left_tangent_slope(&-self.deformed.theta, &tau));
        let by_turn = [skew(&f) * turn, t.tr_mul(&skew(&tau)) * turn];
        for (j, (phi, psi)) in shapes.displacement.column_iter().zip(shapes.rotation.column_iter()).enumerate() {
            let (torque, row, bent) = (phi.cross(&f), by_turn[0].tr_mul(&phi) + by_turn[1].tr_mul(&psi), curve * psi);
            for k in 0..3 {
                block[(first + j) * rows + 3 + k] += scale * torque[k];
                block[(3 + k) * rows + first + j] += scale * row[k];
            }
            for (i, psi) in shapes.rotation.column_iter().enumerate() {
                block[(first + j) * rows + first + i] += scale * psi.dot(&bent);
            }
        }
    }
}

/// The derivatives of (T θ̇)˙ by θ and by θ̇.
fn spin_acceleration_slopes(marker: &Deformed, theta_ddot: &Vec3) -> [Mat3; 2] {
    let slope = |at: usize, k: usize| {
        let number = |i: usize| {
            let mut varied = [0.0; 3];
            varied[at] = f64::from(i == k);
            Jet { path: [marker.theta[i], marker.theta_dot[i], theta_ddot[i]], varied }
        };
        spin(&rotation(&JetVec3::from_fn(|i, _| number(i)))).map(|x| x.varied[1])
    };
    [0, 1].map(|at| Mat3::from_columns(&[0, 1, 2].map(|k| slope(at, k))))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
