//! Where rigid bodies have no answer, or many: compliant contact has one.

use cardan::contact::{Contact, ContactPoint, Friction, HalfSpace, NormalLaw, Part};
use cardan::prelude::*;

/// A slender rod at 60° whose lower end slides over rough ground with 1 m/s, away from its lean.
fn rod() -> System {
    let mut model = Model::new("rod");
    model.set_gravity([0.0, -9.81, 0.0]);
    let angle = 60f64.to_radians();
    let start = Body::planar("rod", 1.0, 0.25 / 3.0).at([0.5 * angle.cos(), 0.5 * angle.sin(), 0.0]).turned(angle).moving([-1.0, 0.0, 0.0]);
    let rod = model.add_body(start);
    let tip = Part { marker: model.add_marker(Marker::on(rod).at([-0.5, 0.0, 0.0])), shape: ContactPoint.into() };
    let ground = Part { marker: model.add_marker(Marker::on(BodyId::GROUND).z_along([0.0, 1.0, 0.0])), shape: HalfSpace.into() };
    let law = NormalLaw::elastic(1e6, 1.5).restitution(0.5, 1.0);
    model.add_force(Contact::new("ground", vec![tip], vec![ground], law).friction(Friction::coulomb(1.5, 1e-3)));
    System::new(&model).unwrap()
}

/// With μ = 1.5 rigid bodies have no solution between 50.64° and 73.05° (Painlevé). Compared with an integration in Python, SciPy's Radau at 1e-12.
#[test]
fn a_rod_in_painleves_paradox_moves_on() {
    let system = rod();
    let known = [
        (
            0.01,
            [0.24009045693118045, 0.43258250651300617, 1.0474865729684424],
            [-0.9535579404080685, -0.06713862693871116, 0.14838112733468564],
        ),
        (
            0.05,
            [0.22074326177112305, 0.44490282376420803, 1.0832614031943846],
            [-0.3990911702186601, 0.25421787970291854, 0.9130659511997439],
        ),
        (
            0.1,
            [0.20273651702271048, 0.45116462372308463, 1.1241056532368046],
            [-0.22995238243434551, 0.2639235902864794, 0.509722415715518],
        ),
    ];
    for (tolerance, bar, most) in [(1e-6, 5e-3, 4000), (1e-9, 2e-5, 20000)] {
        let results = Simulation::new(&system).tolerance(tolerance).record(Record::Interval(0.01)).run(0.1).unwrap();
        assert!(results.statistics.steps < most, "{tolerance}: {} steps", results.statistics.steps);
        for (t, q, v) in known {
            let at = &results.samples[(t / 0.01_f64).round() as usize].state;
            for k in 0..3 {
                assert!((at.q[k] - q[k]).abs() < bar, "{tolerance} at {t}: {:?} {q:?}", at.q);
                assert!((at.v[k] - v[k]).abs() < 10.0 * bar, "{tolerance} at {t}: {:?} {v:?}", at.v);
            }
        }
    }
}

/// A slider-crank whose slider has a clearance of 1 mm in its guide, by Flores, Leine and Glocker, Multibody Syst. Dyn. 23 (2010),
/// doi:10.1007/s11044-009-9178-y.
fn slider_crank() -> System {
    let (crank, rod, a, b, clearance) = (0.153, 0.306, 0.05, 0.025, 0.001);
    let mut model = Model::new("slider-crank");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bar = |name: &str, mass: f64, inertia: f64, at: f64, speed: f64, spin: f64| {
        Body::planar(name, mass, inertia).at([at, 0.0, 0.0]).moving([0.0, speed, 0.0]).spinning([0.0, 0.0, spin])
    };
    // Stretched; the pin between crank and rod moves up with 150 · 0.153 m/s.
    let first = model.add_body(bar("crank", 0.038, 7.4e-5, 0.5 * crank, 75.0 * crank, 150.0));
    let second = model.add_body(bar("rod", 0.038, 5.9e-4, crank + 0.5 * rod, 150.0 * crank - 75.0 * 0.5 * rod, -75.0));
    let slider = model.add_body(bar("slider", 0.076, 2.7e-6, crank + rod, 150.0 * crank - 75.0 * rod, -0.01));
    let pin = |model: &mut Model, name: &str, i: (BodyId, f64), j: (BodyId, f64)| {
        let [i, j] = [i, j].map(|(body, x)| model.add_marker(Marker::on(body).at([x, 0.0, 0.0])));
        model.add_joint(Joint::new(name, Revolute, i, j));
    };
    pin(&mut model, "bearing", (first, -0.5 * crank), (BodyId::GROUND, 0.0));
    pin(&mut model, "crank-pin", (second, -0.5 * rod), (first, 0.5 * crank));
    pin(&mut model, "piston-pin", (slider, 0.0), (second, 0.5 * rod));
    let corners = [[a, b], [a, -b], [-a, b], [-a, -b]];
    let corners = corners.map(|[x, y]| Part { marker: model.add_marker(Marker::on(slider).at([x, y, 0.0])), shape: ContactPoint.into() });
    let side = |model: &mut Model, y: f64| {
        let marker = Marker::on(BodyId::GROUND).at([0.0, y, 0.0]).z_along([0.0, -y, 0.0]);
        Part { marker: model.add_marker(marker), shape: HalfSpace.into() }
    };
    let sides = vec![side(&mut model, b + clearance), side(&mut model, -b - clearance)];
    let law = NormalLaw::elastic(1e8, 1.5).restitution_at_every_speed(0.4);
    model.add_force(Contact::new("guide", corners.to_vec(), sides, law).friction(Friction::coulomb(0.01, 1e-3)));
    System::new(&model).unwrap()
}

#[test]
fn a_slider_with_clearance_rattles_alike_with_two_methods() {
    let system = slider_crank();
    let run = |simulation: Simulation, tolerance: f64| {
        let results = simulation.tolerance(tolerance).record(Record::Interval(1e-3)).run(0.02).unwrap();
        let balance = results.energy.clone();
        let guided = results.samples.iter().all(|s| (s.state.q[7]).abs() < 2e-3);
        assert!(guided && balance.dissipated > 1e-3, "{balance:?}");
        assert!(balance.relative_missing().abs() < 1e-5, "{balance:?}");
        results
    };
    let coarse = run(Simulation::new(&system).method(Radau), 1e-8);
    let fine = run(Simulation::new(&system), 1e-9);
    for (x, y) in coarse.samples.iter().zip(&fine.samples) {
        for k in 0..9 {
            let apart = (x.state.q[k] - y.state.q[k]).abs();
            assert!(apart < 1e-4, "coordinate {k} at {} s: {apart:e}", x.state.t);
        }
    }
}
