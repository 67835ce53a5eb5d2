//! Mechanisms that are overconstrained, or that pass singular configurations while they run.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::bodies::BodyId;
use cardan::integrators::Method;
use cardan::prelude::*;
use cardan::system::{Kkt, Work};
use std::f64::consts::PI;
use std::sync::Arc;

/// A link of a four-bar from one point to another, planar or rigid, hinged at its ends about z.
struct Linkage {
    model: Model,
    rigid: bool,
}

impl Linkage {
    fn new(rigid: bool) -> Self {
        let mut model = Model::new("four-bar");
        model.set_gravity([0.0, -9.81, 0.0]);
        Self { model, rigid }
    }

    /// The link and the markers at its two ends.
    fn link(&mut self, name: &str, from: [f64; 2], to: [f64; 2], spin: f64, velocity: [f64; 2]) -> [cardan::bodies::MarkerId; 2] {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let (length, angle) = (dx.hypot(dy), dy.atan2(dx));
        let center = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0];
        let mass = length;
        let body = if self.rigid {
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            Body::rigid(name, mass, Inertia::cuboid(mass, length, 0.05, 0.05)).oriented(turn)
        } else {
            Body::planar(name, mass, mass * (length * length + 0.05 * 0.05) / 12.0).turned(angle)
        };
        let id = self.model.add_body(body.at(center).spinning([0.0, 0.0, spin]).moving([velocity[0], velocity[1], 0.0]));
        [-0.5, 0.5].map(|side| self.model.add_marker(Marker::on(id).at([side * length, 0.0, 0.0])))
    }

    fn ground(&mut self, x: f64) -> cardan::bodies::MarkerId {
        self.model.add_marker(Marker::on(BodyId::GROUND).at([x, 0.0, 0.0]))
    }
}

/// A four-bar with the ground link along x, crank at `angle`, parallelogram if `rocker` equals `crank`.
fn four_bar(rigid: bool, crank: f64, coupler: f64, rocker: f64, base: f64, angle: f64, spin: f64) -> Model {
    let mut m = Linkage::new(rigid);
    let a = [crank * angle.cos(), crank * angle.sin()];
    // The rocker's end: intersection of the circles about a and about the base point.
    let d = (a[0] - base).hypot(a[1]);
    let x = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
    let y = (coupler * coupler - x * x).max(0.0).sqrt();
    let (ux, uy) = ((base - a[0]) / d, -a[1] / d);
    let b = [a[0] + x * ux - y * uy, a[1] + x * uy + y * ux];
    let crank_ends = m.link("crank", [0.0, 0.0], a, spin, [-0.5 * a[1] * spin, 0.5 * a[0] * spin]);
    let coupler_ends = m.link("coupler", a, b, 0.0, [-a[1] * spin, a[0] * spin]);
    let rocker_ends = m.link("rocker", [base, 0.0], b, 0.0, [0.0, 0.0]);
    let (left, right) = (m.ground(0.0), m.ground(base));
    m.model.add_joint(Joint::new("A", Revolute, crank_ends[0], left));
    m.model.add_joint(Joint::new("B", Revolute, coupler_ends[0], crank_ends[1]));
    m.model.add_joint(Joint::new("C", Revolute, coupler_ends[1], rocker_ends[1]));
    m.model.add_joint(Joint::new("D", Revolute, rocker_ends[0], right));
    m.model
}

fn methods() -> [Arc<dyn Method>; 2] {
    [Arc::new(Hht { alpha: -0.05 }), Arc::new(GeneralizedAlpha::new(0.9))]
}

#[test]
fn a_spatial_four_bar_moves_like_the_planar_one() {
    let build = |rigid| System::new(&four_bar(rigid, 0.5, 1.2, 0.9, 1.1, 1.0, 6.0)).unwrap();
    let (planar, rigid) = (build(false), build(true));
    let assembly = assemble(&rigid).unwrap();
    assert_eq!((assembly.redundancy.degrees_of_freedom, assembly.redundancy.redundant.len()), (1, 3));
    for formulation in [Formulation::Index3, Formulation::Index2] {
        for method in methods() {
            let options = Options { formulation, newton_tolerance: 1e-13, ..Options::default() };
            let run = |system| {
                Simulation::new(system).shared_method(method.clone()).options(options).step(1e-3).record(Record::Interval(0.1)).run(2.0)
            };
            // In index 2 the direction of the position correction depends on the age of the Jacobian, in a term far below the error.
            let same = if formulation == Formulation::Index3 { 1e-7 } else { 1e-6 };
            let (flat, solid) = (run(&planar).unwrap(), run(&rigid).unwrap());
            assert!(solid.position_violation < 1e-12, "{:e}", solid.position_violation);
            for (p, r) in flat.samples.iter().zip(&solid.samples) {
                for (b, name) in ["crank", "coupler", "rocker"].iter().enumerate() {
                    let (p, r) = (&p.state.q[3 * b..], &r.state.q[7 * b..]);
                    let (dx, dy) = (p[0] - r[0], p[1] - r[1]);
                    assert!(dx.hypot(dy) < same && r[2].abs() < 1e-10, "{name}: {dx:e} {dy:e} {:e}", r[2]);
                }
                // Reactions in the plane are unique and must agree; those out of it are the smallest ones: zero.
                for joint in ["A", "B", "C", "D"] {
                    let rows = |s: &System, x: &State| x.lambda[s.reaction_rows(joint).unwrap()].to_vec();
                    let (own, full) = (rows(&planar, &p.state), rows(&rigid, &r.state));
                    let size = 100.0 + own[0].hypot(own[1]);
                    assert!((own[0] - full[0]).hypot(own[1] - full[1]) < 10.0 * same * size, "{joint}: {own:?} {full:?}");
                    assert!(full[2..].iter().all(|x| x.abs() < 1e-9 * size), "{joint}: {full:?}");
                }
            }
        }
    }
}

/// Energy of a run must not have changed by more than a small part of what moves in it.
fn sound(run: &Results) -> bool {
    let first = &run.samples[0].energy;
    run.position_violation < 1e-10 && run.energy_drift < 0.02 * first.kinetic && run.last().is_some_and(State::is_finite)
}

#[test]
fn a_parallelogram_passes_its_dead_centres_or_says_why_not() {
    // The links fall in line twice a turn; two motions branch there.
    for rigid in [false, true] {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            for method in methods() {
                let system = System::new(&four_bar(rigid, 0.5, 1.0, 0.5, 1.0, 0.5 * PI, 9.0)).unwrap();
                let fixed = Simulation::new(&system).shared_method(method.clone()).formulation(formulation).step(1e-3);
                let controlled = Simulation::new(&system).shared_method(method.clone()).formulation(formulation).tolerance(1e-6);
                for simulation in [fixed, controlled] {
                    match simulation.run(3.0) {
                        Ok(run) => assert!(sound(&run), "drift {:e}, violation {:e}", run.energy_drift, run.position_violation),
                        Err(error) => {
                            let kept = error.results().unwrap();
                            assert!(sound(kept), "{} {formulation:?}, drift {:e}: {error}", method.name(), kept.energy_drift);
                            let text = error.to_string();
                            assert!(
                                text.contains("t = ") && (text.contains("singular") || text.contains("dead centre")),
                                "{} {formulation:?}: {text}",
                                method.name()
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Bricard's linkage (IFToMM benchmark): six unit bars, each hinge perpendicular to the next; one degree of freedom where
/// counting gives none. The first bar is the ground.
fn bricard() -> Model {
    let mut model = Model::new("Bricard");
    model.set_gravity([0.0, -9.81, 0.0]);
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let mut carriers = vec![(BodyId::GROUND, Vec3::zeros())];
    for (k, ends) in points.windows(2).enumerate() {
        let (along, center) = (ends[1] - ends[0], (ends[0] + ends[1]) * 0.5);
        let moments = along.map(|c| if c == 0.0 { 1.0 / 12.0 } else { 1e-3 });
        let bar = Body::rigid(&format!("bar {k}"), 1.0, Inertia::principal(moments.x, moments.y, moments.z)).at(center.into());
        carriers.push((model.add_body(bar), center));
    }
    for k in 0..6 {
        let marker = |(body, center): (BodyId, Vec3)| Marker::on(body).at((points[k] - center).into()).z_along(axes[k]);
        let (i, j) = (model.add_marker(marker(carriers[(k + 1) % 6])), model.add_marker(marker(carriers[k])));
        model.add_joint(Joint::new(&format!("hinge {k}"), Revolute, i, j));
    }
    model
}

#[test]
fn bricards_linkage_moves() {
    let system = System::new(&bricard()).unwrap();
    let assembly = assemble(&system).unwrap();
    assert_eq!((assembly.redundancy.degrees_of_freedom, assembly.redundancy.redundant.len()), (1, 1));
    let mut ends = Vec::new();
    for method in methods() {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let simulation = Simulation::new(&system).shared_method(method.clone()).formulation(formulation);
            let run = simulation.tolerance(1e-8).record(Record::Interval(0.1)).run(4.0).unwrap();
            assert!(run.warnings.is_empty(), "{:?}", run.warnings);
            assert!(run.degrees_of_freedom == 1 && !run.non_unique_reactions.is_empty());
            assert!(run.position_violation < 1e-12 && run.energy_drift < 1e-3, "{:e} {:e}", run.position_violation, run.energy_drift);
            let fall = run.samples.iter().map(|s| s.energy.kinetic).fold(0.0, f64::max);
            assert!(fall > 3.0, "it moves: {fall} J");
            ends.push(run.last().unwrap().q.clone());
        }
    }
    for end in &ends[1..] {
        let apart = end.iter().zip(&ends[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 2e-4, "{apart:e}");
    }
}

/// Factorisations a step of an explicit run, and its end.
fn explicit(system: &System, t_end: f64) -> (f64, State) {
    let run = Simulation::new(system).method(DormandPrince).tolerance(1e-9).record(Record::Ends).run(t_end).unwrap();
    let count = run.statistics.factorizations as f64 / (run.statistics.steps + run.statistics.rejected) as f64;
    (count, run.last().unwrap().clone())
}

/// Newton's method leaves changes of reactions that exert no force as they are; round-off of many steps must not add up in them.
#[test]
fn reactions_that_exert_no_force_are_taken_out() {
    let system = System::new(&four_bar(true, 0.5, 1.2, 0.9, 1.1, 1.0, 6.0)).unwrap();
    let assembly = assemble(&system).unwrap();
    let (mut x, mut kkt, mut work) = (assembly.state.clone(), Kkt::new(&system), Work::new(&system));
    kkt.regularization.clone_from(&assembly.redundancy.regularization);
    kkt.accelerate(&system, &mut x, &mut work).unwrap();
    let smallest = x.lambda.clone();
    let given: Vec<f64> = (0..smallest.len()).map(|k| (1.7 * k as f64).sin()).collect();
    let mut other = State { lambda: given.clone(), ..x.clone() };
    kkt.smallest_reactions(&system, &mut other, &mut work).unwrap();
    let idle: Vec<f64> = given.iter().zip(&other.lambda).map(|(g, s)| g - s).collect();
    assert!(idle.iter().any(|i| i.abs() > 0.1), "{idle:?}");
    x.lambda.iter_mut().zip(&idle).for_each(|(l, i)| *l += 100.0 * i);
    kkt.smallest_reactions(&system, &mut x, &mut work).unwrap();
    let largest = smallest.iter().fold(0.0_f64, |m, l| m.max(l.abs()));
    for (found, expected) in x.lambda.iter().zip(&smallest) {
        assert!((found - expected).abs() < 1e-5 * largest, "{:?} instead of {smallest:?}", x.lambda);
    }
}

#[test]
fn redundant_rows_cost_an_explicit_method_next_to_no_matrices() {
    let [(planar, _), (spatial, _)] =
        [false, true].map(|rigid| explicit(&System::new(&four_bar(rigid, 0.5, 1.2, 0.9, 1.1, 1.0, 6.0)).unwrap(), 2.0));
    assert!(spatial < 1.3 * planar && planar > 5.0, "{spatial} a step, and {planar} without redundant rows");
    let (count, _) = explicit(&System::new(&bricard()).unwrap(), 4.0);
    assert!(count < 8.0, "{count} a step");
}

/// Cardan's trammel: the ends of a bar run along two lines, so its middle runs on a circle and says the same once more,
/// g₃ = sin θ g₁ + cos θ g₂: whichever row is left out, a pair with g₃ ceases to be independent within a turn.
#[test]
fn rows_are_chosen_anew_where_those_kept_cease_to_be_independent() {
    let (start, speed) = (0.2_f64, 3.0);
    let mut model = Model::new("trammel");
    let (middle, velocity) = ([start.cos(), start.sin(), 0.0], [-speed * start.sin(), speed * start.cos(), 0.0]);
    let bar = Body::planar("bar", 2.0, 0.7).at(middle).turned(-start).moving(velocity).spinning([0.0, 0.0, -speed]);
    let bar = model.add_body(bar);
    let [a, b, c] = [1.0, -1.0, 0.0].map(|x| model.add_marker(Marker::on(bar).at([x, 0.0, 0.0])));
    model.add_constraint(UserConstraint::new("along x", &[a], |m, _| m[0].position.y));
    model.add_constraint(UserConstraint::new("along y", &[b], |m, _| m[0].position.x));
    model.add_constraint(UserConstraint::new("circle", &[c], |m, _| (m[0].position.dot(&m[0].position) - 1.0) * 0.5));
    let system = System::new(&model).unwrap();
    assert_eq!(assemble(&system).unwrap().redundancy.redundant.len(), 1);
    let (count, end) = explicit(&system, 10.0);
    // Nothing but inertia acts, and the bar turns at its speed.
    assert!((end.q[2] + start + 10.0 * speed).abs() < 1e-6, "{}", end.q[2]);
    assert!(count < 9.0, "{count} a step");
}
