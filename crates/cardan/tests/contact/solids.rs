//! Solids that rest, fall and roll on each other, in whole runs: heights of rest, lines and points of support, no energy from nowhere.

use super::part;
use cardan::contact::{
    Contact, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, Friction, HalfSpace, HeightField, Hull, Mesh, NormalLaw, Shape, Sphere,
};
use cardan::integrators::Method;
use cardan::prelude::*;
use std::sync::Arc;

const G: f64 = 9.81;
const STIFFNESS: f64 = 1e5;

fn methods() -> Vec<Arc<dyn Method>> {
    vec![Arc::new(Radau), Arc::new(Hht::default())]
}

/// A body over what is fixed to the ground.
fn over(fixed: &[(Shape, Marker)], body: Body, shape: Shape, contact: impl Fn(Contact) -> Contact) -> System {
    let mut model = Model::new("pile");
    model.set_gravity([0.0, 0.0, -G]);
    let body = model.add_body(body);
    let own = part(&mut model, body, shape);
    let ground = fixed
        .iter()
        .map(|(shape, marker)| cardan::contact::Part { marker: model.add_marker(marker.clone()), shape: shape.clone() })
        .collect();
    model.add_force(contact(Contact::new("contact", vec![own], ground, NormalLaw::elastic(STIFFNESS, 1.0).restitution(0.2, 0.5))));
    System::new(&model).unwrap()
}

fn rough(contact: Contact) -> Contact {
    contact.friction(Friction::coulomb(0.5, 1e-3))
}

fn ground() -> Marker {
    Marker::on(BodyId::GROUND)
}

fn run(system: &System, method: &Arc<dyn Method>, tolerance: f64, t_end: f64) -> Results {
    let results = Simulation::new(system).shared_method(method.clone()).tolerance(tolerance).record(Record::Interval(1e-2)).run(t_end);
    let results = results.unwrap_or_else(|e| panic!("{}: {e}", method.name()));
    let mut least = f64::INFINITY;
    let scale = results.samples[0].energy.total().abs().max(1.0);
    for sample in &results.samples {
        let total = sample.energy.total();
        assert!(total < least + 1e-3 * scale, "{}: energy from nowhere at {}: {total} after {least}", method.name(), sample.state.t);
        least = least.min(total);
    }
    results
}

fn end(results: &Results) -> &State {
    &results.samples.last().unwrap().state
}

/// The z axis of the first body, in the world.
fn upright(x: &State) -> Vec3 {
    let q = Quat::new_normalize(cardan::math::Quaternion::new(x.q[3], x.q[4], x.q[5], x.q[6]));
    q * Vec3::z()
}

fn speed(x: &State) -> f64 {
    x.v.iter().fold(0.0, |s, v| s.max(v.abs()))
}

fn table() -> (Shape, Marker) {
    (Cuboid { size: Vec3::new(1.0, 0.8, 0.2) }.into(), ground().at([0.0, 0.0, -0.1]))
}

fn turned(about: [f64; 3], angle: f64) -> Quat {
    Quat::from_scaled_axis(Vec3::from(about).normalize() * angle)
}

/// Half beside what it lies on and tilted by a hair: the shortest ways apart along the sides of both differ, and every way is as long at two corners.
#[test]
fn what_lies_almost_parallel_on_a_side_is_not_turned_across_its_plane_of_symmetry() {
    let (size, tilt, depth) = (Vec3::new(0.2, 0.08, 0.05), 1e-5, 3e-6);
    for roll in [0.0, 1e-9, -1e-9] {
        let q = turned([0.0, 1.0, 0.0], -tilt) * turned([1.0, 0.0, 0.0], roll);
        let body =
            Body::rigid("box", 1.0, Inertia::principal(1e-3, 4e-3, 4e-3)).at([0.2, 0.0, 0.5 * size.z + 0.1 * tilt - depth]).oriented(q);
        let rail = (Cuboid { size: Vec3::new(0.4, 0.1, 0.1) }.into(), ground().at([0.0, 0.0, -0.05]));
        let system = over(&[rail], body, Cuboid { size }.into(), |contact| contact);
        let begins = &Simulation::new(&system).run(1e-7).unwrap().samples[0].state;
        let [across, along] = [begins.a[3], begins.a[4]];
        assert!(along.abs() > 1.0 && across.abs() < 1e-3 * along.abs(), "roll {roll}: {across} and {along} rad/s²");
    }
}

/// Depths fade beside edges, and so does what presses, not only what carries.
#[test]
fn a_box_slides_on_one_of_about_the_same_width_by_its_coefficient_of_friction() {
    for width in [0.1, 0.1001, 0.0995, 0.099, 0.097, 0.12] {
        let size = Vec3::new(0.2, width, 0.05);
        let start =
            Body::rigid("box", 1.0, Inertia::cuboid(1.0, size.x, size.y, size.z)).at([0.0, 0.0, 0.5 * size.z]).moving([1.0, 0.0, 0.0]);
        let rail = (Cuboid { size: Vec3::new(4.0, 0.1, 0.1) }.into(), ground().at([0.0, 0.0, -0.05]));
        let slides = |contact: Contact| contact.friction(Friction::coulomb(0.2, 1e-4));
        let system = over(&[rail], start, Cuboid { size }.into(), slides);
        let results = run(&system, &methods()[0], 1e-6, 0.2);
        let coefficient = (1.0 - end(&results).v[0]) / 0.2 / G;
        assert!((coefficient - 0.2).abs() < 5e-4, "width {width}: {coefficient}");
    }
}

#[test]
fn a_box_dropped_askew_settles_flat_on_a_larger_one() {
    let size = Vec3::new(0.3, 0.2, 0.1);
    for turn in [0.0, 0.3, std::f64::consts::FRAC_PI_4] {
        let q = turned([1.0, 0.5, 0.0], 0.2) * turned([0.0, 0.0, 1.0], turn);
        let body = Body::rigid("box", 1.0, Inertia::cuboid(1.0, size.x, size.y, size.z)).at([0.0, 0.0, 0.12]).oriented(q);
        let system = over(&[table()], body, Cuboid { size }.into(), rough);
        for method in methods() {
            let results = run(&system, &method, 1e-5, 1.0);
            let x = end(&results);
            // Four corners carry it.
            let height = 0.05 - G / (4.0 * STIFFNESS);
            assert!((x.q[2] - height).abs() < 2e-6, "{} turned {turn}: {} not {height}", method.name(), x.q[2]);
            assert!(upright(x).z > 1.0 - 1e-9 && speed(x) < 1e-3, "{}: {:?}", method.name(), x);
        }
    }
}

/// Sides that coincide, a smaller box below, crossed ones and one turned by 45°: all of them carry, level.
#[test]
fn boxes_rest_on_each_other_however_they_lie() {
    let (long, square) = (Vec3::new(0.4, 0.1, 0.1), Vec3::new(0.2, 0.2, 0.1));
    let cases = [
        ("flush", square, square, 0.0),
        ("smaller below", Vec3::new(0.1, 0.12, 0.1), square, 0.3),
        ("crossed", long, long, std::f64::consts::FRAC_PI_2),
        ("at 45 degrees", square, square, std::f64::consts::FRAC_PI_4),
        ("slightly askew", square, square, 1e-3),
    ];
    for (name, below, above, turn) in cases {
        let start = Body::rigid("box", 1.0, Inertia::cuboid(1.0, above.x, above.y, above.z));
        let body = start.at([0.0, 0.0, 0.0502]).oriented(turned([0.0, 0.0, 1.0], turn));
        let system = over(&[(Cuboid { size: below }.into(), ground().at([0.0, 0.0, -0.05]))], body, Cuboid { size: above }.into(), rough);
        for method in methods() {
            let x = end(&run(&system, &method, 1e-5, 0.5)).clone();
            assert!((x.q[2] - 0.05).abs() < 6e-5 && x.q[2] < 0.05, "{name}, {}: {}", method.name(), x.q[2]);
            assert!(upright(&x).z > 1.0 - 1e-9 && speed(&x) < 1e-4, "{name}, {}: {x:?}", method.name());
        }
    }
}

/// A plank across two ridges, the upper edges of boxes that are turned by 45°: four crossings of edges.
#[test]
fn a_plank_rests_across_two_ridges() {
    let ridge = |x: f64| {
        let marker = ground().at([x, 0.0, 0.0]).oriented(turned([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_4));
        (Shape::from(Cuboid { size: Vec3::new(0.1, 0.5, 0.1) }), marker)
    };
    let size = Vec3::new(0.6, 0.1, 0.02);
    let top = 0.05 * 2f64.sqrt();
    let body = Body::rigid("plank", 1.0, Inertia::cuboid(1.0, size.x, size.y, size.z)).at([0.02, 0.0, top + 0.0102]);
    let system = over(&[ridge(-0.2), ridge(0.2)], body, Cuboid { size }.into(), rough);
    for method in methods() {
        let results = run(&system, &method, 1e-5, 0.5);
        let x = end(&results);
        let height = top + 0.01 - G / (4.0 * STIFFNESS);
        assert!((x.q[2] - height).abs() < 2e-6, "{}: {} not {height}", method.name(), x.q[2]);
        assert!(upright(x).z > 1.0 - 1e-8 && speed(x) < 1e-4, "{}: {x:?}", method.name());
    }
}

/// On a wide box a cylinder rests on its two ends, on a narrow one on the two edges it crosses; capsules do as well.
#[test]
fn what_lies_on_a_box_rests_on_a_line() {
    let cylinder: Shape = Cylinder { radius: 0.05, length: 0.4 }.into();
    let capsule: Shape = cardan::contact::Capsule { radius: 0.05, length: 0.4 }.into();
    let narrow = (Shape::from(Cuboid { size: Vec3::new(0.2, 0.5, 0.2) }), ground().at([0.0, 0.0, -0.1]));
    for (name, shape) in [("cylinder", cylinder), ("capsule", capsule)] {
        for below in [table(), narrow.clone()] {
            let lying = turned([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2);
            let body = Body::rigid("roller", 1.0, Inertia::principal(0.014, 0.014, 0.00125)).at([0.01, 0.0, 0.0502]).oriented(lying);
            let system = over(&[below], body, shape.clone(), rough);
            for method in methods() {
                let results = run(&system, &method, 1e-5, 0.5);
                let x = end(&results);
                assert!((x.q[2] - 0.05).abs() < 6e-5 && x.q[2] < 0.05, "{name}, {}: {}", method.name(), x.q[2]);
                assert!((x.q[0] - 0.01).abs() < 1e-4 && x.q[1].abs() < 1e-5, "{name}, {}: {x:?}", method.name());
                assert!(upright(x).z.abs() < 2e-4 && upright(x).y.abs() < 1e-5 && speed(x) < 2e-4, "{name}, {}: {x:?}", method.name());
            }
        }
    }
}

/// A cylinder stands on a box and on a cylinder, and lies on one crosswise.
#[test]
fn cylinders_stand_and_lie_on_solids() {
    let cylinder = Cylinder { radius: 0.1, length: 0.2 };
    let inertia = Inertia::principal(0.0058, 0.0058, 0.005);
    let standing = Body::rigid("upper", 1.0, inertia).at([0.02, 0.01, 0.1002]);
    let post = (Shape::from(Cylinder { radius: 0.15, length: 0.2 }), ground().at([0.0, 0.0, -0.1]));
    for below in [table(), post] {
        let system = over(&[below], standing.clone(), cylinder.into(), rough);
        for method in methods() {
            let results = run(&system, &method, 1e-5, 0.5);
            let x = end(&results);
            assert!((x.q[2] - 0.1).abs() < 1.5e-4 && upright(x).z > 1.0 - 1e-6, "{}: {x:?}", method.name());
        }
    }
}

fn groove() -> Mesh {
    let corners = [[-1.0, -0.5, 0.5], [1.0, -0.5, 0.5], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.5, 0.5], [1.0, 0.5, 0.5]];
    Mesh::new(corners.iter().map(|x| Vec3::from(*x)).collect(), vec![[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]])
}

#[test]
fn a_ball_in_a_groove_of_a_mesh_has_two_touches() {
    let radius = 0.1;
    let body = Body::rigid("ball", 1.0, Inertia::ball(1.0, radius)).at([0.03, 0.01, 0.15]);
    let system = over(&[(groove().into(), ground())], body, Sphere { radius }.into(), rough);
    for method in methods() {
        let results = run(&system, &method, 1e-6, 2.0);
        let x = end(&results);
        let height = 2f64.sqrt() * (radius - G / 2f64.sqrt() / STIFFNESS);
        assert!((x.q[2] - height).abs() < 1e-6 && x.q[1].abs() < 1e-5, "{}: {x:?} not {height}", method.name());
        assert_eq!(results.channel(&system, "contact.touching").unwrap().last(), Some(&2.0));
    }
}

#[test]
fn a_ball_feels_nothing_of_how_a_plane_is_divided() {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.1, 0.05, 0.0]];
    let plane = Mesh::new(corners.iter().map(|x| Vec3::from(*x)).collect(), vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    let (radius, depth) = (0.1, G / STIFFNESS);
    let body = Body::rigid("ball", 1.0, Inertia::ball(1.0, radius)).at([-0.5, -0.4, radius - depth]).moving([1.0, 0.9, 0.0]);
    let system = over(&[(plane.into(), ground())], body, Sphere { radius }.into(), |contact| contact);
    let results = run(&system, &methods()[0], 1e-8, 1.0);
    for sample in &results.samples {
        assert!((sample.state.q[2] - radius + depth).abs() < 1e-10, "at {}: {}", sample.state.t, sample.state.q[2]);
    }
    assert_eq!(results.channel(&system, "contact.touching").unwrap().iter().copied().fold(0.0, f64::max), 1.0);
}

/// A ball that slides in the valley z = y²/2 without friction; where its centre is by its own equation of motion.
#[test]
fn a_ball_runs_through_a_valley_as_computed_independently() {
    let count = 161;
    let at = |j: usize| -2.0 + 4.0 * j as f64 / (count as f64 - 1.0);
    let field = HeightField::new([-1.0, 1.0], [-2.0, 2.0], vec![(0..count).map(|j| 0.5 * at(j) * at(j)).collect(); 3]);
    let (radius, y) = (0.2, 0.5_f64);
    let m = (1.0 + y * y).sqrt();
    let body = Body::rigid("ball", 1.0, Inertia::ball(1.0, radius)).at([0.0, y - radius * y / m, 0.5 * y * y + radius / m]);
    let mut model = Model::new("valley");
    model.set_gravity([0.0, 0.0, -G]);
    let ball = model.add_body(body);
    let (i, j) = (part(&mut model, ball, Sphere { radius }), part(&mut model, BodyId::GROUND, field));
    model.add_force(Contact::new("contact", vec![i], vec![j], NormalLaw::elastic(1e8, 1.0)));
    let system = System::new(&model).unwrap();
    let known = VALLEY;
    for ((method, tolerance), bar) in methods().iter().zip([1e-8, 1e-6]).zip([2e-6, 2e-5]) {
        let results =
            Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).record(Record::Interval(0.25)).run(1.0).unwrap();
        for (sample, (t, y)) in results.samples[1..].iter().zip(known) {
            assert!(
                (sample.state.t - t).abs() < 1e-9 && (sample.state.q[1] - y).abs() < bar,
                "{} at {t}: {}",
                method.name(),
                sample.state.q[1]
            );
        }
    }
}

/// Solutions of the equation of motion of the centre with a tolerance of 1e-12.
const VALLEY: [(f64, f64); 4] = [(0.25, 0.2896037746), (0.5, -0.0276641022), (0.75, -0.3238100564), (1.0, -0.4076055382)];

/// An ellipsoid that falls on another, beside its top; closest points by another algorithm.
#[test]
fn an_ellipsoid_glances_off_another_as_computed_independently() {
    let (upper, lower) = (Vec3::new(0.3, 0.2, 0.1), Vec3::new(0.5, 0.4, 0.2));
    let inertia = Inertia::principal(0.01, 0.02, 0.026);
    let body = Body::rigid("upper", 1.0, inertia).at([0.1, 0.05, 0.32]).oriented(turned([1.0, 0.0, 0.0], 0.3));
    let mut model = Model::new("eggs");
    model.set_gravity([0.0, 0.0, -G]);
    let egg = model.add_body(body);
    let (i, j) = (part(&mut model, egg, Ellipsoid { semi_axes: upper }), part(&mut model, BodyId::GROUND, Ellipsoid { semi_axes: lower }));
    model.add_force(Contact::new("contact", vec![i], vec![j], NormalLaw::elastic(1e5, 1.0)));
    let system = System::new(&model).unwrap();
    for (method, bar) in methods().iter().zip([1e-6, 1e-4]) {
        let results = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-9).record(Record::Ends).run(0.25).unwrap();
        let x = end(&results);
        for (k, known) in EGGS.iter().enumerate() {
            let got = if k < 3 { x.q[k] } else { x.v[k - 3] };
            assert!((got - known).abs() < bar * (1.0 + known.abs()), "{}, {k}: {got} not {known}", method.name());
        }
    }
}

/// Position, velocity and angular velocity in the body.
const EGGS: [f64; 9] =
    [0.1211852274, 0.0590981760, 0.3166127224, 0.1864341403, 0.1258346035, -0.0819390429, -0.9495825170, 0.0793392613, 0.0189942724];

/// Five dominoes: one after the other falls, none before its neighbour.
#[test]
fn dominoes_fall_one_after_another() {
    let (size, apart, count) = (Vec3::new(0.01, 0.025, 0.05), 0.025, 5);
    let mut model = Model::new("dominoes");
    model.set_gravity([0.0, 0.0, -G]);
    let mass = 0.01;
    let mut parts = Vec::new();
    for k in 0..count {
        let start = Body::rigid(&format!("domino{k}"), mass, Inertia::cuboid(mass, size.x, size.y, size.z));
        // The first one falls about its lower edge, beyond where it would come back.
        let (sin, cos) = 0.25_f64.sin_cos();
        let from_edge = [-0.005 * cos + 0.025 * sin, 0.0, 0.005 * sin + 0.025 * cos];
        let body = model.add_body(if k == 0 {
            let falls = start.spinning([0.0, 5.0, 0.0]).moving([5.0 * from_edge[2], 0.0, -5.0 * from_edge[0]]);
            falls.at([0.005 + from_edge[0], 0.0, from_edge[2]]).oriented(turned([0.0, 1.0, 0.0], 0.25))
        } else {
            start.at([k as f64 * apart, 0.0, 0.025])
        });
        parts.push(part(&mut model, body, Cuboid { size }));
    }
    let floor = part(&mut model, BodyId::GROUND, HalfSpace);
    let law = NormalLaw::elastic(1e4, 1.0).restitution(0.3, 0.1);
    model.add_force(Contact::new("floor", parts.clone(), vec![floor], law.clone()).friction(Friction::coulomb(0.5, 1e-3)));
    model.add_force(Contact::among("dominoes", parts, law).friction(Friction::coulomb(0.2, 1e-3)));
    let system = System::new(&model).unwrap();
    for method in methods() {
        let results = run(&system, &method, 1e-4, 0.4);
        let tilted = |x: &State, k: usize| {
            let q = &x.q[7 * k + 3..7 * k + 7];
            (Quat::new_normalize(cardan::math::Quaternion::new(q[0], q[1], q[2], q[3])) * Vec3::z()).z < 0.9
        };
        let first = |k: usize| results.samples.iter().find(|s| tilted(&s.state, k)).map(|s| s.state.t);
        let times: Vec<f64> = (0..count).map(|k| first(k).unwrap_or_else(|| panic!("{}: domino {k} stands", method.name()))).collect();
        assert!(times.windows(2).all(|w| w[0] < w[1]), "{}: {times:?}", method.name());
    }
}

/// Wheels and points on ground of heights and triangles; a hull like a box.
#[test]
fn hulls_and_wheels_rest_where_they_should() {
    let flat = HeightField::new([-1.0, 1.0], [-1.0, 1.0], vec![vec![0.1; 4]; 4]);
    let wheel: Shape = Disk { radius: 0.2, edge: 0.02 }.into();
    let upright_wheel = turned([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let body = Body::rigid("wheel", 1.0, Inertia::principal(0.01, 0.01, 0.02)).at([0.1, 0.0, 0.3002]).oriented(upright_wheel);
    let system = over(&[(flat.into(), ground())], body, wheel, rough);
    let results = run(&system, &methods()[0], 1e-6, 0.1);
    assert!((end(&results).q[2] - 0.3 + G / STIFFNESS).abs() < 2e-6, "{:?}", end(&results));
    let corners = (0..8).map(|k| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { -0.1 } else { 0.1 }));
    let hull: Shape = Hull::new(corners.collect()).into();
    for below in [table(), (HalfSpace.into(), ground()), (Hull::new(points_of_table()).into(), ground())] {
        let body =
            Body::rigid("hull", 1.0, Inertia::cuboid(1.0, 0.2, 0.2, 0.2)).at([0.1, 0.0, 0.1002]).oriented(turned([0.0, 0.0, 1.0], 0.2));
        let system = over(&[below], body, hull.clone(), rough);
        let results = run(&system, &methods()[0], 1e-6, 0.5);
        assert!((end(&results).q[2] - 0.1 + G / (4.0 * STIFFNESS)).abs() < 1e-6, "{:?}", end(&results));
    }
}

fn points_of_table() -> Vec<Vec3> {
    (0..8)
        .map(|k| Vec3::new(if k & 1 == 0 { -0.5 } else { 0.5 }, if k & 2 == 0 { -0.4 } else { 0.4 }, if k & 4 == 0 { -0.2 } else { 0.0 }))
        .collect()
}

#[test]
fn a_mesh_that_is_open_has_no_inside_for_points() {
    let mut model = Model::new("open");
    let body = model.add_body(Body::rigid("body", 1.0, Inertia::principal(1.0, 1.0, 1.0)));
    let (i, j) = (part(&mut model, body, ContactPoint), part(&mut model, BodyId::GROUND, groove()));
    model.add_force(Contact::new("contact", vec![i], vec![j], NormalLaw::elastic(1.0, 1.0)));
    let message = System::new(&model).err().unwrap().to_string();
    assert!(message.contains("closed mesh") && message.contains("the edge from"), "{message}");
}
