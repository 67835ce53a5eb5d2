//! Work arrays of an evaluation, owned by the caller so that nothing is allocated in a step. What an evaluation finds is read from
//! [`super::Evaluated`].

use super::System;
use super::expressions::ExpressionWork;
use crate::bodies::{BodyFrame, Deformed, Map, MarkerMaps, MarkerState, Wrench};
use crate::constraints::Constraint;
use crate::contact::Grid;
use crate::expr::Scratch;
use crate::forces::Pair;
use crate::math::{Mat3, Mat6, Vec3, Vec6};
use crate::measures::Memory;
use std::cell::RefCell;

/// Results and scratch of the system's evaluations.
#[derive(Debug, Clone)]
pub struct Work {
    /// How every body stands and moves, the ground among them.
    pub(super) frames: Vec<BodyFrame>,
    /// What acts on every body, and on the ground, which nobody reads.
    pub(super) wrenches: Vec<Wrench>,
    /// What acts on the elastic velocities of every body, at their places.
    pub(super) modal: Vec<f64>,
    /// How every marker stands on its body, where that is flexible.
    pub(super) deformed: Vec<Deformed>,
    /// T of every body, the ground among them.
    pub(super) turns: Vec<Mat3>,
    /// Geometric stiffness of flat joints between the rotations of every body, before T.
    pub(super) turning: Vec<Mat3>,
    /// Pose and twist of every marker. [`System::kinematics`] gives them all, an evaluation only those that the equations read.
    pub markers: Vec<MarkerState>,
    /// f = Gᵀλ − Q.
    pub(super) f: Vec<f64>,
    /// Φ for rows of position level; A v + b for rows of velocity level.
    pub(super) phi: Vec<f64>,
    /// G v + Φ_t for every row.
    pub(super) phi_dot: Vec<f64>,
    /// f of every differential state, ẋ = f.
    pub(super) rates: Vec<f64>,
    /// Maps of the markers that the equations read, for the tangent.
    pub(super) maps: Vec<MarkerMaps>,
    pub(super) gradient: Vec<Vec6>,
    pub(super) gradient_t: Vec<Vec6>,
    pub(super) hessian: Vec<Mat6>,
    pub(super) stiffness: Vec<Mat6>,
    pub(super) reactions: Vec<Vec6>,
    pub(super) memory: Memory,
    /// Potential energy and dissipated power of every force in the flat arrays; nothing of the others.
    pub(super) energies: Vec<[f64; 2]>,
    /// M v.
    pub(super) momentum: Vec<f64>,
    /// Accelerations of all markers, where they are read.
    pub(super) accelerations: Vec<(Vec3, Vec3)>,
    pub(super) acceleration_maps: Vec<Map>,
    pub(super) expressions: ExpressionWork,
    /// Pairs that act, of every force between changing pairs.
    pub(super) acting: Vec<Vec<Pair>>,
    /// Room for the search of pairs.
    pub(super) grids: Vec<Grid>,
    /// Room for the values of expressions.
    pub scratch: RefCell<Scratch>,
}

impl Work {
    /// Work arrays for this system.
    pub fn new(system: &System) -> Self {
        let bodies = system.ground() + 1;
        let mapped = system.read_markers.last().max(system.rod_markers.last()).map_or(0, |m| m + 1);
        let most = system.constraints.iter().map(|c| c.element.markers().len()).max().unwrap_or(0).max(2);
        Self {
            frames: vec![BodyFrame::ground(); bodies],
            wrenches: vec![Wrench::zero(); bodies],
            modal: vec![0.0; system.nv],
            deformed: vec![Deformed::none(); system.markers.len()],
            turns: vec![Mat3::identity(); bodies],
            turning: vec![Mat3::zeros(); bodies],
            markers: vec![MarkerState::identity(); system.markers.len()],
            f: vec![0.0; system.nv],
            phi: vec![0.0; system.rows],
            phi_dot: vec![0.0; system.rows],
            rates: vec![0.0; system.nx()],
            maps: vec![MarkerMaps::zero(); mapped],
            gradient: vec![Vec6::zeros(); most],
            gradient_t: vec![Vec6::zeros(); most],
            hessian: vec![Mat6::zeros(); most * most],
            stiffness: vec![Mat6::zeros(); most * most],
            reactions: vec![Vec6::zeros(); most],
            memory: system.initial.memory.clone(),
            energies: vec![[0.0; 2]; system.forces.len()],
            momentum: vec![0.0; system.nv],
            accelerations: vec![(Vec3::zeros(), Vec3::zeros()); system.markers.len()],
            acceleration_maps: vec![Map::zero(); if system.reads_accelerations { mapped } else { 0 }],
            expressions: ExpressionWork::new(system),
            acting: vec![Vec::new(); system.pair_forces.len()],
            grids: vec![Grid::default(); system.pair_forces.len()],
            scratch: RefCell::default(),
        }
    }
}
