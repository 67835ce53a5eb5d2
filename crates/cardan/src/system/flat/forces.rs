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
use crate::forces::{Beam, Between, Bushing, Force, SpringDamper, Tangent};
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
            let (end, frame) = (&self.ends[b], &work.frames[self.ends[b].body]);
            let turned = frame.r * work.turns[end.body];
            let columns = stands[b].columns([&tangent.position[b], &tangent.velocity[b]], frame, &turned, w, end);
            for a in 0..2 {
                let Some(slot) = slots[a][b] else { continue };
                let held = at_fixed_load([a, b], &load, [&stands[b].arm, &reaches[1]], &turned, w.position);
                let (r, sign, reach) = (&work.frames[self.ends[a].body].r, [-1.0, 1.0][a], skew(&reaches[a]));
                for k in 0..2 {
                    let [force, torque] = &columns[k];
                    let torque = r.tr_mul(&(torque + held[k] + reach * force));
                    self.ends[a].add([force, &torque], sign, k, end, into.matrix.block(slot));
                }
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

    /// Adds those columns of a block that are displacements (0) or rotations (1) of the other body: forces, and torques on this body.
    #[inline(always)]
    fn add(&self, [force, torque]: [&Mat3; 2], sign: f64, half: usize, other: &End, block: &mut [f64]) {
        let rows = self.columns.len();
        for (column, at) in block.chunks_exact_mut(rows).zip(other.columns).filter(|(_, at)| **at / 3 == half) {
            let k = at % 3;
            match <&mut [f64; 6]>::try_from(&mut *column) {
                Ok(six) => (0..3).for_each(|m| {
                    six[m] += sign * force[(m, k)];
                    six[3 + m] += sign * torque[(m, k)];
                }),
                _ => column.iter_mut().zip(self.columns).for_each(|(sum, m)| {
                    *sum += sign * if *m < 3 { force[(*m, k)] } else { torque[(m - 3, k)] };
                }),
            }
        }
    }
}

impl Stand {
    /// D and A (2) of a body, their forces and their torques, from K and C of its marker.
    #[inline(always)]
    fn columns(&self, [position, velocity]: [&Mat6; 2], frame: &BodyFrame, turned: &Mat3, w: &Weights, end: &End) -> [[Mat3; 2]; 2] {
        let quarter = |m: &Mat6, part: usize, half: usize| m.fixed_view::<3, 3>(3 * part, 3 * half).into_owned();
        let mut out = [[Mat3::zeros(); 2]; 2];
        let (arm, swing, spin) = (skew(&self.arm), skew(&frame.w.cross(&self.arm)), skew(&frame.w));
        for part in 0..2 {
            let (k_u, c_u) = (quarter(position, part, 0), quarter(velocity, part, 0));
            out[0][part] = k_u * w.position + c_u * w.velocity;
            if end.turns() {
                let (k_theta, c_theta) = (quarter(position, part, 1), quarter(velocity, part, 1));
                let by_pose = k_theta - k_u * arm - c_u * swing - c_theta * spin;
                out[1][part] = by_pose * (turned * w.position) + (c_theta - c_u * arm) * (frame.r * w.velocity);
            }
        }
        out
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
