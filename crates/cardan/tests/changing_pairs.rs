//! Forces between pairs of bodies that come and go: the same motion as with all pairs in the pattern at all times, in every analysis, with few
//! new patterns and hardly a search for an order of elimination.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::equilibrium;
use cardan::contact::Grid;
use cardan::forces::{Exchange, ForceLaw, Pair, PairForce, PairLaw, Tangent};
use cardan::integrators::{Iterations, LinearImplicitEuler, Method, Norm, Parameter, Statistics, Stepper, all};
use cardan::linear::LinearError;
use cardan::math::{Dual, Vec6};
use cardan::measures::Context;
use cardan::prelude::*;
use cardan::system::{Jacobian, Kkt, Weights, Work};
use std::sync::Arc;
use std::time::Instant;

/// Which pairs are said to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listed {
    Acting,
    All,
}

/// When one of many forces acts.
type Acts = fn(usize, &Force, &Context) -> bool;

/// Many forces, of which a function of the state says which act.
#[derive(Debug)]
struct Many {
    /// Those of force k are 2k and 2k + 1.
    markers: Vec<MarkerId>,
    forces: Vec<Force>,
    acts: Acts,
    listed: Listed,
    idle: Idle,
}

/// What pairs do that are said to act where they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Idle {
    /// Their law gives nothing by itself, or what it gives counts.
    Acts,
    Rests,
}

impl Many {
    fn force(forces: Vec<Force>, acts: Acts, listed: Listed) -> PairForce {
        PairForce::new(Self { markers: forces.iter().flat_map(|f| f.markers()).collect(), forces, acts, listed, idle: Idle::Acts })
    }

    /// All pairs are said to act, but those that are not their turn's exert nothing.
    fn in_turn(forces: Vec<Force>) -> PairForce {
        let markers = forces.iter().flat_map(|f| f.markers()).collect();
        PairForce::new(Self { markers, forces, acts: in_turn, listed: Listed::All, idle: Idle::Rests })
    }

    /// Whether a pair exerts nothing though it is said to act.
    fn rests(&self, pair: Pair, ctx: &Context) -> bool {
        self.idle == Idle::Rests && !(self.acts)(pair[0] / 2, &self.forces[pair[0] / 2], ctx)
    }
}

impl PairLaw for Many {
    fn name(&self) -> &str {
        "many"
    }
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }
    fn acting(&self, ctx: &Context, _: &mut Grid, out: &mut Vec<Pair>) {
        let acting = |k: &usize| self.listed == Listed::All || (self.acts)(*k, &self.forces[*k], ctx);
        out.extend((0..self.forces.len()).filter(acting).map(|k| [2 * k, 2 * k + 1]));
    }
    fn wrench(&self, pair: Pair, ctx: &Context) -> [Vec6; 2] {
        if self.rests(pair, ctx) { [Vec6::zeros(); 2] } else { self.forces[pair[0] / 2].wrench(ctx) }
    }
    fn wrench_and_tangent(&self, pair: Pair, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        if self.rests(pair, ctx) {
            *out = Tangent::zero();
            return [Vec6::zeros(); 2];
        }
        self.forces[pair[0] / 2].wrench_and_tangent(ctx, out)
    }
    fn exchange(&self) -> Exchange {
        Exchange::Applied
    }
}

/// Within which markers push each other away.
const REACH: f64 = 0.3;

fn near(_: usize, force: &Force, ctx: &Context) -> bool {
    let [i, j] = force.markers().map(|m| ctx.marker(m).p);
    (i - j).norm() < REACH
}

fn repulsion(_: Dual, s: Dual, _: Dual) -> Dual {
    let depth = Dual::from(REACH) - s;
    if depth.v > 0.0 { depth * depth * 4e3 } else { Dual::from(0.0) }
}

/// A chain of links that hangs down, thrown sideways; gives the centres of its links.
fn hang(model: &mut Model, name: &str, x: f64, links: usize, speed: f64) -> Vec<MarkerId> {
    let mut end = Marker::on(BodyId::GROUND).at([x, 0.0, 0.0]);
    let mut centres = Vec::new();
    for k in 0..links {
        let place = [x, 0.01 * k as f64, -0.25 * (k as f64 + 0.5)];
        let turning = speed * (k as f64 + 0.5) / links as f64;
        let body = Body::rigid(&format!("{name}{k}"), 0.4, Inertia::cuboid(0.4, 0.05, 0.06, 0.25)).at(place).moving([turning, 0.0, 0.0]);
        let body = model.add_body(body);
        let (i, j) = (model.add_marker(Marker::on(body).at([0.0, 0.0, 0.125])), model.add_marker(end));
        model.add_joint(Joint::new(&format!("{name}-joint{k}"), Spherical, i, j));
        end = Marker::on(body).at([0.0, 0.0, -0.125]);
        centres.push(model.add_marker(Marker::on(body)));
    }
    centres
}

/// Two chains of which every link pushes away every link of the other that comes near.
fn two_chains(links: usize, apart: f64, listed: Listed) -> System {
    let mut model = Model::new("chains");
    model.set_gravity([0.4, 0.0, -9.81]);
    let (a, b) = (hang(&mut model, "a", 0.0, links, 2.0), hang(&mut model, "b", apart, links, -2.0));
    let pairs = a.iter().flat_map(|i| b.iter().map(move |j| (*i, *j)));
    let forces = pairs.map(|(i, j)| SingleForce::new("push", i, j, Line::Between, repulsion).into()).collect();
    model.add_force(Many::force(forces, near, listed));
    System::new(&model).unwrap()
}

fn run(system: &System, method: Arc<dyn Method>, iterations: Iterations, steps: usize, h: f64) -> (State, Statistics) {
    let assembly = assemble(system).unwrap();
    let options = Options { norm: Norm::Paper, iterations, ..Options::default() };
    let mut stepper = Stepper::new(system, method, options, &assembly.state, &assembly.redundancy.regularization);
    stepper.start(&assembly.state, h).unwrap();
    for _ in 0..steps {
        stepper.attempt(h, None).unwrap();
        stepper.accept();
    }
    (stepper.now().clone(), stepper.statistics())
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

#[test]
fn every_method_moves_as_with_all_pairs_in_the_pattern() {
    let [some, every] = [Listed::Acting, Listed::All].map(|listed| two_chains(5, 0.6, listed));
    let real_time = Arc::new(LinearImplicitEuler::default());
    let others = ["exact", "J1", "J2", "J3", "marked"].map(|word| real_time.with("jacobian", Parameter::Word(word)).unwrap());
    for method in all().into_iter().chain(others) {
        let name = method.name().to_string();
        let implicit = cardan::integrators::implicit().iter().any(|m| m.name() == name);
        let iterations = if implicit { Iterations::Fixed(3) } else { Iterations::Converged };
        let [(x, counts), (y, fixed)] = [&some, &every].map(|system| run(system, method.clone(), iterations, 1000, 1e-3));
        let difference = gap(&x.q, &y.q).max(1e-2 * gap(&x.v, &y.v));
        println!("{name}: {difference:e}, {} and {} patterns, {} orders", counts.patterns, fixed.patterns, counts.orders);
        assert!(difference < 1e-8, "{name}: {difference:e}");
        let tangents = !["dormand-prince", "local-linearization", "euler-explicit", "euler-half-explicit"].contains(&name.as_str());
        assert!(!tangents || counts.patterns > 2, "{name}: {} patterns", counts.patterns);
    }
}

#[test]
fn statics_and_accelerations_are_those_with_all_pairs_in_the_pattern() {
    let [some, every] = [Listed::Acting, Listed::All].map(|listed| two_chains(3, 0.25, listed));
    let [x, y] = [&some, &every].map(|system| equilibrium(system).unwrap().state);
    assert!(gap(&x.q, &y.q) < 1e-9 && gap(&x.lambda, &y.lambda) < 1e-7, "{:e}", gap(&x.q, &y.q));
    let accelerated = |system: &System| {
        let (mut x, mut work) = (assemble(system).unwrap().state, Work::new(system));
        Kkt::new(system).accelerate(system, &mut x, &mut work).unwrap();
        assert!(system.evaluate(&x, &mut work).acting_pairs(0) > 0);
        x.a
    };
    assert!(gap(&accelerated(&some), &accelerated(&every)) < 1e-9);
}

#[test]
fn the_tangent_has_all_that_acts_wherever_it_is_taken() {
    let [some, every] = [Listed::Acting, Listed::All].map(|listed| two_chains(3, 0.5, listed));
    let mut jacobians = [Jacobian::new(&some), Jacobian::new(&every)];
    let w = Weights { velocity: 1e-2, position: 1e-4, ..Weights::mass_only(&[]) };
    let n = some.unknowns();
    let (mut x, mut seen) = (some.initial().clone(), 0);
    for k in 0..40 {
        // One chain is moved through the other.
        let delta: Vec<f64> = (0..some.nv()).map(|v| if v < some.nv() / 2 && v % 6 == 0 { 0.03 * f64::from(k) } else { 0.0 }).collect();
        some.retract(&some.initial().q, &delta, &mut x.q);
        let dense = [&some, &every].into_iter().zip(&mut jacobians).map(|(system, jacobian)| {
            let mut work = Work::new(system);
            let mut at = system.evaluate(&x, &mut work);
            at.tangent(&w, jacobian);
            seen = seen.max(at.acting_pairs(0) % 9);
            let mut dense = vec![0.0; n * n];
            jacobian.matrix().to_dense(&mut dense);
            dense
        });
        let dense: Vec<Vec<f64>> = dense.collect();
        assert_eq!(gap(&dense[0], &dense[1]), 0.0, "at place {k}");
    }
    assert_eq!(seen, 7);
    assert!(jacobians[0].version() > 1 && jacobians[1].version() == 1, "{:?}", jacobians.map(|j| j.rebuilds()));
}

#[test]
fn what_was_factored_before_a_change_is_not_solved_with() {
    let system = two_chains(3, 0.6, Listed::Acting);
    let (mut jacobian, mut work, mut x) = (Jacobian::new(&system), Work::new(&system), system.initial().clone());
    let w = Weights { position: 1e-4, ..Weights::mass_only(&[]) };
    let mut rhs = vec![1.0; system.unknowns()];
    let mut at = system.evaluate(&x, &mut work);
    at.tangent(&w, &mut jacobian);
    assert_eq!(jacobian.solve(&mut rhs), Err(LinearError::NotFactored));
    jacobian.factor_for(0.5).unwrap();
    assert_eq!((jacobian.solve(&mut rhs), jacobian.made_for(), jacobian.version()), (Ok(()), Some(0.5), 0));
    // One chain is moved to the other.
    let bodies = system.nv() / 2;
    let delta: Vec<f64> = (0..system.nv()).map(|v| if v < bodies && v % 6 == 0 { 0.5 } else { 0.0 }).collect();
    system.retract(&system.initial().q, &delta, &mut x.q);
    let mut at = system.evaluate(&x, &mut work);
    assert!(jacobian.sees_change(&at) && !jacobian.sees_change(&at));
    at.tangent(&w, &mut jacobian);
    assert_eq!((jacobian.solve(&mut rhs), jacobian.made_for(), jacobian.version()), (Err(LinearError::NotFactored), None, 1));
    assert_eq!(jacobian.solve_refined(&rhs.clone(), &mut rhs), Err(LinearError::NotFactored));
    assert!(jacobian.extra_pairs() > 0);
    jacobian.factor().unwrap();
    jacobian.solve(&mut rhs).unwrap();
    // And back, for long: its pairs lose their blocks.
    let mut at = system.evaluate(system.initial(), &mut work);
    for _ in 0..200 {
        at.tangent(&w, &mut jacobian);
    }
    assert_eq!((jacobian.extra_pairs(), jacobian.version()), (0, 2));
}

/// Links of the large chain, changes of the pair, and steps with each.
const LINKS: usize = 1000;
const CHANGES: usize = 300;
const STEPS: usize = 10;
const H: f64 = 1e-3;

/// How the pair of the large chain changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Never,
    Acting,
    All,
}

fn in_turn(k: usize, _: &Force, ctx: &Context) -> bool {
    // A step belongs to the time at its end.
    (ctx.t / (H * STEPS as f64) - 1e-6) as usize == k
}

fn always_the_same(k: usize, _: &Force, _: &Context) -> bool {
    k == CHANGES / 2
}

/// A damper that grows and falls again while a pair acts.
fn brake(t: Dual, _: Dual, rate: Dual) -> Dual {
    let phase = (t * (std::f64::consts::PI / (H * STEPS as f64))).sin();
    rate * phase * phase * -100.0
}

/// A falling chain of hinges, and a damper between two of its links that are some links apart.
fn chain(change: Change) -> System {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -1.0]);
    let (mut end, mut centres) = (Marker::on(BodyId::GROUND), Vec::new());
    for k in 0..LINKS {
        let at = [0.1 * (k as f64 + 0.5), 0.0, 0.0];
        let body = model.add_body(Body::rigid(&format!("b{k}"), 0.1, Inertia::cuboid(0.1, 0.1, 0.02, 0.02)).at(at));
        let axis = [[0.0, 1.0, 0.3], [0.0, 1.0, -0.3]][k % 2];
        let (i, j) = (model.add_marker(Marker::on(body).at([-0.05, 0.0, 0.0]).z_along(axis)), model.add_marker(end.z_along(axis)));
        model.add_joint(Joint::new(&format!("j{k}"), Revolute, i, j));
        end = Marker::on(body).at([0.05, 0.0, 0.0]);
        centres.push(model.add_marker(Marker::on(body).at([0.0, 0.0, 0.01])));
    }
    let force = |k: usize| {
        let first = (37 * k) % (LINKS - 10);
        SingleForce::new("brake", centres[first], centres[first + 3 + k % 5], Line::Between, brake).into()
    };
    model.add_force(match change {
        Change::Never => Many::force((0..CHANGES).map(force).collect(), always_the_same, Listed::Acting),
        Change::Acting => Many::force((0..CHANGES).map(force).collect(), in_turn, Listed::Acting),
        // Those that are not their turn's exert nothing.
        Change::All => Many::in_turn((0..CHANGES).map(force).collect()),
    });
    System::new(&model).unwrap()
}

fn fall(change: Change) -> (State, Statistics, f64) {
    let system = chain(change);
    let start = Instant::now();
    let (x, counts) = run(&system, Arc::new(GeneralizedAlpha::default()), Iterations::Converged, STEPS * CHANGES, H);
    (x, counts, start.elapsed().as_secs_f64())
}

#[test]
fn a_thousand_bodies_with_three_hundred_changes_move_as_with_all_pairs_in_the_pattern() {
    let [(x, counts, _), (y, all, _)] = [Change::Acting, Change::All].map(fall);
    println!("{:e}, {counts:?}, {all:?}", gap(&x.q, &y.q));
    assert!(gap(&x.q, &y.q) < 1e-7 && gap(&x.v, &y.v) < 1e-5, "{:e} {:e}", gap(&x.q, &y.q), gap(&x.v, &y.v));
    assert!(counts.patterns <= CHANGES && counts.patterns > CHANGES / 4, "{counts:?}");
    assert!(counts.orders <= 3, "{counts:?}");
}

#[test]
#[ignore = "times two runs of some seconds"]
fn changes_cost_at_most_a_seventh_more_time() {
    fall(Change::Never);
    for _ in 0..3 {
        let [(_, some, seconds), (_, none, without)] = [Change::Acting, Change::Never].map(fall);
        println!("{seconds:.2} s with changes, {without:.2} s without: {:.3}; {some:?}, {none:?}", seconds / without);
    }
}
