//! The constraint Jacobian by rows, for the analysis of its rank,
//!
//! ```text
//! G_r = Σ_markers g_rᵀ J      (row r, in blocks of velocities)                                          (1)
//! ```
//!
//! and the sizes that make its numbers comparable: a length per body (rotations count as displacements at that distance),
//! and the inverse effective mass g M⁻¹ gᵀ of every row. Velocities are taken in blocks of at most six, none of which has those of two bodies.

use super::{CompiledBody, State, System, Work};
use crate::bodies::{Kind, MarkerMaps, Shape};
use crate::constraints::Constraint;
use crate::linear::rank::{BLOCK, BlockRows, Entry};
use crate::math::{Mat3, Vec6};
use crate::measures::Context;
use nalgebra::DMatrix;
use std::ops::Range;

impl System {
    /// The rows (1) of all constraints at a state.
    pub fn gradient(&self, x: &State, work: &mut Work) -> BlockRows {
        self.kinematics(&x.q, &x.v, work);
        let Work { frames, deformed, markers, gradient, gradient_t, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let (mut rows, mut map, mut values) = (Vec::with_capacity(self.rows), MarkerMaps::zero(), Vec::new());
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
                    let Some((b, marker)) = self.attached(marker.index(), frames, deformed) else { continue };
                    map.set(&marker, &Mat3::identity(), [0.0, 0.0]);
                    values.clear();
                    values.resize(self.bodies[b].shape.nv(), 0.0);
                    map.j.pull_back(g, 1.0, &mut values);
                    self.add_entries(b, &values, &mut row);
                }
                rows.push(row);
            }
        }
        BlockRows { blocks: self.velocity_blocks.len(), rows }
    }

    /// The velocities of a block of columns of [`System::gradient`].
    pub fn block_velocities(&self, block: usize) -> Range<usize> {
        self.velocity_blocks[block].1.clone()
    }

    /// The first block of columns of a body.
    pub(crate) fn first_block(&self, body: usize) -> usize {
        self.velocity_blocks.partition_point(|(b, _)| *b < body)
    }

    /// Adds the numbers of all velocities of a body to a row.
    fn add_entries(&self, body: usize, values: &[f64], row: &mut Vec<Entry>) {
        let first = self.first_block(body);
        for (k, part) in values.chunks(BLOCK).enumerate() {
            entry(row, first + k).iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
    }

    /// A length for every body: its radius of gyration or its farthest marker, whichever is larger.
    pub fn lengths(&self) -> Vec<f64> {
        let mut lengths = self.own_lengths();
        lengths.iter_mut().filter(|x| **x == 0.0).for_each(|x| *x = 1.0);
        lengths
    }

    /// The same, zero for points.
    pub(crate) fn own_lengths(&self) -> Vec<f64> {
        let mut lengths: Vec<f64> = self.bodies.iter().map(|b| b.shape.radius_of_gyration()).collect();
        for marker in &self.markers {
            if let Some(b) = self.moving(marker.body) {
                lengths[b] = lengths[b].max(marker.attachment.reach());
            }
        }
        lengths
    }

    /// By what one of each velocity displaces its body ([`Shape::displacements`]), at the bodies' lengths.
    pub(crate) fn displacements(&self) -> Vec<f64> {
        self.bodies.iter().zip(self.lengths()).flat_map(|(b, length)| b.shape.displacements(length)).collect()
    }

    /// The rows with all columns divided by what they displace bodies by, so that they count displacements. Elastic coordinates that displace
    /// nothing stay as they are.
    pub fn without_units(&self, mut rows: BlockRows) -> BlockRows {
        let displacements = self.displacements();
        for (block, values) in rows.rows.iter_mut().flatten() {
            for (value, by) in values.iter_mut().zip(&displacements[self.block_velocities(*block)]) {
                *value /= if *by > 0.0 { *by } else { 1.0 };
            }
        }
        rows
    }

    /// g M⁻¹ gᵀ of every row, at these coordinates.
    pub fn inverse_masses(&self, rows: &BlockRows, q: &[f64]) -> Vec<f64> {
        let inverse = |b: &CompiledBody| inverse_mass(&b.shape, &q[b.q()]);
        let inverses: Vec<DMatrix<f64>> = self.bodies.iter().map(inverse).collect();
        let product = |row: &[Entry]| -> f64 {
            let own = |(a, g): &Entry, (b, h): &Entry| {
                let ((body, rows), (other, columns)) = (&self.velocity_blocks[*a], &self.velocity_blocks[*b]);
                let v0 = self.bodies[*body].v0;
                let term = |i: usize, j: usize| g[i] * inverses[*body][(rows.start - v0 + i, columns.start - v0 + j)] * h[j];
                let sum = || (0..rows.len()).map(|i| (0..columns.len()).map(|j| term(i, j)).sum::<f64>()).sum();
                if body == other { sum() } else { 0.0 }
            };
            row.iter().map(|a| row.iter().map(|b| own(a, b)).sum::<f64>()).sum()
        };
        rows.rows.iter().map(|row| product(row)).collect()
    }

    /// The largest acceleration these forces would give to free bodies: a scale for residuals, the couplings of M left out.
    pub(crate) fn free_acceleration(&self, forces: &[f64]) -> f64 {
        forces.iter().zip(&self.inertias).fold(0.0, |largest, (f, inertia)| largest.max((f / inertia).abs()))
    }

    /// The largest turn of a body in a vector of velocities or corrections.
    pub(crate) fn largest_turn(&self, delta: &[f64]) -> f64 {
        self.bodies.iter().map(|b| b.shape.split_norms(&delta[b.v()]).1).fold(0.0, f64::max)
    }

    /// The largest displacement of a body in a vector of velocities or corrections.
    pub(crate) fn largest_displacement(&self, delta: &[f64]) -> f64 {
        self.bodies.iter().map(|b| b.shape.split_norms(&delta[b.v()]).0).fold(0.0, f64::max)
    }

    /// A correction from numbers without units: displacements are multiplied by a length, turns left as they are; nothing is deformed.
    pub(crate) fn with_lengths(&self, numbers: &[f64], length: f64) -> Vec<f64> {
        let factors = |b: &CompiledBody| {
            let elastic = b.shape.elastic_range().map(|_| 0.0);
            b.shape.translations().map(|_| length).chain(b.shape.rotations().map(|_| 1.0)).chain(elastic).collect::<Vec<_>>()
        };
        numbers.iter().zip(self.bodies.iter().flat_map(factors)).map(|(x, factor)| x * factor).collect()
    }

    /// The largest distance that occurs: of a marker from the origin, or on a body. One metre for models without any.
    pub fn extent(&self, x: &State, work: &mut Work) -> f64 {
        self.kinematics(&x.q, &x.v, work);
        let markers = work.markers.iter().map(|m| m.p.norm());
        let largest = markers.chain(self.lengths()).fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    }
}

fn entry(row: &mut Vec<Entry>, block: usize) -> &mut [f64; BLOCK] {
    let at = row.iter().position(|e| e.0 == block).unwrap_or_else(|| {
        row.push((block, [0.0; BLOCK]));
        row.len() - 1
    });
    &mut row[at].1
}

/// M, at the coordinates of a body.
pub(crate) fn mass_matrix(shape: &Shape, q: &[f64]) -> DMatrix<f64> {
    let mut mass = DMatrix::zeros(shape.nv(), shape.nv());
    shape.add_mass(q, 1.0, mass.as_mut_slice());
    mass
}

/// M⁻¹.
fn inverse_mass(shape: &Shape, q: &[f64]) -> DMatrix<f64> {
    let mass = mass_matrix(shape, q);
    let zero = DMatrix::zeros(mass.nrows(), mass.ncols());
    mass.try_inverse().unwrap_or(zero)
}
