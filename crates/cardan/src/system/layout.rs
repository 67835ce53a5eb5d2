//! Compiled elements and where their equations lie.

use crate::bodies::{Kind, Shape};
use crate::constraints::Element;
use crate::linear::Slot;
use crate::math::{Mat3, Vec3};
use std::ops::Range;

/// A moving body and its place in the vectors.
#[derive(Debug, Clone)]
pub struct CompiledBody {
    /// Name.
    pub name: String,
    /// Kind and mass properties.
    pub shape: Shape,
    /// First coordinate.
    pub q0: usize,
    /// First velocity.
    pub v0: usize,
}

impl CompiledBody {
    /// The body's coordinates in q.
    #[inline]
    pub fn q(&self) -> Range<usize> {
        self.q0..self.q0 + self.shape.nq()
    }

    /// The body's velocities in v.
    #[inline]
    pub fn v(&self) -> Range<usize> {
        self.v0..self.v0 + self.shape.columns().len()
    }
}

/// A marker: where it is on its body, relative to the centre of mass.
#[derive(Debug, Clone)]
pub struct CompiledMarker {
    /// Name.
    pub name: String,
    /// The moving body, or `None` for the ground.
    pub body: Option<usize>,
    /// Offset from the centre of mass, body frame (ground: position).
    pub offset: Vec3,
    /// Rotation, marker axes to body axes.
    pub rotation: Mat3,
}

/// A constraint and its first row.
#[derive(Debug, Clone)]
pub struct CompiledConstraint {
    /// Name.
    pub name: String,
    /// The element.
    pub element: Element,
    /// Its first multiplier.
    pub first_row: usize,
}

/// Blocks a force adds to: body × body for its two markers, and body × constraint for friction.
#[derive(Debug, Clone, Default)]
pub struct ForceSlots {
    pub bodies: [[Option<Slot>; 2]; 2],
    /// For each reaction row: blocks (body of marker a, constraint) and the column within.
    pub reactions: Vec<([Option<Slot>; 2], usize)>,
}

/// Blocks the equation of a differential state adds to, in the order of what it reads.
#[derive(Debug, Clone)]
pub struct StateSlots {
    pub diagonal: Slot,
    /// Block (state, body).
    pub bodies: Vec<Slot>,
    /// Block (state, constraint) and the column within.
    pub rows: Vec<(Slot, usize)>,
    /// Block (state, state).
    pub states: Vec<Slot>,
}

/// Blocks a constraint adds to.
#[derive(Debug, Clone, Default)]
pub struct ConstraintSlots {
    /// `bodies[a * n + b]`: block (body of marker a, body of marker b).
    pub bodies: Vec<Option<Slot>>,
    /// Block (body of marker a, constraint).
    pub columns: Vec<Option<Slot>>,
    /// Block (constraint, body of marker a).
    pub rows: Vec<Option<Slot>>,
    /// Block (constraint, constraint).
    pub diagonal: Option<Slot>,
}
