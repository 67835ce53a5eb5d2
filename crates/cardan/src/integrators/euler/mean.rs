//! Forces that change sides with the state, as contacts and stops do, act with their mean over the way of a step. Where a force has a
//! potential U along the way Δ = h v̂, its mean is a discrete gradient of it (Gonzalez, Time integration and discrete Hamiltonian systems,
//! J. Nonlinear Sci. 6, 1996),
//!
//! ```text
//! Q̄ = ∫₀¹ Q(q_n ⊕ s Δ, v̂, t_n + s h) ds,     Δ·Q̄ = U(q_n) − U(q_{n+1})                                                  (1)
//! ```
//!
//! so that a step which a contact begins or ends in takes from the motion what the contact stores. The integral is that of two points of
//! Gauss on each of three parts of the way. The parts end where forces change sides: an operation with sides x < y or x > y has the margin
//! x − y, which is as good as linear over a step.
//!
//! As Q̄ depends on the end of the step it is found by a fixed number of Newton iterations, with half of the stiffness at the start and half
//! of that where the bodies would go by themselves: one of them has the contact, and the error of each iteration is a part of the last one. Where
//! it is missed by the works w and w' of this and the last iteration, the secant through them goes on from
//!
//! ```text
//! (1 − θ) load + θ load',     θ = w / (w − w')                                                                         (2)
//! ```

use super::at_work::EulerStep;
use crate::expr::Side;
use crate::integrators::advance::Site;
use crate::system::{Evaluated, Jacobian, State, Switches, System, Weights, Work};

/// Iterations for Q̄.
pub(super) const ITERATIONS: usize = 4;
/// Evaluations of expressions for one Q̄: at the points of Gauss, and of the margins at both ends.
pub(super) const POINTS: usize = 8;
/// Points of Gauss on [0, 1].
const GAUSS: [f64; 2] = [0.211_324_865_405_187_13, 0.788_675_134_594_812_9];
/// θ is kept between these: the secant is meant for errors that shrink.
const KEPT: [f64; 2] = [-5.0, 0.9];
/// Changes of sides nearer to each other, as a part of the step, are one.
const NEAR: f64 = 1e-9;

/// Forces that change sides, over the attempted step.
#[derive(Debug)]
pub(super) struct Mean {
    switches: Switches,
    /// Their part of the matrix of the first half.
    pub jacobian: Jacobian,
    /// Q̄.
    pub force: Vec<f64>,
    /// Q at the start, then at the end.
    pub at_end: Vec<f64>,
    /// Work of Q̄ over the step, and that by which Q̄ misses what was applied in the first half.
    pub work: f64,
    pub missing: f64,
    /// The margin that changes its sign, of a force that does so within the step.
    crossing: Option<usize>,
    margins: [Vec<Side>; 2],
    point: State,
    part: Vec<f64>,
}

impl Mean {
    /// None where no force changes sides.
    pub fn of(system: &System) -> Option<Box<Self>> {
        let switches = system.kinks();
        let zeros = || vec![0.0; system.nv()];
        switches.in_forces().then(|| {
            Box::new(Self {
                switches,
                jacobian: Jacobian::new(system),
                force: zeros(),
                at_end: zeros(),
                work: 0.0,
                missing: 0.0,
                crossing: None,
                margins: [vec![], vec![]],
                point: system.initial().clone(),
                part: zeros(),
            })
        })
    }

    /// The force that changes sides within the step, if one does.
    pub fn name<'s>(&self, system: &'s System) -> Option<&'s str> {
        self.crossing.map(|margin| system.switching_name(&self.switches, margin))
    }

    /// The work that was brought: that of Q̄, which a contact stores; where no force changes sides on the way, but with velocities, that of
    /// what was applied.
    pub fn brought(&self) -> f64 {
        if self.crossing.is_some() { self.work } else { self.work - self.missing }
    }

    /// Q̄ over the way from `from` to `to`, by Δ and with the velocities, states and unknowns of `to`.
    fn over(&mut self, from: &State, to: &State, way: &[f64], system: &System, work: &mut Work) {
        self.point.copy_from(to);
        let mut scaled = std::mem::take(&mut self.part);
        self.force.fill(0.0);
        for (end, s) in [0.0, 1.0].into_iter().enumerate() {
            self.go(s, from, to, way, &mut scaled, system);
            system.margins(&self.switches, &self.point, work, &mut self.margins[end]);
        }
        let [first, second] = self.breaks();
        for (start, end) in [(0.0, first), (first, second), (second, 1.0)] {
            for place in GAUSS {
                self.go(start + place * (end - start), from, to, way, &mut scaled, system);
                system.switching_forces(&self.point, work, &mut scaled);
                self.force.iter_mut().zip(&scaled).for_each(|(mean, force)| *mean += 0.5 * (end - start) * force);
            }
        }
        self.part = scaled;
    }

    /// Puts `point` at a part of the way.
    fn go(&mut self, s: f64, from: &State, to: &State, way: &[f64], scaled: &mut [f64], system: &System) {
        scaled.iter_mut().zip(way).for_each(|(z, d)| *z = s * d);
        system.retract(&from.q, scaled, &mut self.point.q);
        self.point.t = from.t + s * (to.t - from.t);
    }

    /// Where the parts of the way end: at the first and the last change of sides.
    fn breaks(&mut self) -> [f64; 2] {
        let (mut first, mut last) = (1.0_f64, 0.0_f64);
        self.crossing = None;
        for (k, (a, b)) in self.margins[0].iter().zip(&self.margins[1]).enumerate() {
            let (a, b) = (a.margin, b.margin);
            if a.is_finite() && b.is_finite() && (a < 0.0) != (b < 0.0) {
                let s = a / (a - b);
                (first, last) = (first.min(s), last.max(s));
                self.crossing = Some(k);
            }
        }
        match self.crossing {
            None => [1.0 / 3.0, 2.0 / 3.0],
            Some(_) if last - first > NEAR => [first, last],
            Some(_) if first > 0.5 => [0.5 * first, first],
            Some(_) => [first, 0.5 * (1.0 + first)],
        }
    }
}

impl EulerStep {
    /// Half of the stiffness where the step starts, and half of it where the bodies would go by themselves, where `next` stands.
    pub(super) fn add_switching_mass(&mut self, site: &mut Site, h: f64) {
        let (Some(mean), Site { system, now, next, work, kkt, .. }) = (&mut self.mean, site) else { return };
        let none = Weights { mass: 0.0, state_rate: 0.0, ..Weights::mass_only(&kkt.regularization) };
        let weights = Weights { acceleration: 0.5, velocity: 0.25 * h, position: 0.125 * h * h, state: 0.25 * h, ..none };
        mean.jacobian.clear();
        for x in [&now.x, &next.x] {
            system.add_switching_tangent(x, &weights, work, &mut mean.jacobian);
        }
        self.implicit.jacobian.add(&mean.jacobian);
    }

    /// Leaves these forces out of the forces.
    pub(super) fn take_out_switching(&mut self, at: &mut Evaluated) {
        if let Some(mean) = &mut self.mean {
            at.switching_forces(&mut mean.at_end);
            self.forces.iter_mut().zip(&mean.at_end).for_each(|(all, own)| *all -= own);
        }
    }

    /// Adds Q̄ and what the matrix says of these forces to `slopes`: the load of (5) for the unknowns so far.
    pub(super) fn add_mean(&mut self, site: &mut Site) {
        let nv = self.lambda.start;
        if let Some(mean) = &mut self.mean {
            mean.over(&site.now.x, &site.next.x, &self.shift[..nv], site.system, &mut site.work);
            self.slopes.iter_mut().zip(&mean.force).for_each(|(load, force)| *load += force);
            self.negative.iter_mut().zip(&self.total).for_each(|(z, total)| *z = -total);
            mean.jacobian.residual(&self.negative, &self.slopes, &mut self.room);
            self.slopes[..nv].copy_from_slice(&self.room[..nv]);
        }
    }

    /// (2), for the loads that `slopes` adds to those so far.
    pub(super) fn hasten(&mut self) {
        let Some(mean) = &self.mean else { return };
        let nv = self.lambda.start;
        let missed = dot(&self.shift[..nv], &self.slopes);
        let theta = missed / (missed - self.missed);
        let kept = if mean.crossing.is_some() && theta.is_finite() { theta.clamp(KEPT[0], KEPT[1]) } else { 0.0 };
        for ((more, load), found) in self.slopes[..nv].iter_mut().zip(&self.load).zip(&mut self.found) {
            let now = *more + load;
            *more += kept * (*found - now);
            *found = now;
        }
        self.missed = missed;
    }

    /// With Δ and the load by which the last Q̄ misses that of the first half.
    pub(super) fn note_work(&mut self) {
        if let Some(mean) = &mut self.mean {
            (mean.work, mean.missing) = (dot(&self.shift, &mean.force), 0.5 * dot(&self.shift, &self.slopes[..mean.force.len()]));
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
