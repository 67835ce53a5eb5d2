//! Linear equations and modes against closed formulas, other equations of the same mechanisms, and published numbers.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{LinearModel, LinearizeError, Mode, Steadiness, linearize, modes};
use cardan::prelude::*;
use nalgebra::{Complex, DMatrix, Matrix2, Matrix4};
use std::f64::consts::PI;

const G: f64 = 9.81;

/// The mode nearest to an eigenvalue of positive frequency.
fn nearest(modes: &[Mode], expected: Complex<f64>) -> Complex<f64> {
    let expected = Complex::new(expected.re, expected.im.abs());
    modes.iter().map(|m| m.eigenvalue).min_by(|a, b| (a - expected).norm().total_cmp(&(b - expected).norm())).unwrap()
}

fn assert_mode(modes: &[Mode], expected: Complex<f64>, bar: f64) {
    let expected = Complex::new(expected.re, expected.im.abs());
    let error = (nearest(modes, expected) - expected).norm() / expected.norm();
    assert!(error < bar, "{expected}: nearest is {}, off by {error:.1e}", nearest(modes, expected));
}

/// Masses on a slide between walls, joined by springs with dampers in proportion.
fn chain_of_masses(n: usize, stiffness: f64, damping: f64) -> Model {
    let mut model = Model::new("masses");
    let wall = model.add_marker(Marker::on(BodyId::GROUND).named("wall").z_along([1.0, 0.0, 0.0]));
    let mut last = wall;
    for k in 0..n {
        let x = (k + 1) as f64;
        let body = model.add_body(Body::rigid(&format!("mass{}", k + 1), 2.0, Inertia::ball(2.0, 0.1)).at([x, 0.0, 0.0]));
        let own = model.add_marker(Marker::on(body).named(&format!("mass{}.centre", k + 1)).z_along([1.0, 0.0, 0.0]));
        model.add_joint(Joint::new(&format!("slide{}", k + 1), Translational, own, wall));
        model.add_force(SpringDamper::new(&format!("spring{}", k + 1), own, last).stiffness(stiffness).damping(damping).free_length(1.0));
        last = own;
    }
    let end = model.add_marker(Marker::on(BodyId::GROUND).at([(n + 1) as f64, 0.0, 0.0]));
    model.add_force(SpringDamper::new("last spring", end, last).stiffness(stiffness).damping(damping).free_length(1.0));
    model
}

#[test]
fn four_masses_swing_as_the_closed_formula_says() {
    let (k, c, m) = (300.0, 1.5, 2.0);
    let system = System::new(&chain_of_masses(4, k, c)).unwrap();
    let found = modes(&system, &assemble(&system).unwrap().state).unwrap();
    assert_eq!(found.steadiness, Steadiness::Equilibrium);
    assert_eq!(found.modes.len(), 4);
    for (j, mode) in found.modes.iter().enumerate() {
        let omega = 2.0 * (k / m).sqrt() * ((j + 1) as f64 * PI / 10.0).sin();
        let damping = 0.5 * c / k * omega;
        let expected = Complex::new(-damping * omega, omega * (1.0 - damping * damping).sqrt());
        assert!((mode.eigenvalue - expected).norm() < 1e-10 * omega, "{} against {expected}", mode.eigenvalue);
        assert!((mode.damping_ratio().unwrap() - damping).abs() < 1e-10);
        assert!((mode.time_constant().unwrap() * damping * omega - 1.0).abs() < 1e-10);
        // The shape is a sine.
        let sine = |body: usize| ((j + 1) as f64 * (body + 1) as f64 * PI / 5.0).sin();
        let largest = (0..4).map(|b| sine(b).abs()).fold(0.0, f64::max);
        for body in 0..4 {
            let moved = mode.shape[system.bodies()[body].v0].norm();
            assert!((moved - sine(body).abs() / largest).abs() < 1e-9, "mode {j}, body {body}: {moved}");
        }
    }
}

/// Uniform links hanging from hinges.
fn rope(n: usize, length: f64, mass: f64) -> Model {
    let mut model = Model::new("rope");
    model.set_gravity([0.0, 0.0, -G]);
    let y = [0.0, 1.0, 0.0];
    let mut above = model.add_marker(Marker::on(BodyId::GROUND).z_along(y));
    for k in 0..n {
        let inertia = mass * length * length / 12.0;
        let body = Body::rigid(&format!("link{}", k + 1), mass, Inertia::principal(inertia, inertia, 1e-3 * inertia));
        let link = model.add_body(body.at([0.0, 0.0, -(k as f64 + 0.5) * length]));
        let top = model.add_marker(Marker::on(link).at([0.0, 0.0, 0.5 * length]).z_along(y));
        model.add_joint(Joint::new(&format!("hinge{}", k + 1), Revolute, top, above));
        above = model.add_marker(Marker::on(link).at([0.0, 0.0, -0.5 * length]).z_along(y));
    }
    model
}

#[test]
fn a_hanging_rope_swings_as_in_angles_of_its_links() {
    let (n, l, m) = (20, 0.1, 0.3);
    let system = System::new(&rope(n, l, m)).unwrap();
    let found = modes(&system, &assemble(&system).unwrap().state).unwrap();
    assert_eq!(found.modes.len(), n);
    // M θ̈ + K θ = 0 in the angles of the links against the vertical.
    let below = |k: usize| (n - 1 - k) as f64;
    let mass = DMatrix::from_fn(n, n, |i, j| m * l * l * (below(i.max(j)) + if i == j { 1.0 / 3.0 } else { 0.5 }));
    let stiffness = DMatrix::from_fn(n, n, |i, j| if i == j { m * G * l * (below(i) + 0.5) } else { 0.0 });
    let inverse = mass.cholesky().unwrap().l().try_inverse().unwrap();
    let mut squares: Vec<f64> = (&inverse * stiffness * inverse.transpose()).symmetric_eigen().eigenvalues.iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    for (mode, square) in found.modes.iter().zip(squares) {
        let omega = square.sqrt();
        let error = (mode.eigenvalue - Complex::new(0.0, omega)).norm() / omega;
        assert!(error < 1e-8, "{} against {omega}: {error:.1e}", mode.eigenvalue);
    }
}

/// The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab 2007 (doi:10.1098/rspa.2007.1857), running straight; z is up.
fn bicycle(speed: f64) -> Model {
    let mut model = Model::new("bicycle");
    model.set_gravity([0.0, 0.0, -G]);
    let wheel = |name: &str, mass: f64, moments: [f64; 2], x: f64, radius: f64| {
        let inertia = Inertia::principal(moments[0], moments[1], moments[0]);
        Body::rigid(name, mass, inertia).at([x, 0.0, radius]).moving([speed, 0.0, 0.0]).spinning([0.0, speed / radius, 0.0])
    };
    let frame = |name: &str, mass: f64, inertia: Inertia, p: [f64; 3]| Body::rigid(name, mass, inertia).at(p).moving([speed, 0.0, 0.0]);
    let rear = model.add_body(wheel("rear wheel", 2.0, [0.0603, 0.12], 0.0, 0.3));
    let body = model.add_body(frame("frame", 85.0, Inertia::tensor(9.2, 11.0, 2.8, 0.0, 0.0, -2.4), [0.3, 0.0, 0.9]));
    let fork = model.add_body(frame("fork", 4.0, Inertia::tensor(0.05892, 0.06, 0.00708, 0.0, 0.0, 0.00756), [0.9, 0.0, 0.7]));
    let front = model.add_body(wheel("front wheel", 3.0, [0.1405, 0.28], 1.02, 0.35));
    let places = [(rear, [0.0, 0.0, 0.3]), (body, [0.3, 0.0, 0.9]), (fork, [0.9, 0.0, 0.7]), (front, [1.02, 0.0, 0.35])];
    let mut marker = |on: BodyId, p: [f64; 3], axis: [f64; 3]| {
        let origin = places.iter().find(|x| x.0 == on).map_or([0.0; 3], |x| x.1);
        model.add_marker(Marker::on(on).at(std::array::from_fn(|k| p[k] - origin[k])).z_along(axis))
    };
    let (y, up, tilt) = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0], PI / 10.0);
    let steer = ([1.1, 0.0, 0.0], [-tilt.sin(), 0.0, tilt.cos()]);
    let hubs =
        [[marker(rear, places[0].1, y), marker(body, places[0].1, y)], [marker(front, places[3].1, y), marker(fork, places[3].1, y)]];
    let head = [marker(fork, steer.0, steer.1), marker(body, steer.0, steer.1)];
    let floor = marker(BodyId::GROUND, [0.0; 3], up);
    model.add_joint(Joint::new("rear hub", Revolute, hubs[0][0], hubs[0][1]));
    model.add_joint(Joint::new("head", Revolute, head[0], head[1]));
    model.add_joint(Joint::new("front hub", Revolute, hubs[1][0], hubs[1][1]));
    model.add_constraint(RollingDisk::new("rear contact", hubs[0][0], floor, 0.3));
    model.add_constraint(RollingDisk::new("front contact", hubs[1][0], floor, 0.35));
    model
}

/// M, C₁, K₀, K₂ of M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 in lean and steer, by the formulas of the paper (z is down).
fn canonical() -> [Matrix2<f64>; 4] {
    let (w, c, tilt) = (1.02_f64, 0.08, PI / 10.0);
    let (sin, cos) = (tilt.sin(), tilt.cos());
    let (rr, mr, irx, iry) = (0.3, 2.0, 0.0603, 0.12);
    let (xb, zb, mb, ibx, ibz, ibxz) = (0.3_f64, -0.9, 85.0, 9.2, 2.8, 2.4);
    let (xh, zh, mh, ihx, ihz, ihxz) = (0.9_f64, -0.7_f64, 4.0, 0.05892, 0.00708, -0.00756);
    let (rf, mf, ifx, ify) = (0.35_f64, 3.0, 0.1405, 0.28);
    let mt = mr + mb + mh + mf;
    let xt = (xb * mb + xh * mh + w * mf) / mt;
    let zt = (-rr * mr + zb * mb + zh * mh - rf * mf) / mt;
    let itx = irx + ibx + ihx + ifx + mr * rr * rr + mb * zb * zb + mh * zh * zh + mf * rf * rf;
    let itxz = ibxz + ihxz - mb * xb * zb - mh * xh * zh + mf * w * rf;
    let itz = irx + ibz + ihz + ifx + mb * xb * xb + mh * xh * xh + mf * w * w;
    let ma = mh + mf;
    let (xa, za) = ((xh * mh + w * mf) / ma, (zh * mh - rf * mf) / ma);
    let iax = ihx + ifx + mh * (zh - za).powi(2) + mf * (rf + za).powi(2);
    let iaxz = ihxz - mh * (xh - xa) * (zh - za) + mf * (w - xa) * (rf + za);
    let iaz = ihz + ifx + mh * (xh - xa).powi(2) + mf * (w - xa).powi(2);
    let ua = (xa - w - c) * cos - za * sin;
    let iall = ma * ua * ua + iax * sin * sin + 2.0 * iaxz * sin * cos + iaz * cos * cos;
    let ialx = -ma * ua * za + iax * sin + iaxz * cos;
    let ialz = ma * ua * xa + iaxz * sin + iaz * cos;
    let mu = c / w * cos;
    let (sr, sf) = (iry / rr, ify / rf);
    let (st, sa) = (sr + sf, ma * ua + mu * mt * xt);
    let coupled = ialx + mu * itxz;
    let m = Matrix2::new(itx, coupled, coupled, iall + 2.0 * mu * ialz + mu * mu * itz);
    let k0 = Matrix2::new(mt * zt, -sa, -sa, -sa * sin);
    let k2 = Matrix2::new(0.0, (st - mt * zt) / w * cos, 0.0, (sa + sf * sin) / w * cos);
    let c1 = Matrix2::new(
        0.0,
        mu * st + sf * cos + itxz / w * cos - mu * mt * zt,
        -(mu * st + sf * cos),
        ialz / w * cos + mu * (sa + itz / w * cos),
    );
    [m, c1, k0, k2]
}

fn bicycle_modes(speed: f64) -> Vec<Mode> {
    let system = System::new(&bicycle(speed)).unwrap();
    let assembly = assemble(&system).unwrap();
    assert_eq!(assembly.redundancy.degrees_of_freedom, 3);
    let found = modes(&system, &assembly.state).unwrap();
    assert_eq!(found.steadiness, if speed > 0.0 { Steadiness::SteadyMotion } else { Steadiness::Equilibrium });
    found.modes
}

#[test]
fn the_formulas_of_the_bicycle_give_its_published_matrices() {
    let [m, c1, k0, k2] = canonical();
    let published = [
        (m, [80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686]),
        (c1, [0.0, 33.86641391492494, -0.85035641456978, 1.68540397397560]),
        (k0, [-80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618]),
        (k2, [0.0, 76.59734589573222, 0.0, 2.65431523794604]),
    ];
    for (own, [a, b, c, d]) in published {
        assert!((own - Matrix2::new(a, b, c, d)).abs().max() < 1e-12, "{own}");
    }
}

#[test]
fn the_bicycle_has_the_eigenvalues_of_its_linear_equations() {
    let [m, c1, k0, k2] = canonical();
    let inverse = m.try_inverse().unwrap();
    for speed in [0.0, 1.0, 3.0, 4.5, 5.5, 7.0, 10.0] {
        let (stiffness, damping) = (-inverse * (k0 * G + k2 * speed * speed), -inverse * c1 * speed);
        let mut a = Matrix4::zeros();
        a.fixed_view_mut::<2, 2>(0, 2).copy_from(&Matrix2::identity());
        a.fixed_view_mut::<2, 2>(2, 0).copy_from(&stiffness);
        a.fixed_view_mut::<2, 2>(2, 2).copy_from(&damping);
        let found = bicycle_modes(speed);
        for expected in a.complex_eigenvalues().iter() {
            assert_mode(&found, *expected, 1e-8);
        }
    }
}

/// The speed between two others at which a measure of the modes vanishes.
fn bisect(mut from: f64, mut to: f64, measure: impl Fn(&[Mode]) -> f64) -> f64 {
    let sign = measure(&bicycle_modes(from)).signum();
    while to - from > 1e-9 {
        let middle = 0.5 * (from + to);
        if measure(&bicycle_modes(middle)).signum() == sign { from = middle } else { to = middle }
    }
    0.5 * (from + to)
}

#[test]
fn weave_and_capsize_speeds_are_those_published() {
    let oscillating = |m: &[Mode]| m.iter().filter(|m| m.eigenvalue.im > 0.5).map(|m| m.eigenvalue.re).fold(f64::NEG_INFINITY, f64::max);
    let weave = bisect(4.0, 4.6, oscillating);
    assert!((weave - 4.29238253634111).abs() < 1e-6, "{weave}");
    // Capsizing is the slow real mode; those of the place and heading of the bicycle are zero.
    let slow = |m: &[Mode]| {
        let real = m.iter().map(|m| m.eigenvalue).filter(|e| e.im == 0.0 && e.re.abs() < 1.5);
        real.max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap().re
    };
    // Near its zero it cannot be told from those, so speed is interpolated as a function of the eigenvalue.
    let nodes = [5.92, 5.96, 5.99, 6.05, 6.08, 6.12].map(|speed| (slow(&bicycle_modes(speed)), speed));
    let weight = |k: usize| (0..6).filter(|j| *j != k).map(|j| nodes[j].0 / (nodes[j].0 - nodes[k].0)).product::<f64>();
    let capsize: f64 = (0..6).map(|k| nodes[k].1 * weight(k)).sum();
    assert!((capsize - 6.02426201538837).abs() < 1e-6, "{capsize}");
}

/// The transfer function C (s − A)⁻¹ B + D.
fn transfer(model: &LinearModel, s: Complex<f64>) -> DMatrix<Complex<f64>> {
    let complex = |m: &DMatrix<f64>| m.map(|x| Complex::new(x, 0.0));
    let n = model.a.nrows();
    let resolvent = (DMatrix::identity(n, n) * s - complex(&model.a)).try_inverse().unwrap();
    complex(&model.c) * resolvent * complex(&model.b) + complex(&model.d)
}

#[test]
fn inputs_and_outputs_give_the_transfer_function() {
    let mut model = chain_of_masses(1, 150.0, 3.0);
    let (m, k, c) = (2.0, 300.0, 6.0);
    let (wall, own) = (model.joints()[0].j, model.joints()[0].i);
    model.add_input("push", 0.0);
    model.add_variable(Variable::new("wind", "2*TIME"));
    model.add_state(Differential::new("filtered", "10*(DX(mass1.centre, wall) - 1 - DIF(filtered))", 0.0));
    let functions = ["INPUT(push)".to_string(), "0".into(), "3*VARVAL(wind) - 40*DIF(filtered)".into()];
    model.add_force(ExpressionForce::vector("motor", own, wall, wall, functions));
    model.add_sensor(Sensor::new("place", "DX(mass1.centre, wall)").unit(Some("mm")));
    model.add_sensor(Sensor::new("acceleration", "ACCX(mass1.centre)"));
    let system = System::new(&model).unwrap();
    let at = assemble(&system).unwrap().state;
    // The slide is along x of the world, which is z of the wall.
    let linear = linearize(&model, &at, &["motor.z", "wind", "push"], &["place", "acceleration"]).unwrap();
    assert_eq!((linear.a.nrows(), linear.states.len()), (3, 3));
    assert_eq!(linear.states[2], "filtered");
    for s in [Complex::new(0.3, 2.0), Complex::new(-1.0, 40.0)] {
        let found = transfer(&linear, s);
        let stiffness = s * s * m + s * c + k + Complex::new(400.0, 0.0) / (s + 10.0);
        for (input, factor) in [(0, 1.0), (1, 3.0), (2, 0.0)] {
            let expected = Complex::new(factor, 0.0) / stiffness;
            assert!((found[(0, input)] - expected * 1e3).norm() < 1e-9, "{}", found[(0, input)]);
            assert!((found[(1, input)] - expected * s * s).norm() < 1e-9, "{}", found[(1, input)]);
        }
    }
    assert!((linear.d[(1, 0)] - 1.0 / m).abs() < 1e-12);
    let wrong = linearize(&model, &at, &["pull"], &["place"]).unwrap_err();
    assert!(matches!(wrong, LinearizeError::Input { .. }) && wrong.to_string().contains("push, wind, motor"), "{wrong}");
    let wrong = linearize(&model, &at, &["push"], &["plaice"]).unwrap_err();
    assert!(wrong.to_string().contains("place, acceleration"), "{wrong}");
}

/// A mass on a spring, its controller made of blocks and a loop of variables, and a nonlinear force of an input that is not zero.
#[test]
fn blocks_held_values_and_inputs_that_are_not_zero_are_linearised_as_written_by_hand() {
    let mut model = chain_of_masses(1, 150.0, 3.0);
    let (m, k, c) = (2.0, 300.0, 6.0);
    let (wall, own) = (model.joints()[0].j, model.joints()[0].i);
    model.add_input("valve", 3.0);
    model.add_sensor(Sensor::new("place", "DX(mass1.centre, wall) - 1"));
    model.add_sensor(Sensor::new("constant", "5 + TIME"));
    model.add_block(Block::new("relay", "relay").set("input", "TIME - 1").set("on_above", 0.0).set("off_below", -2.0).set("initial", 4.0));
    model.add_block(Block::new("low-pass", "filter").set("input", "place").set("frequency", 10.0 / std::f64::consts::TAU));
    model.add_variable(Variable::new("y", "0.5*VARVAL(z) + VARVAL(filter)"));
    model.add_variable(Variable::new("z", "VARVAL(y)"));
    // Held at rest by a constant that the input and the relay give in part.
    let push = "INPUT(valve)**2*VARVAL(relay) - 36 - 20*VARVAL(y)";
    model.add_force(ExpressionForce::vector("motor", own, wall, wall, ["0", "0", push]));
    let system = System::new(&model).unwrap();
    let at = assemble(&system).unwrap().state;
    let linear = linearize(&model, &at, &["valve", "filter"], &["place", "filter", "constant"]).unwrap();
    assert_eq!(linear.steadiness, Steadiness::Equilibrium);
    assert_eq!((linear.a.nrows(), linear.states.len()), (3, 3));
    for s in [Complex::new(0.3, 2.0), Complex::new(-1.0, 40.0)] {
        let found = transfer(&linear, s);
        let lag = Complex::new(10.0, 0.0) / (s + 10.0);
        let place = Complex::new(24.0, 0.0) / (s * s * m + s * c + k + lag * 40.0);
        assert!((found[(0, 0)] - place).norm() < 1e-9, "{} {place}", found[(0, 0)]);
        assert!((found[(1, 0)] - place * lag).norm() < 1e-9, "{}", found[(1, 0)]);
        let pushed = Complex::new(-40.0, 0.0) / (s * s * m + s * c + k + lag * 40.0);
        assert!((found[(0, 1)] - pushed).norm() < 1e-9, "{} {pushed}", found[(0, 1)]);
        assert_eq!(found[(2, 0)], Complex::new(0.0, 0.0));
    }
    // Nothing that is solved for appears as a mode.
    assert_eq!(modes(&system, &at).unwrap().modes.len(), 2);
}

#[test]
fn a_sleeping_top_is_stable_when_it_spins_fast_enough() {
    // Upright on its tip: stable if (spin · I₃)² > 4 m g l I₁, with I₁ about the tip.
    let (mass, l, transverse, axial) = (0.5, 0.06, 8e-4, 5e-4);
    let about_tip: f64 = transverse + mass * l * l;
    let critical = 2.0 * (mass * G * l * about_tip).sqrt() / axial;
    for (part, stable) in [(0.99, false), (1.01, true)] {
        let mut model = Model::new("top");
        model.set_gravity([0.0, 0.0, -G]);
        let body = Body::rigid("top", mass, Inertia::principal(transverse, transverse, axial)).at([0.0, 0.0, l]);
        let top = model.add_body(body.spinning([0.0, 0.0, part * critical]));
        let (tip, ground) = (model.add_marker(Marker::on(top).at([0.0, 0.0, -l])), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_joint(Joint::new("tip", Spherical, tip, ground));
        let system = System::new(&model).unwrap();
        let found = modes(&system, &assemble(&system).unwrap().state).unwrap();
        let fastest = found.modes.iter().map(|m| m.eigenvalue.re).fold(0.0, f64::max);
        // In world axes λ² I₁ − i λ n + (−m g l) = 0 with n = spin · I₃ for the complex tilt.
        let n = part * critical * axial;
        let root = Complex::new(4.0 * mass * G * l * about_tip - n * n, 0.0).sqrt();
        let expected = (Complex::new(0.0, n) + root) / (2.0 * about_tip);
        assert_mode(&found.modes, expected, 1e-8);
        assert_eq!(fastest < 1e-6, stable, "{fastest}");
    }
}

#[test]
fn a_state_that_is_no_equilibrium_is_said_to_be_none() {
    let mut model = rope(1, 1.0, 1.0);
    model.set_gravity([G, 0.0, 0.0]);
    let system = System::new(&model).unwrap();
    let found = modes(&system, &assemble(&system).unwrap().state).unwrap();
    assert!(matches!(&found.steadiness, Steadiness::Unsteady { acceleration, of } if *acceleration > 1.0 && of == "link1"));
}

#[test]
fn a_swing_shows_the_mode_about_the_state() {
    let system = System::new(&rope(2, 0.5, 1.0)).unwrap();
    let found = modes(&system, &assemble(&system).unwrap().state).unwrap();
    let swing = found.modes[0].swing(&system, &found.state, 0.05, 48);
    assert_eq!(swing.samples.len(), 49);
    let period = swing.samples[48].state.t;
    assert!((period * found.modes[0].frequency() - 1.0).abs() < 1e-12);
    let lowest = &swing.samples[12].state;
    assert!((swing.samples[0].state.q[7].abs() - 0.05).abs() < 1e-3, "{}", swing.samples[0].state.q[7]);
    assert!(lowest.q[7].abs() < 1e-9);
    // Velocities are those of the path.
    let (a, b) = (&swing.samples[11].state, &swing.samples[13].state);
    let slope = (b.q[7] - a.q[7]) / (b.t - a.t);
    assert!((slope / lowest.v[6] - 1.0).abs() < 1e-2);
    assert_eq!(found.modes[0].movements(&system)[0].0, "link2");
}
