//! Joints, forces (`forces`) and bodies in flat arrays: the common kinds are evaluated from the frames of their two bodies, without markers
//! between.
//!
//! A joint is here if its rows are, in this order, displacements along the world axes (all, or none), displacements along
//! directions of marker j, and cosines between directions of i and j, each held at a constant; everything else goes through
//! `Constraint` row by row, and rods partly (`rods`). With arms s_i, s_j from the centres of mass to the markers,
//! d = p_i + s_i − p_j − s_j, directions a fixed in i and b fixed in j (all in the world frame):
//!
//! ```text
//! points     Φ = d                                      three rows in space, two in the plane              (1)
//! alongs     Φ = b·d − target
//! dots       Φ = a·b − target
//! ```
//!
//! F = λ of the points, A = Σ λ b of the alongs and N = Σ λ a × b of the dots act on the bodies as
//!
//! ```text
//! on i:   F + A,       s_i × (F + A) + N                                                                  (2)
//! on j: −(F + A),     −s_j × F − (s_j + d) × A − N
//! ```
//!
//! Wrenches of all elements are summed per body at the centre of mass, and projected on the body's velocities once. The
//! tangents are in `spatial_tangent` and `planar`.

mod bodies;
mod flexible;
mod forces;
mod planar;
mod rods;
mod spatial;
mod spatial_tangent;

pub(super) use bodies::{Bodies, BodyWeights};
pub(super) use forces::{End, FlatForces};
pub(super) use planar::{PlanarAlong, PlanarDot, PlanarJoint};
pub(super) use rods::Rod;
pub(super) use spatial::{Along, Dot, SpatialJoint};

use super::jacobian::Target;
use super::{State, System, Weights, Work};
use crate::linear::Slot;
use crate::math::Mat3;
use std::ops::Range;

/// Where a joint is: its bodies, one of which may be the ground, and its rows.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub bodies: [usize; 2],
    pub row: usize,
    pub rows: usize,
    /// Whether it has the rows of the points.
    pub points: Points,
    /// Its rows among those of the kind.
    pub alongs: Range<usize>,
    pub dots: Range<usize>,
}

/// Whether a joint holds the origins together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Coincide,
    Free,
}

/// Blocks of a joint. All but those that two bodies share are its own and are written, not added to.
#[derive(Debug, Clone)]
pub(super) struct JointSlots {
    /// Blocks (body, joint).
    pub columns: [Option<Slot>; 2],
    /// Blocks (joint, body).
    pub rows: [Option<Slot>; 2],
    pub diagonal: Slot,
    /// Blocks (body i, body j) and (body j, body i), where both move and the joint couples them.
    pub coupling: Option<[Slot; 2]>,
    /// What to do with the coupling.
    pub write: Write,
}

/// Whether a joint is the first to write a block that is not cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Write {
    Assign,
    Add,
}

/// The flat arrays.
#[derive(Debug, Clone, Default)]
pub(super) struct Flat {
    pub bodies: Bodies,
    pub spatial: Vec<SpatialJoint>,
    pub alongs: Vec<Along>,
    pub dots: Vec<Dot>,
    pub planar: Vec<PlanarJoint>,
    pub planar_alongs: Vec<PlanarAlong>,
    pub planar_dots: Vec<PlanarDot>,
    pub rods: Vec<Rod>,
    pub forces: FlatForces,
}

impl System {
    /// Residual and wrenches of flat joints and forces, added to those in `work`.
    pub(super) fn add_flat_elements(&self, lambda: &[f64], work: &mut Work) {
        let flat = &self.flat;
        flat.spatial.iter().for_each(|joint| joint.evaluate(flat, lambda, work));
        flat.planar.iter().for_each(|joint| joint.evaluate(flat, lambda, work));
        flat.rods.iter().for_each(|rod| rod.evaluate(lambda, work));
        flat.forces.evaluate(&work.frames, &mut work.wrenches);
    }

    /// Writes G and the couplings of the flat joints; their share in the bodies' own blocks goes to `work.turning`.
    pub(super) fn write_joint_blocks(&self, x: &State, w: &Weights, work: &mut Work, into: &mut Target) {
        let (flat, slots, values) = (&self.flat, into.slots, &mut into.matrix.values);
        for (joint, own) in flat.spatial.iter().zip(&slots.spatial) {
            joint.write_blocks(flat, own, w.reactions_of(x), w, work, &slots.bodies, values);
        }
        for (joint, own) in flat.planar.iter().zip(&slots.planar) {
            joint.write_blocks(flat, own, w.reactions_of(x), w, work, &slots.bodies, values);
        }
    }

    /// The rows of [`super::Evaluated::acceleration_bias`] that belong to flat joints.
    pub(super) fn joint_bias(&self, work: &Work, bias: &mut [f64]) {
        for joint in &self.flat.spatial {
            joint.bias(&self.flat, &work.frames, bias);
        }
        for joint in &self.flat.planar {
            joint.bias(&self.flat, &work.frames, bias);
        }
    }
}

impl Place {
    /// Whether it has other rows than points, and with them stiffness between its bodies.
    pub fn couples(&self) -> bool {
        !(self.alongs.is_empty() && self.dots.is_empty())
    }

    /// −ε on the diagonal.
    fn write_diagonal(&self, slot: Slot, regularization: &[f64], values: &mut [f64]) {
        for r in 0..self.rows {
            values[slot.start + r * (self.rows + 1)] = -regularization.get(self.row + r).copied().unwrap_or(0.0);
        }
    }
}

/// Three by three numbers of a block of six rows, from this row and column on.
#[inline]
fn put(block: &mut [f64], row: usize, column: usize, write: Write, m: &Mat3) {
    for c in 0..3 {
        let out = &mut block[(column + c) * 6 + row..][..3];
        for r in 0..3 {
            out[r] = if write == Write::Assign { m[(r, c)] } else { out[r] + m[(r, c)] };
        }
    }
}
