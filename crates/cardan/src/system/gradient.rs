//! The constraint Jacobian by rows, for the analysis of its rank,
//!
//! ```text
//! G_r = Σ_markers g_rᵀ J      (row r, in blocks of the bodies' velocities)                              (1)
//! ```
//!
//! and the sizes that make its numbers comparable: a length per body (rotations count as displacements at that distance),
//! and the inverse effective mass g M⁻¹ gᵀ of every row.

use super::{CompiledBody, State, System, Work};
use crate::bodies::{Kind, pull_back};
use crate::constraints::Constraint;
use crate::linear::rank::{BLOCK, BlockRows, Entry};
use crate::math::{Mat6, Vec6};
use crate::measures::Context;

impl System {
    /// The rows (1) of all constraints at a state; one block per moving body.
    pub fn gradient(&self, x: &State, work: &mut Work) -> BlockRows {
        self.kinematics(&x.q, &x.v, work);
        let Work { frames, markers, gradient, gradient_t, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        let mut rows = Vec::with_capacity(self.rows);
        for constraint in &self.constraints {
            let element = &constraint.element;
            let n = element.markers().len();
            for k in 0..element.rows() {
                let (g, gt) = (&mut gradient[..n], &mut gradient_t[..n]);
                g.fill(Vec6::zeros());
                gt.fill(Vec6::zeros());
                element.evaluate(&ctx, k, g, gt);
                let mut row: Vec<Entry> = Vec::with_capacity(n);
                for (marker, g) in element.markers().iter().zip(g.iter()) {
                    let marker = &self.markers[marker.index()];
                    let Some(b) = marker.body else { continue };
                    let six = pull_back(&frames[b].r, &marker.offset, g);
                    let values = entry(&mut row, b);
                    for (value, column) in values.iter_mut().zip(self.bodies[b].shape.columns()) {
                        *value += six[*column];
                    }
                }
                rows.push(row);
            }
        }
        BlockRows { blocks: self.bodies.len(), rows }
    }

    /// A length for every body: its radius of gyration or its farthest marker, whichever is larger.
    pub fn lengths(&self) -> Vec<f64> {
        let mut lengths = self.own_lengths();
        lengths.iter_mut().filter(|x| **x == 0.0).for_each(|x| *x = 1.0);
        lengths
    }

    /// The same, zero for points.
    pub(crate) fn own_lengths(&self) -> Vec<f64> {
        let mut lengths: Vec<f64> = self.bodies.iter().map(|b| radius_of_gyration(&b.shape)).collect();
        for marker in &self.markers {
            if let Some(b) = marker.body {
                lengths[b] = lengths[b].max(marker.offset.norm());
            }
        }
        lengths
    }

    /// The rows with their rotation columns divided by the bodies' lengths, so that all columns count displacements.
    pub fn without_units(&self, mut rows: BlockRows) -> BlockRows {
        let lengths = self.lengths();
        for (b, values) in rows.rows.iter_mut().flatten() {
            for (value, column) in values.iter_mut().zip(self.bodies[*b].shape.columns()) {
                *value /= if *column < 3 { 1.0 } else { lengths[*b] };
            }
        }
        rows
    }

    /// g M⁻¹ gᵀ of every row.
    pub fn inverse_masses(&self, rows: &BlockRows) -> Vec<f64> {
        let inverses: Vec<Mat6> = self.bodies.iter().map(|b| inverse_mass(&b.shape)).collect();
        let term = |(b, g): &Entry| {
            let g = Vec6::from_row_slice(g);
            g.dot(&(inverses[*b] * g))
        };
        rows.rows.iter().map(|row| row.iter().map(term).sum()).collect()
    }

    /// The largest acceleration these forces would give to free bodies: a scale for residuals, the couplings of M left out.
    pub(crate) fn free_acceleration(&self, forces: &[f64]) -> f64 {
        let mut mass = [0.0; BLOCK * BLOCK];
        let mut largest = 0.0_f64;
        for body in &self.bodies {
            let n = body.shape.columns().len();
            mass.fill(0.0);
            body.shape.add_mass(1.0, &mut mass[..n * n]);
            let own = forces[body.v()].iter().enumerate().map(|(k, f)| (f / mass[k * (n + 1)]).abs());
            largest = own.fold(largest, f64::max);
        }
        largest
    }

    /// The largest turn of a body in a vector of velocities or corrections.
    pub(crate) fn largest_turn(&self, delta: &[f64]) -> f64 {
        self.bodies.iter().map(|b| b.split_norms(&delta[b.v()]).1).fold(0.0, f64::max)
    }

    /// The largest displacement of a body in a vector of velocities or corrections.
    pub(crate) fn largest_displacement(&self, delta: &[f64]) -> f64 {
        self.bodies.iter().map(|b| b.split_norms(&delta[b.v()]).0).fold(0.0, f64::max)
    }

    /// A correction from numbers without units: displacements are multiplied by a length, turns left as they are.
    pub(crate) fn with_lengths(&self, numbers: &[f64], length: f64) -> Vec<f64> {
        let columns = self.bodies.iter().flat_map(|b| b.shape.columns());
        numbers.iter().zip(columns).map(|(x, column)| if *column < 3 { x * length } else { *x }).collect()
    }

    /// The largest distance that occurs: of a marker from the origin, or on a body. One metre for models without any.
    pub fn extent(&self, work: &Work) -> f64 {
        let markers = work.markers.iter().map(|m| m.p.norm());
        let largest = markers.chain(self.lengths()).fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    }
}

impl CompiledBody {
    /// Norms of the displacement and of the rotation in the body's part of a correction.
    pub(crate) fn split_norms(&self, delta: &[f64]) -> (f64, f64) {
        let (mut displacement, mut rotation) = (0.0, 0.0);
        for (x, column) in delta.iter().zip(self.shape.columns()) {
            *(if *column < 3 { &mut displacement } else { &mut rotation }) += x * x;
        }
        (f64::sqrt(displacement), f64::sqrt(rotation))
    }
}

fn entry(row: &mut Vec<Entry>, body: usize) -> &mut [f64; BLOCK] {
    let at = row.iter().position(|e| e.0 == body).unwrap_or_else(|| {
        row.push((body, [0.0; BLOCK]));
        row.len() - 1
    });
    &mut row[at].1
}

fn mass_matrix(shape: &crate::bodies::Shape) -> (usize, Vec<f64>) {
    let n = shape.columns().len();
    let mut mass = vec![0.0; n * n];
    shape.add_mass(1.0, &mut mass);
    (n, mass)
}

fn radius_of_gyration(shape: &crate::bodies::Shape) -> f64 {
    let (n, mass) = mass_matrix(shape);
    let turning = shape.columns().iter().enumerate().filter(|(_, column)| **column >= 3);
    turning.map(|(k, _)| (mass[k * (n + 1)] / shape.mass()).sqrt()).fold(0.0, f64::max)
}

/// M⁻¹ in the leading part of a 6×6 matrix.
fn inverse_mass(shape: &crate::bodies::Shape) -> Mat6 {
    let (n, mass) = mass_matrix(shape);
    let mut full = Mat6::identity();
    full.view_mut((0, 0), (n, n)).copy_from_slice(&mass);
    full.try_inverse().unwrap_or_else(Mat6::zeros)
}
