//! Random spatial trees, closed loops, and large models.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/rig.rs"]
mod common;

use cardan::analysis::Redundancy;
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::Work;
use common::*;
use std::time::Instant;

fn add_random_joint(rig: &mut Rig, random: &mut Random, name: &str, i: BodyId, j: BodyId, at: Vec3) {
    let (at, axes) = (at.into(), random.rotation());
    match random.bits() % 6 {
        0 => rig.joint(name, Revolute, i, j, at, axes),
        1 => rig.joint(name, Spherical, i, j, at, axes),
        2 => rig.joint(name, Universal, i, j, at, axes),
        3 => rig.joint(name, Cylindrical, i, j, at, axes),
        4 => rig.joint(name, Translational, i, j, at, axes),
        _ => rig.joint(name, Fixed, i, j, at, axes),
    };
}

/// A tree of bodies, and `loops` more spherical joints that close loops.
fn random_mechanism(seed: u64, bodies: usize, loops: usize, error: f64) -> Rig {
    let mut rig = Rig::new("random").off_by(error, seed + 1000);
    rig.model.set_gravity([1.0, 2.0, -9.81]);
    let mut random = Random::new(seed);
    let mut all = vec![(BodyId::GROUND, Vec3::zeros())];
    for k in 0..bodies {
        let (parent, center) = all[random.bits() as usize % all.len()];
        let joint = center + random.vector(1.0);
        let at = joint + random.vector(1.0);
        let body = rig.rigid(&format!("body{k}"), at.into(), random.rotation());
        add_random_joint(&mut rig, &mut random, &format!("joint{k}"), body, parent, joint);
        all.push((body, at));
    }
    for k in 0..loops {
        let i = random.bits() as usize % all.len();
        let j = (i + 1 + random.bits() as usize % (all.len() - 1)) % all.len();
        let at = 0.5 * (all[i].1 + all[j].1) + random.vector(0.5);
        rig.joint(&format!("loop{k}"), Spherical, all[i].0, all[j].0, at.into(), Quat::identity());
    }
    rig
}

fn check(system: &System, seed: u64) -> Assembly {
    let assembly = assemble(system).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let [phi, phi_dot, acceleration, force] = residuals(system, &assembly.state);
    assert!(phi < 1e-13 && phi_dot < 1e-11, "seed {seed}: positions {phi:e}, velocities {phi_dot:e}");
    let scale = 1.0 + largest(&assembly.state.a) + largest(&assembly.state.lambda);
    assert!(
        acceleration < 1e-11 * scale && force < 1e-11 * scale,
        "seed {seed}: accelerations {acceleration:e}, forces {force:e} of {scale:e}"
    );
    let rank = dense_gradient(system, &assembly.state).svd(false, false).singular_values.iter().filter(|s| **s > 1e-9).count();
    assert_eq!(assembly.redundancy.rank, rank, "seed {seed}");
    assembly
}

#[test]
fn random_trees_assemble_to_round_off() {
    for seed in 0..60 {
        let assembly = check(&random_mechanism(seed, 1 + seed as usize % 15, 0, 0.2).system(), seed);
        assert!(assembly.redundancy.redundant.is_empty(), "seed {seed}: a tree has no redundant rows");
    }
}

#[test]
fn random_loops_assemble_to_round_off() {
    let mut closed = 0;
    for seed in 0..60 {
        let rig = random_mechanism(seed, 4 + seed as usize % 12, 1 + seed as usize % 3, 0.02);
        closed += usize::from(check(&rig.system(), seed).redundancy.degrees_of_freedom > 0);
    }
    assert!(closed > 40, "{closed}");
}

#[test]
fn trees_come_together_from_far_away() {
    for seed in 0..30 {
        check(&random_mechanism(seed, 6, 0, 0.8).system(), seed);
    }
}

#[test]
fn velocities_change_least_in_the_mass_metric() {
    let system = random_mechanism(4, 6, 1, 0.05).system();
    let assembly = assemble(&system).unwrap();
    let x = &assembly.state;
    // M (v − v₀) is in the row space of G: no admissible velocity has a component along it.
    let g = dense_gradient(&system, x);
    let delta: Vec<f64> = x.v.iter().zip(&system.initial().v).map(|(a, b)| a - b).collect();
    let mut momentum = vec![0.0; system.nv()];
    system.add_mass_times(&x.q, &delta, 1.0, &mut momentum);
    let p = nalgebra::DVector::from_vec(momentum);
    let fit = g.transpose().svd(true, true).solve(&p, 1e-10).unwrap();
    assert!(p.amax() > 1e-2 && (g.transpose() * fit - &p).amax() < 1e-10);
}

fn rank(name: &str, system: &System) -> Redundancy {
    let mut work = Work::new(system);
    let start = Instant::now();
    let redundancy = Redundancy::new(system, system.initial(), &mut work);
    let (time, found) = (start.elapsed(), redundancy.redundant.len());
    let entries: usize = redundancy.redundant.iter().map(|r| r.combination.len()).sum();
    println!("{name}: {} rows, rank {} in {time:?}, {found} redundant ({entries} coefficients)", system.rows(), redundancy.rank);
    assert!(time.as_secs_f64() < 20.0, "{name}: rank analysis took {time:?}");
    redundancy
}

fn timed(name: &str, system: &System) -> Assembly {
    rank(name, system);
    let start = Instant::now();
    let assembly = assemble(system).unwrap();
    println!("{name}: assembled in {:?}", start.elapsed());
    assert!(start.elapsed().as_secs_f64() < 60.0);
    assembly
}

fn chain(links: usize, closed: bool) -> System {
    let mut rig = Rig::new("chain");
    rig.model.set_gravity([0.0, -9.81, 0.0]);
    let mut last = BodyId::GROUND;
    for k in 0..links {
        let link = rig.rigid(&format!("link{k}"), [0.1 * (k as f64 + 0.5), 0.0, 0.0], Quat::identity());
        let axis = if closed { [0.0, 0.0, 1.0] } else { [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]][k % 2] };
        rig.joint(&format!("joint{k}"), Revolute, link, last, [0.1 * k as f64, 0.0, 0.0], z_to(axis));
        last = link;
    }
    if closed {
        rig.joint("last", Revolute, BodyId::GROUND, last, [0.1 * links as f64, 0.0, 0.0], Quat::identity());
    }
    rig.system()
}

#[test]
fn a_chain_of_ten_thousand_joints() {
    let assembly = timed("chain", &chain(10_000, false));
    assert_eq!(assembly.redundancy.degrees_of_freedom, 10_000);
    assert!(assembly.redundancy.redundant.is_empty());
}

#[test]
fn a_ladder_of_ten_thousand_joints() {
    // Cells of a parallel linkage: each new post and beam closes a loop with three redundant rows.
    let mut rig = Rig::new("ladder");
    rig.model.set_gravity([0.0, -9.81, 0.0]);
    let cells = 3333;
    let post = |rig: &mut Rig, k: usize| {
        let body = rig.rigid(&format!("post{k}"), [k as f64, 0.5, 0.0], Quat::identity());
        rig.joint(&format!("foot{k}"), Revolute, body, BodyId::GROUND, [k as f64, 0.0, 0.0], Quat::identity());
        body
    };
    let mut last = post(&mut rig, 0);
    for k in 1..=cells {
        let next = post(&mut rig, k);
        let beam = rig.rigid(&format!("beam{k}"), [k as f64 - 0.5, 1.0, 0.0], Quat::identity());
        rig.joint(&format!("left{k}"), Revolute, beam, last, [k as f64 - 1.0, 1.0, 0.0], Quat::identity());
        rig.joint(&format!("right{k}"), Revolute, next, beam, [k as f64, 1.0, 0.0], Quat::identity());
        last = next;
    }
    let assembly = timed("ladder", &rig.system());
    assert_eq!(assembly.redundancy.degrees_of_freedom, 1);
    assert_eq!(assembly.redundancy.redundant.len(), 3 * cells);
}

/// 71 × 71 plates in the xy plane, each joined to its neighbours near the middle between them: 9940 joints.
const SIDE: usize = 71;

fn grid(side: usize, kind: impl JointType + Copy + 'static, scatter: Vec3) -> System {
    let mut rig = Rig::new("grid");
    let mut random = Random::new(8);
    let at = |k: usize| Vec3::new((k % side) as f64, (k / side) as f64, 0.0);
    let plates: Vec<BodyId> = (0..side * side).map(|k| rig.rigid(&format!("plate{k}"), at(k).into(), Quat::identity())).collect();
    let mut join = |a: usize, b: usize| {
        let middle = 0.5 * (at(a) + at(b)) + random.vector(0.2).component_mul(&scatter);
        rig.joint(&format!("joint{a}-{b}"), kind, plates[a], plates[b], middle.into(), Quat::identity());
    };
    for k in 0..side * side {
        if k % side + 1 < side {
            join(k, k + 1);
        }
        if k + side < side * side {
            join(k, k + side);
        }
    }
    rig.system()
}

#[test]
fn a_grid_of_ten_thousand_ball_joints() {
    let assembly = timed("grid", &grid(SIDE, Spherical, Vec3::new(1.0, 1.0, 1.0)));
    assert!(assembly.redundancy.redundant.is_empty());
    assert_eq!(assembly.redundancy.degrees_of_freedom, 6 * SIDE * SIDE - 3 * 2 * SIDE * (SIDE - 1));
}

#[test]
fn small_hinged_grids_have_the_rank_of_singular_values() {
    for side in 2..10 {
        let system = grid(side, Revolute, Vec3::new(1.0, 1.0, 0.0));
        let g = dense_gradient(&system, system.initial());
        let s = g.svd(false, false).singular_values;
        let dense = s.iter().filter(|s| **s > 1e-9).count();
        let sparse = rank("small", &system).rank;
        assert_eq!(sparse, dense, "side {side}");
    }
}

#[test]
fn a_rigid_grid_of_a_thousand_hinges() {
    // Hinges normal to the plane at irregular points: the plates move as one body, all other rows are redundant.
    let side = 24;
    let system = grid(side, Revolute, Vec3::new(1.0, 1.0, 0.0));
    let redundancy = rank("hinged grid", &system);
    assert_eq!(redundancy.degrees_of_freedom, 6);
    assert_eq!(redundancy.redundant.len(), 5 * 2 * side * (side - 1) - (6 * side * side - 6));
    // Not all combinations are written out, but the null space is complete: Gᵀ Nᵀ μ = 0.
    let null_space = redundancy.null_space();
    let mut random = Random::new(1);
    let mu: Vec<f64> = (0..null_space.dimension()).map(|_| random.range(-1.0, 1.0)).collect();
    let n = nalgebra::DVector::from_vec(null_space.transposed_times(&mu));
    let product = dense_gradient(&system, system.initial()).tr_mul(&n);
    assert!(n.amax() > 0.1 && product.amax() < 1e-8 * n.amax(), "{:e} of {:e}", product.amax(), n.amax());
    // N is the transpose of Nᵀ.
    let y: Vec<f64> = (0..system.rows()).map(|_| random.range(-1.0, 1.0)).collect();
    let left: f64 = null_space.times(&y).iter().zip(&mu).map(|(a, b)| a * b).sum();
    let right: f64 = n.iter().zip(&y).map(|(a, b)| a * b).sum();
    assert!((left - right).abs() < 1e-9 * n.norm(), "{left} {right}");
}

#[test]
fn a_closed_planar_chain_has_three_redundant_rows() {
    let assembly = timed("closed chain", &chain(300, true));
    assert_eq!(assembly.redundancy.redundant.len(), 4, "straight, the chain is singular as well");
    assert_eq!(assembly.redundancy.degrees_of_freedom, 299);
}
