//! What assembly changed of what the user gave: positions to close the joints, velocities to keep them closed. Repairs of round-off and
//! of rounded coordinates are not worth a word,
//!
//! ```text
//! moved      |Δr| > 1e-3 l   or   |Δφ| > 1e-3                 l the size of the body                      (1)
//! changed    |Δv| + l |Δω| > 1e-3 max (|v| + l |ω|)           over all bodies, as given and as used        (2)
//! ```
//!
//! Velocities are said to have changed where some were given: a model at rest that a motion drives has lost nothing.

use crate::system::{State, System, Work};
use std::collections::HashMap;
use std::fmt;

/// Movements smaller than this are round-off, m and rad.
const UNMOVED: f64 = 1e-12;
/// What is worth a word, relative to the size of a body and to the fastest one (1, 2).
const SAID: f64 = 1e-3;
/// At most this many bodies are named in a sentence.
const NAMED: usize = 6;

/// A body that assembly moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// The body.
    pub body: String,
    /// How far its centre of mass moved, m.
    pub distance: f64,
    /// How far it turned, rad.
    pub rotation: f64,
}

/// A body whose initial velocity the constraints changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Redirected {
    /// The body.
    pub body: String,
    /// Change of the velocity of its centre of mass, m/s.
    pub linear: f64,
    /// Change of its angular velocity, rad/s.
    pub angular: f64,
}

/// Initial velocities that the constraints changed.
#[derive(Debug, Clone, PartialEq)]
pub struct VelocityChange {
    /// Kinetic energy of the velocities as given, J.
    pub given: f64,
    /// Kinetic energy of those used, J.
    pub used: f64,
    /// The bodies, the largest change first.
    pub bodies: Vec<Redirected>,
}

impl fmt::Display for VelocityChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amount = |b: &Redirected| amount(&b.body, (b.linear, "m/s"), (b.angular, "rad/s"));
        let (given, used) = (short(self.given), short(self.used));
        write!(
            f,
            "the initial velocities violate the constraints and were changed: {given} J of kinetic energy given, {used} J used; {}. \
             Give velocities that fit the joints, or drive one joint by a motion",
            shortened(self.bodies.iter().map(amount))
        )
    }
}

/// The bodies that had to move.
pub(super) fn movements(system: &System, from: &[f64], to: &[f64]) -> Vec<Moved> {
    let mut delta = vec![0.0; system.nv()];
    system.difference(from, to, &mut delta);
    let movement = |body: &crate::system::CompiledBody| {
        let (distance, rotation) = body.shape.split_norms(&delta[body.v()]);
        Moved { body: body.name.clone(), distance, rotation }
    };
    system.bodies().iter().map(movement).filter(|m| m.distance > UNMOVED || m.rotation > UNMOVED).collect()
}

/// A sentence about bodies that moved far (1).
pub(super) fn moved_far(system: &System, moved: &[Moved]) -> Option<String> {
    let sizes: HashMap<&str, f64> = system.bodies().iter().map(|b| b.name.as_str()).zip(system.lengths()).collect();
    let share = |m: &Moved| (m.distance / sizes.get(m.body.as_str()).copied().unwrap_or(1.0)).max(m.rotation);
    let mut far: Vec<(&Moved, f64)> = moved.iter().map(|m| (m, share(m))).filter(|(_, share)| *share > SAID).collect();
    far.sort_by(|a, b| b.1.total_cmp(&a.1));
    let amounts = far.iter().map(|(m, _)| amount(&m.body, (m.distance, "m"), (m.rotation, "rad")));
    let sentence =
        |amounts| format!("bodies were moved to close the joints: {amounts}. Place them nearer if another configuration is meant");
    (!far.is_empty()).then(|| sentence(shortened(amounts)))
}

/// What became of the velocities as given (2).
pub(super) fn velocities(system: &System, x: &State, work: &mut Work) -> Option<VelocityChange> {
    let given = system.initial();
    let (lengths, mut bodies) = (system.lengths(), Vec::new());
    let speed = |body: &crate::system::CompiledBody, size: f64, v: &[f64]| {
        let (linear, angular) = body.shape.split_norms(v);
        linear + size * angular
    };
    let (mut fastest, mut lost) = (0.0_f64, 0.0_f64);
    for (body, size) in system.bodies().iter().zip(&lengths) {
        let (from, to) = (&given.v[body.v()], &x.v[body.v()]);
        let change: Vec<f64> = to.iter().zip(from).map(|(b, a)| b - a).collect();
        let ((linear, angular), all) = (body.shape.split_norms(&change), speed(body, *size, &change));
        fastest = fastest.max(speed(body, *size, from)).max(speed(body, *size, to));
        if from.iter().any(|v| *v != 0.0) {
            lost = lost.max(all);
        }
        bodies.push((all, Redirected { body: body.name.clone(), linear, angular }));
    }
    if lost <= SAID * fastest {
        return None;
    }
    bodies.retain(|(all, _)| *all > SAID * fastest);
    bodies.sort_by(|a, b| b.0.total_cmp(&a.0));
    let bodies = bodies.into_iter().map(|(_, body)| body).collect();
    Some(VelocityChange { given: system.energy(given, work).kinetic, used: system.energy(x, work).kinetic, bodies })
}

/// `'rod' by 1.2 m and 0.3 rad`; parts that are round-off are left out.
fn amount(body: &str, linear: (f64, &str), angular: (f64, &str)) -> String {
    let parts: Vec<String> = [linear, angular].iter().filter(|p| p.0 > UNMOVED).map(|(x, unit)| format!("{} {unit}", short(*x))).collect();
    format!("'{body}' by {}", parts.join(" and "))
}

/// Three digits.
fn short(x: f64) -> String {
    if x == 0.0 {
        "0".into()
    } else if (1e-3..1e4).contains(&x) {
        let decimals = (2.0 - x.log10().floor()).max(0.0) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.2e}")
    }
}

/// The first of these, and how many more there are.
fn shortened(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    match all.len().saturating_sub(NAMED) {
        0 => all.join(", "),
        more => format!("{} and {more} more", all[..NAMED].join(", ")),
    }
}
