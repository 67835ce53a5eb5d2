//! Forces of the common kinds between markers that stand fast on their bodies, evaluated from the frames of the bodies. With arms s_i, s_j
//! from the reference points of the bodies to the markers and d = p_i − p_j of the markers, force F and torque M on marker i act as
//!
//! ```text
//! on i:  F,  M + s_i × F              on j:  −F,  −(M + (d + s_j) × F)                                       (1)
//! ```
//!
//! A body's displacement δr and rotation R T δφ displace a marker by δr − ŝ G δφ and turn it by G δφ, G = R T; its velocities change by
//! δv − ŝ R δω − (ω × s)^ G δφ and R δω − ω̂ G δφ. With the derivatives K of (F, M) by the marker's pose and C by its twist, in halves of
//! displacements (u) and rotations (θ), the columns of a body are
//!
//! ```text
//! D = c_q K_u + c_v C_u,      A = c_q (K_θ − K_u ŝ − C_u (ω × s)^ − C_θ ω̂) G + c_v (C_θ − C_u ŝ) R            (2)
//! ```
//!
//! Their rows of torques are taken to the reference points by (1), with what arms and d change there at a fixed load,
//!
//! ```text
//! on i, A of i:   (M̂ + ŝ_i F̂) G_i          on j, D of i, j:   ∓F̂        A of i:   F̂ ŝ_i G_i
//!                                           A of j:   (M + (d + s_j) × F)^ G_j        all times c_q            (3)
//! ```
//!
//! and then turned to body axes. Blocks of bodies that do not turn have less rows and columns.

use crate::bodies::{BodyFrame, MarkerState, Wrench};
use crate::forces::{Beam, Between, Bushing, Force, Half, SpringDamper, Tangent, times, times_skew};
use crate::math::{Mat3, Mat6, Vec3, skew};
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

    /// Adds stiffness and damping of those forces that count.
    pub fn add_blocks(&self, counts: impl Fn(usize) -> bool, w: &Weights, work: &Work, into: &mut Target) {
        let mut tangent = Tangent::zero();
        self.bushings.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, &mut tangent, into));
        self.beams.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, &mut tangent, into));
        self.springs.iter().filter(|f| counts(f.number)).for_each(|f| f.add_blocks(w, work, &mut tangent, into));
    }
}

impl<L: Between> FlatForce<L> {
    /// Equation (1); what is gathered has the sign of constraint forces.
    #[inline(always)]
    fn evaluate(&self, frames: &[BodyFrame], wrenches: &mut [Wrench]) {
        let [i, j] = self.ends.each_ref().map(|end| end.stand(&frames[end.body]));
        let (force, torque) = self.law.load(&i.marker, &j.marker);
        let on_i = &mut wrenches[self.ends[0].body];
        on_i.force -= force;
        on_i.torque -= torque + i.arm.cross(&force);
        let on_j = &mut wrenches[self.ends[1].body];
        on_j.force += force;
        on_j.torque += torque + (i.marker.p - j.marker.p + j.arm).cross(&force);
    }

    /// Adds the blocks of both bodies.
    #[inline(always)]
    fn add_blocks(&self, w: &Weights, work: &Work, tangent: &mut Tangent, into: &mut Target) {
        let stands = self.ends.each_ref().map(|end| end.stand(&work.frames[end.body]));
        let load = self.law.load_and_tangent(&stands[0].marker, &stands[1].marker, tangent);
        let slots = &into.slots.forces[self.number].bodies;
        let reaches = [stands[0].arm, stands[0].marker.p - stands[1].marker.p + stands[1].arm];
        for b in 0..2 {
            let frame = &work.frames[self.ends[b].body];
            let turned = frame.r * work.turns[self.ends[b].body];
            let columns = stands[b].columns(tangent, b, frame, &turned, w, &self.ends[b]);
            for a in 0..2 {
                let Some(slot) = slots[a][b] else { continue };
                let held = at_fixed_load([a, b], &load, [&stands[b].arm, &reaches[1]], &turned, w.position);
                let r = &work.frames[self.ends[a].body].r;
                let halves = [0, 1].map(|k| at_body(&columns[k], &reaches[a], &held[k], r, [-1.0, 1.0][a]));
                self.ends[a].add(&self.ends[b], &halves, into.matrix.block(slot));
            }
        }
    }
}

/// How an end stands.
struct Stand {
    arm: Vec3,
    marker: MarkerState,
}

impl End {
    #[inline(always)]
    fn stand(&self, frame: &BodyFrame) -> Stand {
        let arm = frame.r * self.offset;
        let marker = MarkerState { p: frame.p + arm, r: frame.r * self.rotation, v: frame.v + frame.w.cross(&arm), w: frame.w };
        Stand { arm, marker }
    }

    /// Whether its body turns.
    fn turns(&self) -> bool {
        self.columns.iter().any(|k| *k >= 3)
    }

    /// Adds a block of this body's rows and the other one's columns, given for all velocities of their frames.
    #[inline]
    fn add(&self, other: &End, halves: &[Half; 2], block: &mut [f64]) {
        let rows = self.columns.len();
        if rows == 6 && other.columns.len() == 6 {
            let given = halves[0].iter().chain(halves[1].iter());
            return block.iter_mut().zip(given).for_each(|(sum, x)| *sum += x);
        }
        for (column, from) in block.chunks_exact_mut(rows).zip(other.columns) {
            let half = halves[from / 3].column(from % 3);
            column.iter_mut().zip(self.columns).for_each(|(sum, row)| *sum += half[*row]);
        }
    }
}

impl Stand {
    /// D and A (2) of body b.
    #[inline(always)]
    fn columns(&self, tangent: &Tangent, b: usize, frame: &BodyFrame, turned: &Mat3, w: &Weights, end: &End) -> [Half; 2] {
        let [k_u, k_theta] = halves(&tangent.position[b], w.position);
        let [c_u, c_theta] = halves(&tangent.velocity[b], 1.0);
        let by_shift = k_u + c_u * w.velocity;
        if !end.turns() {
            return [by_shift, Half::zeros()];
        }
        let spun = times_skew(&c_u, &frame.w.cross(&self.arm)) + times_skew(&c_theta, &frame.w);
        let by_pose = k_theta - times_skew(&k_u, &self.arm) - spun * w.position;
        let by_twist = (c_theta - times_skew(&c_u, &self.arm)) * w.velocity;
        [by_shift, times(&by_pose, turned) + times(&by_twist, &frame.r)]
    }
}

/// The terms (3) of the block (a, b), `turned` being G of body b, whose arm comes first; the other one is d + s_j.
#[inline(always)]
fn at_fixed_load(place: [usize; 2], (force, torque): &(Vec3, Vec3), [arm, reach]: [&Vec3; 2], turned: &Mat3, c_q: f64) -> [Mat3; 2] {
    let pull = skew(&(force * c_q));
    match place {
        [0, 0] => [Mat3::zeros(), (skew(&(torque * c_q)) + skew(arm) * pull) * turned],
        [1, 0] => [-pull, pull * skew(arm) * turned],
        [1, 1] => [pull, skew(&((torque + reach.cross(force)) * c_q)) * turned],
        _ => [Mat3::zeros(); 2],
    }
}

/// Columns of forces and torques at the end of a reach, taken to the reference point of a body with this rotation.
#[inline(always)]
fn at_body(columns: &Half, reach: &Vec3, held: &Mat3, r: &Mat3, sign: f64) -> Half {
    let mut out = Half::zeros();
    for k in 0..3 {
        let force = columns.fixed_view::<3, 1>(0, k).into_owned();
        let torque = columns.fixed_view::<3, 1>(3, k) + held.column(k) + reach.cross(&force);
        out.fixed_view_mut::<3, 1>(0, k).copy_from(&(force * sign));
        out.fixed_view_mut::<3, 1>(3, k).copy_from(&(r.tr_mul(&torque) * sign));
    }
    out
}

/// The columns of displacements and of rotations of a 6×6 matrix, times a factor.
#[inline(always)]
fn halves(m: &Mat6, factor: f64) -> [Half; 2] {
    [m.fixed_columns::<3>(0) * factor, m.fixed_columns::<3>(3) * factor]
}
