//! Singular configurations: where the rank of G drops at one configuration only, and the motion branches.
//!
//! If rows are redundant, the mechanism is moved a little, along a random velocity with G v = 0 (mass-weighted projection of a
//! random one) and along its own velocity, put back onto the constraints, and its rank taken again. A larger rank there means
//! that the redundancy is one of this configuration, not of the mechanism.

use super::assembly_error::list;
use super::positions::Positions;
use super::redundancy::{Redundancy, names};
use crate::math::random::Random;
use crate::system::{Kkt, State, System, Work};

/// Largest turn, or displacement against the extent of the model, of a probe.
const STEP: f64 = 0.02;
const PROBES: u64 = 3;
/// ε of the projections.
const FLOOR: f64 = 1e-10;
/// A probe that takes longer says nothing.
const ITERATIONS: usize = 25;
const NAMED: usize = 20;

/// A warning if this configuration is singular. `x` has consistent positions and velocities.
pub(super) fn warning(system: &System, x: &State, here: &Redundancy, kkt: &mut Kkt, work: &mut Work) -> Option<String> {
    if here.redundant.is_empty() || here.degrees_of_freedom == 0 && x.v.iter().all(|v| *v == 0.0) {
        return None;
    }
    let mut directions: Vec<(Vec<f64>, f64)> = vec![(x.v.clone(), 1.0)];
    directions.extend((0..PROBES).filter_map(|seed| admissible(system, x, here, seed, kkt, work)).map(|v| (v, 0.0)));
    let there = directions.iter().filter_map(|(v, rate)| probe(system, x, v, *rate, kkt, work)).max_by_key(|r| r.rank)?;
    if there.rank <= here.rank {
        return None;
    }
    let gone = here.redundant.iter().filter(|r| there.redundant.iter().all(|t| t.row != r.row));
    let mut rows: Vec<usize> = gone.flat_map(|r| r.combination.iter().map(|c| c.0)).collect();
    if rows.is_empty() {
        rows.clone_from(&here.non_unique_rows);
    }
    let joints = list(&names(system, rows, NAMED));
    let (dof, generic) = (here.degrees_of_freedom, there.degrees_of_freedom);
    Some(format!(
        "the mechanism starts in a singular configuration: here it has {dof} degrees of freedom, a little beside it {generic}. \
         The constraints {joints} block the same motion only here, and the motion can branch; \
         start a little beside this configuration to choose the branch"
    ))
}

/// A random velocity that the constraints admit at this configuration.
fn admissible(system: &System, x: &State, here: &Redundancy, seed: u64, kkt: &mut Kkt, work: &mut Work) -> Option<Vec<f64>> {
    let mut random = Random::new(seed);
    let mut y = x.clone();
    y.v.fill(0.0);
    y.lambda.fill(0.0);
    let explicit = system.evaluate(&y, work).phi_dot().to_vec();
    y.v.iter_mut().for_each(|v| *v = random.range(-1.0, 1.0));
    kkt.regularization.clone_from(&here.regularization);
    for _ in 0..2 {
        let mut at = system.evaluate(&y, work);
        let rows: Vec<f64> = explicit.iter().zip(at.phi_dot()).map(|(e, p)| e - p).collect();
        let step = kkt.correction(&mut at, &rows).ok()?;
        y.v.iter_mut().zip(step).for_each(|(v, d)| *v += d);
    }
    Some(y.v)
}

/// The rank a small step along `v` (with time running at `rate`) away.
fn probe(system: &System, x: &State, v: &[f64], rate: f64, kkt: &mut Kkt, work: &mut Work) -> Option<Redundancy> {
    let size = system.largest_turn(v).max(system.largest_displacement(v) / system.extent(x, work));
    if size <= 1e-12 {
        return None;
    }
    let h = STEP / size;
    let delta: Vec<f64> = v.iter().map(|v| h * v).collect();
    let mut y = x.clone();
    system.retract(&x.q, &delta, &mut y.q);
    y.t += h * rate;
    Positions::new(system, kkt, work, FLOOR, ITERATIONS).project(&mut y).ok()?;
    Some(Redundancy::new(system, &y, work))
}
