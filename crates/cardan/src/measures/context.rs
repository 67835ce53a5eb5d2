//! What elements may look at while they are evaluated.

use super::{Memory, Past};
use crate::bodies::{MarkerId, MarkerState};
use crate::expr::Scratch;
use crate::math::{Dual, Mat3, Number, Vec3, skew};
use nalgebra::{Matrix3, Vector3};
use std::cell::RefCell;

/// The state as seen by an element: time, markers, remembered turns, multipliers.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Time, s.
    pub t: f64,
    /// Pose and twist of every marker.
    pub markers: &'a [MarkerState],
    /// Values remembered from the last accepted step (angles with their turns, curve parameters).
    pub memory: &'a Memory,
    /// Differential states.
    pub states: &'a [f64],
    /// Lagrange multipliers of all constraints.
    pub lambda: &'a [f64],
    /// Room for the values of expressions.
    pub scratch: &'a RefCell<Scratch>,
}

impl Context<'_> {
    /// What is remembered, seen from here.
    #[inline]
    pub fn past(&self) -> Past<'_> {
        Past { memory: self.memory, t: self.t }
    }

    /// The state of a marker.
    #[inline]
    pub fn marker(&self, id: MarkerId) -> &MarkerState {
        &self.markers[id.index()]
    }
}

/// Pose of a marker in numbers with derivatives; user-written constraints see dual ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<T = Dual> {
    /// Position of the origin in the world.
    pub position: Vector3<T>,
    /// Rotation, marker to world; its columns are the marker's axes.
    pub rotation: Matrix3<T>,
}

impl<T: Number> Frame<T> {
    /// The marker's x, y or z axis (0, 1, 2) in the world.
    pub fn axis(&self, k: usize) -> Vector3<T> {
        self.rotation.column(k).into_owned()
    }
}

impl Frame {
    /// The pose without derivatives.
    pub fn constant(m: &MarkerState) -> Self {
        Self { position: m.p.map(Dual::constant), rotation: m.r.map(Dual::constant) }
    }

    /// The pose varied by ε₁ in direction `first` and ε₂ in direction `second` (0–2 translation, 3–5 rotation):
    /// R → exp(ε₁ e) exp(ε₂ e') R.
    pub fn seeded(m: &MarkerState, first: Option<usize>, second: Option<usize>) -> Self {
        let mut frame = Self::constant(m);
        let turn = |k: Option<usize>| k.filter(|k| *k >= 3).map_or(Mat3::zeros(), |k| skew(&unit(k - 3)));
        let (e1, e2) = (turn(first), turn(second));
        let (r1, r2, r12) = (e1 * m.r, e2 * m.r, e1 * e2 * m.r);
        for k in 0..9 {
            let entry = &mut frame.rotation[k];
            (entry.e1, entry.e2, entry.e12) = (r1[k], r2[k], r12[k]);
        }
        if let Some(k) = first.filter(|k| *k < 3) {
            frame.position[k].e1 = 1.0;
        }
        if let Some(k) = second.filter(|k| *k < 3) {
            frame.position[k].e2 = 1.0;
        }
        frame
    }
}

fn unit(k: usize) -> Vec3 {
    let mut e = Vec3::zeros();
    e[k] = 1.0;
    e
}
