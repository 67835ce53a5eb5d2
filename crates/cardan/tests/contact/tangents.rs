//! Every pair of shapes: tangents against differences, action and reaction, balance of energy.

use super::differences::{assert_close, derivative, moved};
use super::part;
use cardan::contact::{
    Capsule, Contact, ContactPoint, Cuboid, Cylinder, Disk, Elastic, Ellipsoid, Friction, Given, HalfSpace, HeightField, HollowCylinder,
    HollowSphere, Hull, Mesh, NormalLaw, Piece, Profile, Resistance, Shape, Solid, Sphere, Torus, Turn,
};
use cardan::expr::Scope;
use cardan::forces::PairForce;
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};

/// Pairs, and how far their origins are apart at most where they touch.
fn pairs() -> Vec<(Shape, Shape, f64)> {
    let ball: Shape = Sphere { radius: 0.4 }.into();
    let flat: Shape = HalfSpace.into();
    let cuboid: Shape = Cuboid { size: Vec3::new(0.8, 0.6, 1.0) }.into();
    let cylinder: Shape = Cylinder { radius: 0.5, length: 0.8 }.into();
    let bore: Shape = HollowCylinder { radius: 0.6, length: 1.5 }.into();
    let bowl: Shape = HollowSphere { radius: 1.0 }.into();
    let capsule: Shape = Capsule { radius: 0.3, length: 0.8 }.into();
    let egg: Shape = Ellipsoid { semi_axes: Vec3::new(0.5, 0.3, 0.4) }.into();
    let ring: Shape = Torus { radius: 0.5, tube: 0.2 }.into();
    let wheel: Shape = Disk { radius: 0.5, edge: 0.1 }.into();
    let mut all = Vec::new();
    for surface in [&flat, &ball, &bowl, &cuboid, &cylinder, &bore, &capsule, &egg, &ring, &wheel] {
        all.push((ball.clone(), surface.clone(), 1.0));
        all.push((Shape::from(ContactPoint), surface.clone(), 0.9));
    }
    for solid in [&cuboid, &cylinder, &capsule, &egg, &ring, &wheel] {
        all.push((solid.clone(), flat.clone(), 0.7));
    }
    all.push((cuboid.clone(), bowl.clone(), 0.8));
    all.push((cuboid.clone(), cuboid.clone(), 0.9));
    all.push((cuboid.clone(), bore.clone(), 0.7));
    all.push((capsule.clone(), bowl, 0.7));
    all.push((capsule.clone(), bore.clone(), 0.5));
    all.push((cylinder.clone(), bore, 0.3));
    all.push((capsule.clone(), capsule.clone(), 0.8));
    for sharp in [&cuboid, &cylinder, &capsule] {
        all.push((cylinder.clone(), sharp.clone(), 0.9));
        all.push((egg.clone(), sharp.clone(), 0.7));
        all.push((wheel.clone(), sharp.clone(), 0.8));
    }
    all.push((cuboid, capsule.clone(), 0.9));
    all.push((egg.clone(), egg.clone(), 0.7));
    all.push((egg, wheel.clone(), 0.7));
    all.push((wheel.clone(), wheel.clone(), 0.8));
    let hull: Shape = Hull::new(octahedron().0).into();
    let mesh: Shape = Mesh::new(octahedron().0, octahedron().1).into();
    let waves = (0..7).map(|i| (0..6).map(|j| 0.1 * f64::from(i).sin() + 0.08 * (0.8 * f64::from(j)).cos()).collect());
    let field: Shape = HeightField::new([-1.0, 1.0], [-0.9, 1.1], waves.collect()).into();
    for solid in [&hull, &mesh] {
        all.push((ball.clone(), solid.clone(), 1.0));
        all.push((Shape::from(ContactPoint), solid.clone(), 0.6));
        all.push((Shape::from(Capsule { radius: 0.2, length: 0.5 }), solid.clone(), 0.9));
        all.push((solid.clone(), flat.clone(), 0.6));
        all.push((solid.clone(), Cuboid { size: Vec3::new(0.8, 0.6, 1.0) }.into(), 0.8));
    }
    all.push((hull.clone(), hull.clone(), 0.8));
    all.push((mesh, hull, 0.8));
    let egg: Shape = Ellipsoid { semi_axes: Vec3::new(0.3, 0.2, 0.25) }.into();
    for round in [ball, ContactPoint.into(), wheel, egg, ring, Cuboid { size: Vec3::new(0.4, 0.3, 0.5) }.into()] {
        all.push((round, field.clone(), 0.5));
    }
    let [plate, cam, ring]: [Shape; 3] = [plate(), cam(), hole()].map(|profile| profile.wide(1.2).into());
    let (point, cylinder): (Shape, Shape) = (ContactPoint.into(), Cylinder { radius: 0.2, length: 0.5 }.into());
    for round in [point, Sphere { radius: 0.2 }.into(), capsule, cylinder, Disk { radius: 0.15, edge: 0.05 }.into()] {
        all.extend([&plate, &cam, &ring].map(|profile| (round.clone(), profile.clone(), 0.9)));
    }
    for profile in [&plate, &cam] {
        all.push((profile.clone(), flat.clone(), 0.5));
        all.extend([&plate, &cam, &ring].map(|other| (profile.clone(), other.clone(), 0.9)));
    }
    all
}

/// Profiles with lines, arcs, corners and a spline; of a spline only; of a hole.
fn plate() -> Profile {
    let pieces = vec![
        Piece::Line { to: [0.4, -0.4] },
        Piece::Arc { center: [0.4, -0.2], to: [0.6, -0.2], turn: Turn::Left },
        Piece::Line { to: [0.6, 0.1] },
        Piece::Spline { points: vec![[0.5, 0.3], [0.3, 0.42], [0.1, 0.35]], directions: [None; 2] },
        Piece::Line { to: [0.0, 0.1] },
        Piece::Line { to: [-0.1, 0.4] },
        Piece::Arc { center: [-0.3, 0.4], to: [-0.5, 0.4], turn: Turn::Right },
        Piece::Line { to: [-0.5, -0.4] },
    ];
    Profile::closed([-0.5, -0.4], pieces)
}

fn octahedron() -> (Vec<Vec3>, Vec<[usize; 3]>) {
    let corners = [[0.6, 0.0, 0.1], [0.0, 0.5, 0.0], [-0.6, 0.0, 0.0], [0.1, -0.5, 0.0], [0.0, 0.0, 0.6], [0.0, 0.1, -0.5]];
    let triangles = vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]];
    (corners.iter().map(|x| Vec3::from(*x)).collect(), triangles)
}

fn cam() -> Profile {
    let at = |k: i32| std::f64::consts::TAU * f64::from(k) / 24.0;
    let radius = |a: f64| 0.4 + 0.08 * (2.0 * a).cos() + 0.05 * a.sin();
    let points: Vec<[f64; 2]> = (0..=24).map(|k| [radius(at(k)) * at(k).cos(), radius(at(k)) * at(k).sin()]).collect();
    Profile::closed(points[0], vec![Piece::Spline { points: points[1..].to_vec(), directions: [None; 2] }])
}

fn hole() -> Profile {
    let round = |to| Piece::Arc { center: [0.0, 0.0], to, turn: Turn::Right };
    Profile::closed(
        [1.0, 0.0],
        vec![round([0.0, -1.0]), Piece::Line { to: [-0.2, -0.7] }, Piece::Line { to: [-0.6, -0.8] }, round([1.0, 0.0])],
    )
}

/// What acts in a contact.
pub fn laws() -> Vec<Given> {
    let of = |normal: NormalLaw| Given { normal: Some(normal), ..Given::default() };
    let smooth = Friction::coulomb(0.4, 0.7).with_static(0.6).with_viscous(0.05);
    let resistance = Resistance { rolling: 0.2, spinning: 0.1, transition: 0.3 };
    let function = NormalLaw::function("25*depth**1.5*(1 + 0.2*rate)", &Scope::default()).unwrap();
    vec![
        of(NormalLaw::elastic(30.0, 1.5)),
        Given { friction: Some(smooth), resistance: Some(resistance), ..of(NormalLaw::elastic(30.0, 1.5).restitution(0.5, 3.0)) },
        Given { friction: Some(Friction::stepped(0.5, 0.3, 0.6, 1.4)), ..of(NormalLaw::impact(20.0, 2.0, 3.0, 0.2)) },
        Given { friction: Some(smooth.with_bristles(0.3, 0.1)), ..of(NormalLaw::elastic(30.0, 1.5).restitution_at_every_speed(0.5)) },
        of(NormalLaw::table(&[[0.1, 2.0], [0.3, 5.0], [0.6, 20.0]]).restitution_at_every_speed(0.3)),
        Given { resistance: Some(resistance), ..of(function) },
    ]
}

/// The same, stiff enough for impacts.
pub fn stiffer(given: &Given) -> Given {
    let mut given = given.clone();
    if let Some(law) = &mut given.normal {
        law.elastic = match &law.elastic {
            Elastic::Power { exponent, .. } => Elastic::Power { stiffness: 3e4, exponent: *exponent },
            Elastic::Table(_) => Elastic::table(&[[0.01, 100.0], [0.03, 500.0], [0.06, 3000.0]]),
            Elastic::Function(_) => Elastic::function("2e4*depth**1.5*(1 + 0.2*rate)", &Scope::default()).unwrap(),
        };
    }
    given
}

/// A system and states in which the two shapes touch.
struct Case {
    label: String,
    system: System,
    states: Vec<State>,
}

fn cases() -> Vec<Case> {
    let mut random = Random::new(11);
    let mut cases = Vec::new();
    for (a, b, apart) in pairs() {
        for (k, given) in laws().into_iter().enumerate() {
            let label = format!("{} on {}, law {k}", a.kind_name(), b.kind_name());
            let mut model = Model::new("pair");
            let bodies = ["a", "b"].map(|name| model.add_body(Body::rigid(name, 1.3, Inertia::principal(0.5, 0.6, 0.7))));
            // A shape that is not in the middle of its body.
            let marker = Marker::on(bodies[1]).at([0.1, -0.2, 0.15]).oriented(random.rotation());
            let other = cardan::contact::Part { marker: model.add_marker(marker), shape: b.clone() };
            let own = part(&mut model, bodies[0], a.clone());
            model.add_force(Contact::between("contact", vec![own], vec![other], given));
            let system = System::new(&model).unwrap();
            let states = touching(&system, apart, &mut random);
            assert!(states.len() >= 4, "{label}: found {}", states.len());
            cases.push(Case { label, system, states });
        }
    }
    cases
}

/// Random states in which the contact exerts force, away from where it begins or changes its nearest face.
fn touching(system: &System, apart: f64, random: &mut Random) -> Vec<State> {
    let mut states = Vec::new();
    for _ in 0..4000 {
        let mut x = system.initial().clone();
        for body in 0..2 {
            let q = random.rotation();
            let p = if body == 0 { random.vector(apart) } else { Vec3::zeros() };
            x.q[7 * body..7 * body + 7].copy_from_slice(&[p.x, p.y, p.z, q.w, q.i, q.j, q.k]);
            for k in 0..6 {
                x.v[6 * body + k] = random.range(-1.0, 1.0);
            }
        }
        // Bristles that are bent somehow.
        x.x.iter_mut().for_each(|bent| *bent = random.range(-0.3, 0.3));
        if smooth(system, &x) {
            states.push(x);
        }
        if states.len() == 4 {
            break;
        }
    }
    states
}

fn force(system: &System, x: &State) -> Vec<f64> {
    system.evaluate(x, &mut Work::new(system)).f().to_vec()
}

/// Whether there is force, and differences in two steps agree: no edge is near.
fn smooth(system: &System, x: &State) -> bool {
    let f = force(system, x);
    if f.iter().all(|f| f.abs() < 1e-3) {
        return false;
    }
    let differences = |h: f64, k: usize| -> Vec<f64> {
        let side = |s: f64| {
            let mut y = x.clone();
            let mut delta = vec![0.0; system.nv()];
            delta[k] = s;
            system.retract(&x.q, &delta, &mut y.q);
            force(system, &y)
        };
        side(h).iter().zip(side(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    (0..system.nv()).all(|k| {
        let (coarse, fine) = (differences(1e-3, k), differences(1e-5, k));
        let size = fine.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        coarse.iter().zip(&fine).all(|(a, b)| (a - b).abs() < 2e-3 * size)
    })
}

/// The residual of the motion, and the rates of states.
fn equations(system: &System, x: &State) -> Vec<f64> {
    let mut work = Work::new(system);
    let at = system.evaluate(x, &mut work);
    let rates: Vec<f64> = at.rates().iter().map(|rate| -rate).collect();
    [at.f().to_vec(), rates].concat()
}

/// The equations as the bodies, or their velocities, are moved along one velocity, or a state.
fn moved_along(system: &System, x: &State, k: usize, [position, velocity]: [f64; 2]) -> Vec<f64> {
    let mut y = x.clone();
    match k.checked_sub(system.nv()) {
        Some(state) => y.x[state] += position,
        None => {
            let mut delta = vec![0.0; system.nv()];
            delta[k] = position;
            system.retract(&x.q, &delta, &mut y.q);
            y.v[k] += velocity;
        }
    }
    equations(system, &y)
}

/// Differences in two steps, which agree where neither meets a kink: steps of friction and damping have jumps in their second derivatives.
fn differences(system: &System, x: &State, k: usize, weights: [f64; 2]) -> Option<Vec<f64>> {
    let with = |part: f64| -> Vec<f64> {
        let along = derivative(|s| moved_along(system, x, k, weights.map(|w| w * s * part)));
        along.into_iter().map(|d| d / part).collect()
    };
    let (whole, half) = (with(1.0), with(0.4));
    let size = half.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    whole.iter().zip(&half).all(|(a, b)| (a - b).abs() < 1e-8 * size).then_some(half)
}

#[test]
fn tangents_match_differences() {
    for Case { label, system, states } in cases() {
        let (mut compared, mut all) = (0, 0);
        for x in &states {
            for [position, velocity] in [[1.0, 0.0], [0.0, 1.0]] {
                let (mut work, mut jacobian) = (Work::new(&system), Jacobian::new(&system));
                let mut at = system.evaluate(x, &mut work);
                let weights = Weights { mass: 0.0, position, velocity, state: position, state_rate: 0.0, ..Weights::mass_only(&[]) };
                at.tangent(&weights, &mut jacobian);
                let n = system.nv() + system.nx();
                let mut dense = vec![0.0; n * n];
                jacobian.matrix().to_dense(&mut dense);
                for k in 0..n {
                    all += 1;
                    let Some(numeric) = differences(&system, x, k, [position, velocity]) else { continue };
                    compared += 1;
                    assert_close(&dense[k * n..(k + 1) * n], &numeric, 1e-7, &format!("{label}, column {k}, by {position} {velocity}"));
                }
            }
        }
        assert!(4 * compared > 3 * all, "{label}: {compared} of {all}");
    }
}

/// f·v is the rate of what is stored and what is lost; forces and torques cancel.
#[test]
fn energy_is_stored_or_lost_and_actions_have_reactions() {
    for Case { label, system, states } in cases() {
        for x in &states {
            let mut work = Work::new(&system);
            let power: f64 = force(&system, x).iter().zip(&x.v).map(|(f, v)| f * v).sum();
            // In a small step: tables have jumps in the second derivatives of their forces.
            let potential = |s: f64| vec![system.energy(&moved(&system, x, 0.1 * s), &mut Work::new(&system)).potential];
            let stored = derivative(potential)[0] / 0.1;
            let lost = system.energy(x, &mut work).dissipation;
            let size = 1.0 + power.abs() + stored.abs();
            assert!((power - stored - lost).abs() < 1e-7 * size, "{label}: power {power}, stored {stored}, lost {lost}");
            // Without inertia forces: M a + f with the bodies at rest.
            let mut rest = x.clone();
            rest.v.fill(0.0);
            let f = force(&system, &rest);
            let at = |k: usize| Vec3::new(f[k], f[k + 1], f[k + 2]);
            assert!((at(0) + at(6)).norm() < 1e-12 * (1.0 + at(0).norm()), "{label}");
            let turned = |b: usize| system.bodies()[b].orientation(&rest) * at(6 * b + 3);
            let arm = system.bodies()[0].position(&rest) - system.bodies()[1].position(&rest);
            assert!((turned(0) + turned(1) + arm.cross(&at(0))).norm() < 1e-12 * (1.0 + f.iter().map(|f| f.abs()).sum::<f64>()), "{label}");
        }
    }
}

#[test]
fn planar_bodies_and_points_touch_as_well() {
    let mut model = Model::new("flat");
    let ball = model.add_body(Body::planar("ball", 1.0, 0.1).at([0.0, 0.45, 0.0]));
    let point = model.add_body(Body::point_2d("point", 1.0).at([0.3, -0.1, 0.0]));
    let floor = model.add_marker(Marker::on(BodyId::GROUND).z_along([0.0, 1.0, 0.0]));
    let floor = cardan::contact::Part { marker: floor, shape: HalfSpace.into() };
    let parts = vec![part(&mut model, ball, Sphere { radius: 0.5 }), part(&mut model, point, ContactPoint)];
    model.add_force(Contact::new("floor", parts, vec![floor], NormalLaw::elastic(100.0, 1.0)));
    let system = System::new(&model).unwrap();
    let f = force(&system, system.initial());
    assert!((f[1] + 5.0).abs() < 1e-12 && (f[4] + 10.0).abs() < 1e-12, "{f:?}");
}

#[test]
fn what_cannot_touch_is_refused_with_what_can() {
    let refused = |a: Shape, b: Shape| {
        let mut model = Model::new("pair");
        let body = model.add_body(Body::rigid("body", 1.0, Inertia::principal(1.0, 1.0, 1.0)));
        let (a, b) = (part(&mut model, body, a), part(&mut model, BodyId::GROUND, b));
        model.add_force(Contact::new("contact", vec![a], vec![b], NormalLaw::elastic(1.0, 1.0)));
        System::new(&model).err().map(|e| e.to_string()).unwrap_or_default()
    };
    let message = refused(HalfSpace.into(), HalfSpace.into());
    assert!(message.contains("half-space and half-space"), "{message}");
    let message = refused(Torus { radius: 0.3, tube: 0.1 }.into(), Cuboid { size: Vec3::new(1.0, 1.0, 1.0) }.into());
    assert!(message.contains("torus and box") && message.contains("sphere"), "{message}");
    let message = refused(Sphere { radius: -1.0 }.into(), HalfSpace.into());
    assert!(message.contains("radius"), "{message}");
    let mut model = Model::new("same");
    let body = model.add_body(Body::rigid("body", 1.0, Inertia::principal(1.0, 1.0, 1.0)));
    let parts = vec![part(&mut model, body, Sphere { radius: 1.0 }), part(&mut model, body, Sphere { radius: 1.0 })];
    model.add_force(Contact::among("own", parts, NormalLaw::elastic(1.0, 1.0)));
    assert!(System::new(&model).is_err());
    let _: fn(Contact) -> PairForce = PairForce::new;
    assert!(Shape::from(Sphere { radius: 1.0 }).mistake().is_none());
}

/// Stops of a hinge: contact and joint write to the same blocks.
#[test]
fn a_matrix_is_the_same_however_often_it_is_written_where_a_joint_holds_what_touches() {
    let mut model = Model::new("stop");
    let mut links: Vec<BodyId> = Vec::new();
    for k in 0..3 {
        let link = Body::rigid(&format!("link{k}"), 1.0, Inertia::cuboid(1.0, 0.5, 0.1, 0.1)).at([0.5 * f64::from(k), 0.0, 0.0]);
        let link = model.add_body(link);
        let end = links.last().map_or(Marker::on(BodyId::GROUND).at([-0.25, 0.0, 0.0]), |before| Marker::on(*before).at([0.25, 0.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(link).at([-0.25, 0.0, 0.0])), model.add_marker(end));
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
        links.push(link);
    }
    let (tip, stop) = (part(&mut model, links[1], Sphere { radius: 0.1 }), part(&mut model, links[0], Sphere { radius: 0.45 }));
    model.add_force(Contact::new("stop", vec![tip], vec![stop], NormalLaw::elastic(1e4, 1.0)));
    let system = System::new(&model).unwrap();
    let (mut jacobian, mut work) = (Jacobian::new(&system), Work::new(&system));
    let w = Weights { velocity: 1e-2, position: 1e-4, ..Weights::mass_only(&[]) };
    let mut written = || {
        let mut at = system.evaluate(system.initial(), &mut work);
        at.tangent(&w, &mut jacobian);
        assert_eq!(at.acting_pairs(0), 1);
        jacobian.matrix().values.clone()
    };
    let first = written();
    assert!(first == written() && first == written());
}
