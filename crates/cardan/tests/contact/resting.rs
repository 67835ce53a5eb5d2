//! Statics with contact: what falls comes to rest on what is below, from wherever it starts.

use super::{contact, part};
use cardan::analysis::{StaticsError, equilibrium};
use cardan::contact::{Contact, Cuboid, Disk, Friction, HalfSpace, NormalLaw, Sphere};
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;

fn heavy() -> Model {
    let mut model = Model::new("heavy");
    model.set_gravity([0.0, 0.0, -G]);
    model
}

/// Where bodies rest whose numbers these are: the heights of their centres.
fn heights<const N: usize>(model: &Model, bodies: [usize; N]) -> [f64; N] {
    let found = equilibrium(&System::new(model).unwrap()).unwrap();
    bodies.map(|k| found.state.q[7 * k + 2])
}

#[test]
fn a_ball_rests_on_the_floor_from_above_and_from_within() {
    let rest = 0.05 - (G / 1e8_f64).powf(1.0 / 1.5);
    for start in [0.3, 0.05, rest, 0.02] {
        let mut model = heavy();
        let ball = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, 0.05)).at([0.0, 0.0, start]));
        let law = NormalLaw::elastic(1e8, 1.5);
        let floor = contact(&mut model, (ball, Sphere { radius: 0.05 }.into()), (BodyId::GROUND, HalfSpace.into()), law);
        model.add_force(floor.friction(Friction::coulomb(0.5, 1e-3)));
        let [height] = heights(&model, [0]);
        let depth = (G / 1e8_f64).powf(1.0 / 1.5);
        assert!((height - 0.05 + depth).abs() < 1e-9, "from {start}: {height}");
    }
}

#[test]
fn a_box_rests_on_four_corners_however_it_is_let_go() {
    for (start, tilt) in [(0.4, 0.0), (0.06, 0.0), (0.3, 0.2), (0.5, -0.4)] {
        let mut model = heavy();
        let turned = Quat::from_scaled_axis(Vec3::new(tilt, 0.3 * tilt, 0.0));
        let body = Body::rigid("box", 2.0, Inertia::cuboid(2.0, 0.2, 0.3, 0.2)).at([0.0, 0.0, start]).oriented(turned);
        let body = model.add_body(body);
        let shape = Cuboid { size: Vec3::new(0.2, 0.3, 0.2) };
        let law = NormalLaw::elastic(1e6, 1.0);
        let floor = contact(&mut model, (body, shape.into()), (BodyId::GROUND, HalfSpace.into()), law);
        model.add_force(floor.friction(Friction::coulomb(0.5, 1e-3)));
        let [height] = heights(&model, [0]);
        assert!((height - 0.1 + 2.0 * G / 4e6).abs() < 1e-9, "from {start} at {tilt}: {height}");
    }
}

#[test]
fn spheres_on_top_of_each_other_keep_their_order() {
    for (first, apart) in [(0.06, 0.15), (0.04, 0.08)] {
        let mut model = heavy();
        let balls: Vec<_> = (0..5)
            .map(|k| {
                let at = [0.0, 0.0, first + apart * k as f64];
                let body = model.add_body(Body::rigid(&format!("ball{k}"), 1.0, Inertia::ball(1.0, 0.05)).at(at));
                part(&mut model, body, Sphere { radius: 0.05 })
            })
            .collect();
        let law = NormalLaw::elastic(1e6, 1.5);
        let floor = part(&mut model, BodyId::GROUND, HalfSpace);
        model.add_force(Contact::new("floor", vec![balls[0].clone()], vec![floor], law.clone()));
        model.add_force(Contact::among("balls", balls, law));
        let found = heights(&model, [0, 1, 2, 3, 4]);
        let mut height = -0.05;
        for k in 0..5 {
            let load = (5 - k) as f64 * G;
            height += 0.1 - (load / 1e6).powf(1.0 / 1.5);
            assert!((found[k] - height).abs() < 1e-9, "ball {k} of {first}, {apart}: {} and {height}", found[k]);
        }
    }
}

#[test]
fn a_wheel_on_a_spring_carries_its_car() {
    for start in [0.5, 0.25] {
        let mut model = heavy();
        let upright = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
        let body = Body::rigid("wheel", 20.0, Inertia::principal(1.0, 1.0, 2.0)).at([0.0, 0.0, start]).oriented(upright);
        let wheel = model.add_body(body);
        let car = model.add_body(Body::rigid("car", 300.0, Inertia::principal(10.0, 10.0, 10.0)).at([0.0, 0.0, start + 0.4]));
        let hub = model.add_marker(Marker::on(wheel).oriented(upright.inverse()));
        let [below, guide, rail] = [Marker::on(car), Marker::on(car), Marker::on(BodyId::GROUND)].map(|m| model.add_marker(m));
        model.add_joint(Joint::new("guide", Translational, guide, rail));
        model.add_joint(Joint::new("strut", Translational, hub, below));
        model.add_force(SpringDamper::new("spring", below, hub).stiffness(2e4).free_length(0.5));
        let shape = Disk { radius: 0.3, edge: 0.05 };
        let road = contact(&mut model, (wheel, shape.into()), (BodyId::GROUND, HalfSpace.into()), NormalLaw::elastic(2e5, 1.0));
        model.add_force(road.friction(Friction::coulomb(0.8, 1e-3)));
        let [wheel, car] = heights(&model, [0, 1]);
        let expected = 0.3 - 320.0 * G / 2e5;
        assert!((wheel - expected).abs() < 1e-9 && (car - expected - 0.5 + 300.0 * G / 2e4).abs() < 1e-9, "{wheel}, {car}");
    }
}

/// Friction of the regularised kind holds nothing where nothing moves, so on a slope nothing is at rest.
#[test]
fn on_a_slope_that_only_friction_would_hold_there_is_no_equilibrium() {
    let mut model = heavy();
    let slope = Quat::from_axis_angle(&Vec3::y_axis(), 0.1);
    let ball = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, 0.05)).at([0.0, 0.0, 0.05]));
    let ball = part(&mut model, ball, Sphere { radius: 0.05 });
    let floor = model.add_marker(Marker::on(BodyId::GROUND).oriented(slope));
    let floor = cardan::contact::Part { marker: floor, shape: HalfSpace.into() };
    model.add_force(Contact::new("floor", vec![ball], vec![floor], NormalLaw::elastic(1e6, 1.0)).friction(Friction::coulomb(0.9, 1e-3)));
    let error = equilibrium(&System::new(&model).unwrap()).unwrap_err();
    assert!(matches!(error, StaticsError::NotFound { .. }) && error.to_string().contains("friction"), "{error}");
}
