//! The tangent of joints in space. In body axes, with R = R_iᵀ R_j, arms s_i, s_j, directions a (in i) and b (in j), the force of
//! the points f_i = R_iᵀ F and f_j = R_jᵀ F, that of the alongs c = Σ λ b and g = R_iᵀ F + R c, and u = R_jᵀ (p_i + R_i s_i − p_j):
//!
//! ```text
//! f on i:  [ F + R_j c ;  s_i × g + Σ λ a × R b ]          f on j:  [ −F − R_j c ; −s_j × f_j − u × c + Σ λ b × Rᵀ a ]   (1)
//! ```
//!
//! A rotation φ of body i (R_i exp φ) changes g by ĝ φ, R b by (R b)^ φ and u by −Rᵀ ŝ_i φ; one of body j changes R b by −R b̂ φ and
//! u by û φ. Hence, with S = Σ λ â (R b)^ = Σ λ (R b aᵀ − (a·R b) I), the blocks before they are multiplied by c_q and T are
//!
//! ```text
//! K_ii  rotations  ŝ_i ĝ + S                      K_jj  rotations  −ŝ_j f̂_j + ĉ û + Rᵀ Sᵀ R                        (2)
//! K_ij  rotations  X = −S R − ŝ_i R ĉ             K_ji  rotations  Xᵀ
//! K_ij  displacements of i, rotations of j  Y = −R_j ĉ,      K_ji  rotations of j, displacements of i  Yᵀ
//! K_jj  displacements, rotations  −Y,                        K_jj  rotations, displacements  −Yᵀ
//! ```
//!
//! Joints whose only rows are points couple no two bodies. Rows of G, (linear, angular) with the angular part times T:
//!
//! ```text
//! points  e_k: (e_k, s_i × R_iᵀ e_k), (−e_k, −s_j × R_jᵀ e_k)                                                   (3)
//! alongs       (R_j b, s_i × R b),    (−R_j b, −u × b)
//! dots         (0, a × R b),          (0, −Rᵀ (a × R b))
//! ```

use super::spatial::{SpatialJoint, vector};
use super::{Flat, JointSlots, Place, Points, Write, put};
use crate::linear::Slot;
use crate::math::{Mat3, Vec3, skew};
use crate::system::{Weights, Work};

/// A row of G on both bodies.
struct Row {
    linear: Vec3,
    angular: [Vec3; 2],
}

/// Where the joint's bodies stand, and the multipliers gathered from its rows.
struct Pose<'a> {
    turns: [&'a Mat3; 2],
    r: [&'a Mat3; 2],
    /// R and u, for joints that have more than points.
    relative: Mat3,
    u: Vec3,
}

/// Sums over the rows: F, c and S.
struct Sums {
    force: Vec3,
    sliding: Vec3,
    dots: Mat3,
}

impl SpatialJoint {
    /// Writes the joint's blocks; its share in the rotations of each body is added to `work.turning`.
    #[inline]
    pub fn write_blocks(
        &self,
        flat: &Flat,
        slots: &JointSlots,
        lambda: &[f64],
        w: &Weights,
        work: &mut Work,
        body_slots: &[Slot],
        values: &mut [f64],
    ) {
        let [i, j] = self.at.bodies;
        let (body_i, body_j) = (&work.frames[i], &work.frames[j]);
        let mut pose =
            Pose { turns: [&work.turns[i], &work.turns[j]], r: [&body_i.r, &body_j.r], relative: Mat3::zeros(), u: Vec3::zeros() };
        if self.at.couples() {
            pose.relative = body_i.r.tr_mul(&body_j.r);
            pose.u = body_j.r.tr_mul(&(body_i.p + body_i.r * self.arms[0] - body_j.p));
        }
        let sums = self.write_rows(flat, slots, lambda, &pose, values);
        self.at.write_diagonal(slots.diagonal, w.regularization, values);
        let [k_i, k_j, x] = if w.position != 0.0 { self.rotations(&sums, &pose) } else { [Mat3::zeros(); 3] };
        self.write_couplings(slots, &sums, &x, w.position, &pose, body_slots[..].get(j), values);
        work.turning[i] += k_i;
        work.turning[j] += k_j;
    }

    /// The rows (3), and the sums over them.
    fn write_rows(&self, flat: &Flat, slots: &JointSlots, lambda: &[f64], pose: &Pose, values: &mut [f64]) -> Sums {
        let Place { row: first, rows: n, .. } = self.at;
        let ([r_i, r_j], [s_i, s_j], relative) = (pose.r, &self.arms, &pose.relative);
        let mut sums = Sums { force: Vec3::zeros(), sliding: Vec3::zeros(), dots: Mat3::zeros() };
        let mut row = 0;
        if self.at.points == Points::Coincide {
            sums.force = vector(&lambda[first..]);
            for k in 0..3 {
                let angular = [s_i.cross(&r_i.row(k).transpose()), -s_j.cross(&r_j.row(k).transpose())];
                Row { linear: Vec3::ith(k, 1.0), angular }.write(row, n, slots, pose, values);
                row += 1;
            }
        }
        for along in &flat.alongs[self.at.alongs.clone()] {
            sums.sliding += along.b * lambda[first + row];
            let angular = [s_i.cross(&(relative * along.b)), along.b.cross(&pose.u)];
            Row { linear: r_j * along.b, angular }.write(row, n, slots, pose, values);
            row += 1;
        }
        for dot in &flat.dots[self.at.dots.clone()] {
            let b = relative * dot.b;
            let normal = dot.a.cross(&b);
            add_product(&mut sums.dots, &b, &dot.a, lambda[first + row]);
            Row { linear: Vec3::zeros(), angular: [normal, -relative.tr_mul(&normal)] }.write(row, n, slots, pose, values);
            row += 1;
        }
        sums
    }

    /// The rotations of K_ii, K_jj and K_ij (2).
    fn rotations(&self, sums: &Sums, pose: &Pose) -> [Mat3; 3] {
        let ([r_i, r_j], [s_i, s_j], relative) = (pose.r, &self.arms, &pose.relative);
        let (mut k_i, mut k_j, mut x) = (sums.dots, Mat3::zeros(), Mat3::zeros());
        if !self.at.dots.is_empty() {
            x = -(sums.dots * relative);
            k_j = -x.tr_mul(relative);
        }
        add_product(&mut k_i, &(r_i.tr_mul(&sums.force) + relative * sums.sliding), s_i, 1.0);
        add_product(&mut k_j, &r_j.tr_mul(&sums.force), s_j, -1.0);
        if !self.at.alongs.is_empty() {
            add_product(&mut k_j, &pose.u, &sums.sliding, 1.0);
            x -= skew(s_i) * relative * skew(&sums.sliding);
        }
        [k_i, k_j, x]
    }

    /// X and Y (2), times c_q and T.
    fn write_couplings(&self, slots: &JointSlots, sums: &Sums, x: &Mat3, c_q: f64, pose: &Pose, body_j: Option<&Slot>, values: &mut [f64]) {
        let [turn_i, turn_j] = pose.turns;
        if let Some([ij, ji]) = slots.coupling {
            put(&mut values[ij.start..], 3, 3, slots.write, &(x * turn_j * c_q));
            put(&mut values[ji.start..], 3, 3, slots.write, &(x.tr_mul(turn_i) * c_q));
        }
        if self.at.alongs.is_empty() {
            return;
        }
        let y = -(pose.r[1] * skew(&sums.sliding)) * c_q;
        let (turned, transposed) = (y * turn_j, y.transpose());
        if let Some([ij, ji]) = slots.coupling {
            put(&mut values[ij.start..], 0, 3, slots.write, &turned);
            put(&mut values[ji.start..], 3, 0, slots.write, &transposed);
        }
        if let Some(jj) = body_j {
            put(&mut values[jj.start..], 0, 3, Write::Add, &-turned);
            put(&mut values[jj.start..], 3, 0, Write::Add, &-transposed);
        }
    }
}

impl Row {
    /// Writes the row into the blocks (body, joint) and, the rotations times T, (joint, body); the joint has n rows.
    #[inline]
    fn write(&self, row: usize, n: usize, slots: &JointSlots, pose: &Pose, values: &mut [f64]) {
        for side in 0..2 {
            let (Some(columns), Some(rows)) = (slots.columns[side], slots.rows[side]) else { continue };
            let (linear, angular) = (if side == 0 { self.linear } else { -self.linear }, &self.angular[side]);
            let column = &mut values[columns.start + 6 * row..][..6];
            column[..3].copy_from_slice(linear.as_slice());
            column[3..].copy_from_slice(angular.as_slice());
            let turned = pose.turns[side].tr_mul(angular);
            let block = &mut values[rows.start..][..6 * n];
            for c in 0..3 {
                block[c * n + row] = linear[c];
                block[(c + 3) * n + row] = turned[c];
            }
        }
    }
}

/// m += scale · (x yᵀ − (x·y) I), which is ŷ x̂.
#[inline]
fn add_product(m: &mut Mat3, x: &Vec3, y: &Vec3, scale: f64) {
    let x = x * scale;
    let trace = x.dot(y);
    *m += x * y.transpose();
    for k in 0..3 {
        m[(k, k)] -= trace;
    }
}
