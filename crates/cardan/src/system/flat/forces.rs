//! Forces of the common kinds between markers that stand fast on their bodies, evaluated from the frames of the bodies. With s_i the arm of marker
//! i and s_j that from the reference point of body j to the same point, force F and torque M on marker i act as
//!
//! ```text
//! on i:  F,  M + s_i × F              on j:  −F,  −(M + s_j × F)                                             (1)
//! ```
//!
//! A body's displacement δr and rotation R T δφ displace a point of it by δr − ŝ G δφ and turn it by G δφ, G = R T; its velocities change by
//! δv − ŝ R δω − (ω × s)^ G δφ and R δω − ω̂ G δφ. (F, M) depends on the relative motion alone: with its derivatives A by that (`geometry`), with
//! v and w the relative velocities, the columns are
//!
//! ```text
//! δr_i, −δr_j    c_q (A_u − A_u̇ ω̂_j) + c_v A_u̇                                                               (2)
//! δφ_i, −δφ_j    c_q (A_ψ − A_ω ω̂_i − A_u ŝ + A_u̇ X) G + c_v (A_ω − A_u̇ ŝ) R
//!                X_i = ŝ_i ω̂_i − ŵ ŝ_i,    X_j = ŝ_j ω̂_j − v̂,    and c_q (F̂; M̂) G_j besides, as the load turns with j
//! ```
//!
//! Their rows of torques are taken to the reference points by (1), with what the arms change there at a fixed load,
//!
//! ```text
//! on i, δφ_i:   (M̂ + ŝ_i F̂) G_i          on j, δr_i, −δr_j:  −F̂        δφ_i:   F̂ ŝ_i G_i                     (3)
//!                                         −δφ_j:  −(M + s_j × F)^ G_j                     all times c_q
//! ```
//!
//! and then turned to body axes. Blocks of bodies that do not turn have less rows and columns.

use crate::bodies::{BodyFrame, MarkerState, Wrench};
use crate::forces::geometry::{Half, Linearized, Motion, pair, times, times_skew};
use crate::forces::{Beam, Between, Bushing, Force, SpringDamper};
use crate::math::{Mat3, Vec3, skew};
use crate::system::jacobian::Target;
use crate::system::{Weights, Work};

/// A marker that stands fast on its body, which may be the ground.
#[derive(Debug, Clone)]
pub(in crate::system) struct End {
    pub body: usize,
    pub offset: Vec3,
    pub rotation: Mat3,
    /// Which of the frame's six velocities the body has; the ground has none.
    pub columns: &'static [usize],
}

/// A force between two bodies, and its number among all forces.
#[derive(Debug, Clone)]
pub(in crate::system) struct FlatForce<L> {
    pub number: usize,
    pub ends: [End; 2],
    pub law: L,
}

/// Forces by kind.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct FlatForces {
    pub bushings: Vec<FlatForce<Bushing>>,
    pub beams: Vec<FlatForce<Beam>>,
    pub springs: Vec<FlatForce<SpringDamper>>,
}

impl FlatForces {
    /// Adds a force if it is of one of these kinds.
    pub fn push(&mut self, number: usize, ends: [End; 2], force: &Force) -> Option<()> {
        match force {
            Force::Bushing(law) => self.bushings.push(FlatForce { number, ends, law: law.clone() }),
            Force::Beam(law) => self.beams.push(FlatForce { number, ends, law: law.clone() }),
            Force::SpringDamper(law) => self.springs.push(FlatForce { number, ends, law: law.clone() }),
            _ => return None,
        }
        Some(())
    }

    /// Adds all wrenches to what acts on the bodies.
    pub fn evaluate(&self, frames: &[BodyFrame], wrenches: &mut [Wrench]) {
        self.bushings.iter().for_each(|force| force.evaluate(frames, wrenches));
        self.beams.iter().for_each(|force| force.evaluate(frames, wrenches));
        self.springs.iter().for_each(|force| force.evaluate(frames, wrenches));
    }

    /// Potential energy and dissipated power of every force, by its number.
    pub fn energies(&self, frames: &[BodyFrame], out: &mut [[f64; 2]]) {
        self.bushings.iter().for_each(|force| force.energies(frames, out));
        self.beams.iter().for_each(|force| force.energies(frames, out));
        self.springs.iter().for_each(|force| force.energies(frames, out));
    }

    /// Adds stiffness and damping of those forces that count.
    pub fn add_blocks(&self, counts: impl Fn(usize) -> bool, w: &Weights, work: &Work, into: &mut Target) {
        self.bushings.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, into));
        self.beams.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, into));
        self.springs.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, into));
    }
}

impl<L: Between> FlatForce<L> {
    /// Equation (1); what is gathered has the sign of constraint forces.
    #[inline(always)]
    fn evaluate(&self, frames: &[BodyFrame], wrenches: &mut [Wrench]) {
        let (i, j) = (self.ends[0].stand(frames), self.ends[1].stand(frames));
        let (force, torque) = self.law.load(&i.marker, &j.marker);
        let on_i = &mut wrenches[self.ends[0].body];
        on_i.force -= force;
        on_i.torque -= torque + i.arm.cross(&force);
        let on_j = &mut wrenches[self.ends[1].body];
        on_j.force += force;
        on_j.torque += torque + (i.marker.p - j.marker.p + j.arm).cross(&force);
    }

    #[inline(always)]
    fn energies(&self, frames: &[BodyFrame], out: &mut [[f64; 2]]) {
        let (i, j) = (self.ends[0].stand(frames), self.ends[1].stand(frames));
        out[self.number] = self.law.energies(&i.marker, &j.marker);
    }

    /// Adds the blocks of both bodies.
    #[inline(always)]
    fn add_blocks(&self, w: &Weights, work: &Work, into: &mut Target) {
        let (i, j) = (self.ends[0].stand(&work.frames), self.ends[1].stand(&work.frames));
        let motion = Motion::of(&i.marker, &j.marker);
        let load = self.law.linearize(&i.marker, &motion);
        let arms = [i.arm, motion.d + j.arm];
        let poses = [self.ends[0].pose(work), self.ends[1].pose(work)];
        let columns = self.columns(&load, &motion, &arms, &poses, [w.position, w.velocity]);
        let held = at_fixed_load(&load, &arms, &poses, w.position);
        let slots = &into.slots.forces[self.number].bodies;
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let Some(slot) = slots[a][b] else { continue };
            let sign = if a == b { -1.0 } else { 1.0 };
            let shifts = taken_to(&columns[0], &held[a][0], &arms[a], &poses[a].r, sign);
            let turns = taken_to(&columns[1 + b], &held[a][1 + b], &arms[a], &poses[a].r, sign);
            add([&shifts, &turns], self.ends[a].columns, self.ends[b].columns, into.matrix.block(slot));
        }
    }

    /// The columns (2): of displacements, and of the rotations of both bodies.
    #[inline(always)]
    fn columns(&self, load: &Linearized, motion: &Motion, arms: &[Vec3; 2], poses: &[Pose; 2], [c_q, c_v]: [f64; 2]) -> [Half; 3] {
        let [by_u, by_psi, by_v, by_w] = &load.by;
        let [omega_i, omega_j] = [&poses[0].omega, &poses[1].omega];
        let mut out = [(by_u - times_skew(by_v, omega_j)) * c_q + by_v * c_v, Half::zeros(), Half::zeros()];
        if !self.ends.iter().any(End::turns) {
            return out;
        }
        let both = by_psi - times_skew(by_w, omega_i);
        let across = [skews(&arms[0], omega_i) - skews(&motion.w, &arms[0]), skews(&arms[1], omega_j) - skew(&motion.v)];
        for b in 0..2 {
            let by_pose = (both - times_skew(by_u, &arms[b]) + times(by_v, &across[b])) * c_q;
            let by_twist = (by_w - times_skew(by_v, &arms[b])) * c_v;
            let by_pose = if b == 1 { by_pose + pair(&skew(&(load.force * c_q)), &skew(&(load.torque * c_q))) } else { by_pose };
            out[1 + b] = times(&by_pose, &poses[b].turned) + times(&by_twist, &poses[b].r);
        }
        out
    }
}

/// The terms (3) on both bodies, by displacements and by the rotations of both.
#[inline(always)]
fn at_fixed_load(load: &Linearized, arms: &[Vec3; 2], poses: &[Pose; 2], c_q: f64) -> [[Mat3; 3]; 2] {
    let (force, torque, zero) = (load.force * c_q, load.torque * c_q, Mat3::zeros());
    let on_i = (skew(&torque) + skews(&arms[0], &force)) * poses[0].turned;
    let on_j = [-skew(&force), skews(&force, &arms[0]) * poses[0].turned, skew(&-(torque + arms[1].cross(&force))) * poses[1].turned];
    [[zero, on_i, zero], on_j]
}

/// Three columns of forces and torques on a marker as those on its body, with torques about the reference point and in the axes of the body.
#[inline(always)]
fn taken_to(half: &Half, held: &Mat3, arm: &Vec3, r: &Mat3, sign: f64) -> Half {
    let mut out = Half::zeros();
    for k in 0..3 {
        let force = Vec3::new(half[(0, k)], half[(1, k)], half[(2, k)]);
        let turn = arm.cross(&force);
        let torque = Vec3::new(half[(3, k)] + held[(0, k)], half[(4, k)] + held[(1, k)], half[(5, k)] + held[(2, k)]) + turn;
        for row in 0..3 {
            out[(row, k)] = sign * force[row];
            out[(3 + row, k)] = sign * (r[(0, row)] * torque.x + r[(1, row)] * torque.y + r[(2, row)] * torque.z);
        }
    }
    out
}

/// â b̂.
#[inline(always)]
fn skews(a: &Vec3, b: &Vec3) -> Mat3 {
    b * a.transpose() - Mat3::from_diagonal_element(a.dot(b))
}

/// Adds those rows and columns of the frames' six by six that the bodies have.
#[inline(always)]
fn add([shifts, turns]: [&Half; 2], rows: &[usize], columns: &[usize], block: &mut [f64]) {
    if rows.len() == 6 && columns.len() == 6 {
        let (first, last) = block.split_at_mut(18);
        first.iter_mut().zip(shifts.as_slice()).for_each(|(sum, new)| *sum += new);
        return last.iter_mut().zip(turns.as_slice()).for_each(|(sum, new)| *sum += new);
    }
    for (column, at) in block.chunks_exact_mut(rows.len()).zip(columns) {
        let half = if *at < 3 { shifts } else { turns };
        column.iter_mut().zip(rows).for_each(|(sum, row)| *sum += half[(*row, at % 3)]);
    }
}

/// How an end stands.
struct Stand {
    arm: Vec3,
    marker: MarkerState,
}

/// How its body stands: R, G and ω in world axes.
struct Pose {
    r: Mat3,
    turned: Mat3,
    omega: Vec3,
}

impl End {
    #[inline(always)]
    fn stand(&self, frames: &[BodyFrame]) -> Stand {
        let frame = &frames[self.body];
        let arm = frame.r * self.offset;
        let marker = MarkerState { p: frame.p + arm, r: frame.r * self.rotation, v: frame.v + frame.w.cross(&arm), w: frame.w };
        Stand { arm, marker }
    }

    #[inline(always)]
    fn pose(&self, work: &Work) -> Pose {
        let frame = &work.frames[self.body];
        Pose { r: frame.r, turned: frame.r * work.turns[self.body], omega: frame.w }
    }

    /// Whether its body turns.
    fn turns(&self) -> bool {
        self.columns.iter().any(|k| *k >= 3)
    }
}
