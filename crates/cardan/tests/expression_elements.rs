//! Expressions in forces, motions, constraints, sensors and events: derivatives against differences, elements against their
//! built-in twins, mistakes and faults.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;
#[path = "common/models.rs"]
mod models;

use cardan::constraints::Level;
use cardan::expr::{FUNCTIONS, FunctionKind};
use cardan::integrators::{Method, implicit};
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Placement, Weights, Work};
use common::differences::{assert_close, derivative};
use common::{random_state, random_vector};
use models::distance;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

fn rigid(name: &str, random: &mut Random) -> Body {
    let mass = random.range(0.5, 2.0);
    let inertia = Inertia::cuboid(mass, 0.5, 0.7, 0.9).with_center_of_mass([0.1, -0.2, 0.15]);
    Body::rigid(name, mass, inertia).at(random.vector(1.0).into()).oriented(random.rotation()).moving(random.vector(1.0).into())
}

/// Three bodies a, b, c with a marker of their name + "m" each, a joint and a bushing between them.
fn mechanism(seed: u64) -> (Model, [MarkerId; 3]) {
    let mut random = Random::new(seed);
    let mut model = Model::new("mechanism");
    model.set_gravity([0.3, -2.0, -9.5]);
    let mut marker = |model: &mut Model, body: BodyId, name: &str| {
        let at = random.vector(0.5);
        model.add_marker(Marker::on(body).at(at.into()).oriented(random.rotation()).named(name))
    };
    let mut bodies = Random::new(seed + 100);
    let ids = ["a", "b", "c"].map(|name| model.add_body(rigid(name, &mut bodies)));
    let markers = [0, 1, 2].map(|k| marker(&mut model, ids[k], ["am", "bm", "cm_"][k]));
    let ends: Vec<MarkerId> = [0, 1, 1, 2].iter().map(|k| marker(&mut model, ids[*k], "")).collect();
    model.add_joint(Joint::new("hinge", Revolute, ends[0], ends[1]));
    model.add_joint(Joint::new("rod", Rod { length: 0.8 }, ends[2], ends[3]));
    let bushing = Bushing::new("bushing", markers[0], markers[2]);
    model.add_force(bushing.diagonal_stiffness([1.0, 2.0, 3.0, 0.5, 0.4, 0.3]).diagonal_damping([0.1; 6]));
    (model, markers)
}

/// Checks the Newton matrix of a system at a random state against differences, in coordinates, accelerations, multipliers and
/// differential states.
fn check_tangent(model: &Model, seed: u64, label: &str) {
    let system = System::new(model).unwrap_or_else(|e| panic!("{label}: {e}"));
    let mut random = Random::new(seed);
    let base = random_state(&system, &mut random);
    let (nv, states, n) = (system.nv(), system.nv() + system.rows(), system.unknowns());
    let delta = random_vector(&mut random, nv, 0.7);
    let mut x = random_state(&system, &mut random);
    x.a = random_vector(&mut random, nv, 1.0);
    system.retract(&base.q, &delta, &mut x.q);
    system.remember(&mut x, &mut Work::new(&system));
    let w = Weights {
        mass: 0.0,
        acceleration: 0.8,
        velocity: 0.6,
        position: 0.9,
        state: 0.7,
        state_rate: 1.3,
        placed: Some(Placement::by(Chart::Exponential, &delta)),
        ..Weights::mass_only(&[])
    };
    let residual = |direction: usize, s: f64| {
        let (mut y, mut total) = (x.clone(), delta.clone());
        if direction < nv {
            total[direction] += w.position * s;
            y.v[direction] += w.velocity * s;
            y.a[direction] += w.acceleration * s;
        } else if direction < states {
            y.lambda[direction - nv] += s;
        } else {
            y.x[direction - states] += w.state * s;
            y.x_dot[direction - states] += w.state_rate * s;
        }
        system.retract(&base.q, &total, &mut y.q);
        let mut work = Work::new(&system);
        let at = system.evaluate(&y, &mut work);
        let scale = |level: &Level| if *level == Level::Position { w.position } else { w.velocity };
        let constraints = at.phi().iter().zip(system.levels()).map(|(p, l)| p / scale(l));
        let equations = y.x_dot.iter().zip(at.rates()).map(|(x_dot, f)| x_dot - f);
        at.f().iter().copied().chain(constraints).chain(equations).collect()
    };
    let (mut work, mut jacobian, mut dense) = (Work::new(&system), Jacobian::new(&system), vec![0.0; n * n]);
    let mut at = system.evaluate(&x, &mut work);
    at.tangent(&w, &mut jacobian);
    jacobian.matrix().to_dense(&mut dense);
    for column in 0..n {
        let numeric = derivative(|s| residual(column, s));
        assert_close(&dense[column * n..(column + 1) * n], &numeric, 5e-9, &format!("{label}, column {column}"));
    }
}

#[test]
fn derivatives_of_every_quantity_match_differences() {
    for function in FUNCTIONS.iter().filter(|f| f.kind() == FunctionKind::Quantity && !["VARVAL", "ARYVAL", "INPUT"].contains(&f.name)) {
        let loads = function.name.len() == 2 && function.name.starts_with(['F', 'T']);
        let markers = ["a.am", "b.bm", "c.cm_", "a"];
        let calls: Vec<String> = if function.name.starts_with("DIF") {
            vec![format!("{}(x)", function.name)]
        } else if loads {
            let axes = if function.arguments.1 == 2 { ", b.bm" } else { "" };
            ["hinge", "rod", "bushing"].iter().map(|e| format!("{}({e}{axes})", function.name)).collect()
        } else {
            vec![format!("{}({})", function.name, markers[..function.arguments.1].join(", ")), format!("{}(c.cm)", function.name)]
        };
        for (k, call) in calls.iter().enumerate() {
            let (mut model, [a, b, c]) = mechanism(3 + k as u64);
            model.add_force(ExpressionForce::single("force", a, b, Line::Between, format!("SIN({call}) + 0.3*{call}")));
            model.add_force(ExpressionForce::vector("other", c, a, b, [call.as_str(), "0", "TIME"]));
            model.add_state(Differential::new("x", format!("COS({call}) - 0.2*DIF(y)*{call}"), 0.0));
            model.add_state(Differential::new("y", "DIF1(x)*DIF(y) - DIF(x) + SIN(TIME)", 0.0));
            check_tangent(&model, 17, call);
        }
    }
}

#[test]
fn derivatives_of_user_constraints_match_differences() {
    let texts = [
        "DM(a.am, b.bm)**2 - TIME",
        "DX(a.am, b.bm, c.cm_)*AZ(a, b) + SIN(TIME)*DY(c, a)",
        "PSI(a, b)*PHI(b, c) - THETA(a, c)*TIME",
        "YAW(a, b) + PITCH(b, c)*ROLL(a) + AX(a, b)*AY(c, a) + EXP(TIME)",
    ];
    for text in texts {
        let (mut model, _) = mechanism(5);
        model.add_constraint(UserConstraint::expression("function", text));
        check_tangent(&model, 23, text);
    }
}

/// A double pendulum in space with a force between its tip and the ground, added by `load`.
fn pendulum(load: impl Fn(&mut Model, MarkerId, MarkerId)) -> Model {
    let mut model = Model::new("pendulum");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut random = Random::new(8);
    let (a, b) = (model.add_body(rigid("upper", &mut random)), model.add_body(rigid("lower", &mut random)));
    let mut joint = |name: &str, i: BodyId, j: BodyId| {
        let (p, q) = (model.add_marker(Marker::on(i).at([0.0, 0.0, 0.5])), model.add_marker(Marker::on(j).at([0.0, 0.0, -0.4])));
        model.add_joint(Joint::new(name, Spherical, p, q));
    };
    joint("pivot", a, BodyId::GROUND);
    joint("knee", b, a);
    let tip = model.add_marker(Marker::on(b).at([0.2, 0.1, -0.5]).oriented(random.rotation()).named("tip"));
    let foot = model.add_marker(Marker::on(a).at([0.3, -0.2, 0.4]).oriented(random.rotation()).named("foot"));
    load(&mut model, tip, foot);
    model
}

fn methods() -> Vec<Arc<dyn Method>> {
    implicit().into_iter().map(|m| if m.undamped() { Arc::new(Newmark::new(0.6)) } else { m }).collect()
}

fn end(model: &Model, method: &Arc<dyn Method>, formulation: Formulation, h: f64, t: f64) -> State {
    let system = System::new(model).unwrap_or_else(|e| panic!("{e}"));
    let options = Options { formulation, newton_tolerance: 1e-11, ..Options::default() };
    let simulation = Simulation::new(&system).shared_method(method.clone()).options(options).step(h).record(Record::Ends);
    simulation.run(t).unwrap_or_else(|e| panic!("{e}")).last().unwrap().clone()
}

/// Asserts that two models move alike, with every method and formulation.
fn same_motion(one: &Model, other: &Model) {
    for method in methods() {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let [x, y] = [one, other].map(|m| end(m, &method, formulation, 2e-3, 0.2));
            let gap = distance(&x.q, &y.q).max(distance(&x.v, &y.v)).max(1e-3 * distance(&x.a, &y.a));
            assert!(gap < 1e-10, "{} {formulation:?}: {gap:e}", method.name());
        }
    }
}

#[test]
fn expression_forces_equal_their_built_in_twins() {
    let built_in = pendulum(|m, i, j| m.add_force(SpringDamper::new("f", i, j).stiffness(80.0).damping(3.0).free_length(0.4)));
    let written = pendulum(|m, i, j| {
        m.set_parameter("k", 80.0);
        m.add_variable(Variable::new("stretch", "DM(tip, foot) - 400 mm"));
        m.add_force(ExpressionForce::single("f", i, j, Line::Between, "-K*VARVAL(Stretch) - 3 N*s/m*VR(lower.tip, foot)"));
    });
    same_motion(&built_in, &written);
    let built_in = pendulum(|m, i, j| {
        m.add_force(VectorForce::new("f", i, j, |k| k.displacement.map(|x| x * (k.time * -20.0)) - k.velocity.map(|x| x * 2.0)))
    });
    let written = pendulum(|m, i, j| {
        let axis = |c: &str| format!("-20*TIME*D{c}(tip, foot, foot) - 2*V{c}(tip, foot, foot, foot)");
        m.add_force(ExpressionForce::vector("f", i, j, j, [axis("X"), axis("Y"), axis("Z")]));
    });
    same_motion(&built_in, &written);
    let built_in = pendulum(|m, i, j| {
        m.add_force(GeneralForce::new("f", i, j, |k| (k.displacement.map(|x| x * -30.0), k.angular_velocity.map(|x| x * -0.5))));
    });
    let written = pendulum(|m, i, j| {
        let force = |c: &str| format!("-30*D{c}(tip, foot, foot)");
        let torque = |c: &str| format!("-0.5*W{c}(tip, foot, foot)");
        m.add_force(ExpressionForce::general("f", i, j, j, [force("X"), force("Y"), force("Z"), torque("X"), torque("Y"), torque("Z")]));
    });
    same_motion(&built_in, &written);
}

#[test]
fn laws_along_and_about_an_axis_equal_their_built_in_twins() {
    let built_in = pendulum(|m, i, j| m.add_force(SingleForce::new("f", i, j, Line::Axis, |t, s, v| s * s * s * (-40.0 * t) - v * 2.0)));
    let written = pendulum(|m, i, j| {
        let text = "-40*TIME*DZ(tip, foot, foot)**3 - 2*VZ(tip, foot, foot, foot)";
        m.add_force(ExpressionForce::single("f", i, j, Line::Axis, text));
    });
    same_motion(&built_in, &written);
    // The derivative seen from the ground is another one, and so is the displacement along the axis of another marker.
    let damped = |text: &str| pendulum(|m, i, j| m.add_force(ExpressionForce::single("f", i, j, Line::Axis, text)));
    let ends = ["VZ(tip, foot, foot, foot)", "VZ(tip, foot, foot)", "DZ(tip, foot, foot)", "DZ(tip, foot)", "DZ(foot, tip, foot)"]
        .map(|text| end(&damped(&format!("-9*{text}")), &methods()[0], Formulation::Index3, 2e-3, 0.1));
    for k in 1..ends.len() {
        assert!(distance(&ends[k - 1].q, &ends[k].q) > 1e-6, "{k}");
    }
    // A spring that is wound up by more than a turn.
    let wound = |add: &dyn Fn(&mut Model, MarkerId, MarkerId)| {
        let (mut model, hinge) = wheel();
        let joint = &model.joints()[hinge.index()];
        let (i, j) = (joint.i, joint.j);
        add(&mut model, i, j);
        end(&model, &methods()[0], Formulation::Index3, 5e-3, 2.0)
    };
    let built_in = wound(&|m, i, j| m.add_force(RotationalSpringDamper::new("f", i, j).stiffness(0.01)));
    let written = wound(&|m, i, j| m.add_force(ExpressionForce::single("f", i, j, Line::Rotation, "-0.01*AZ(rim, hub)")));
    assert!(distance(&built_in.v, &written.v) < 1e-10 && built_in.v[5] < 6.0, "{:?}", built_in.v);
}

#[test]
fn orientation_angles_are_those_of_successive_rotations() {
    let turn = |axis: usize, angle: f64| Quat::from_axis_angle(&[Vec3::x_axis(), Vec3::y_axis(), Vec3::z_axis()][axis], angle);
    let mut model = Model::new("angles");
    model.add_body(rigid("euler", &mut Random::new(1)).oriented(turn(2, 0.4) * turn(0, 1.1) * turn(2, -0.7)));
    model.add_body(rigid("car", &mut Random::new(2)).oriented(turn(2, 0.4) * turn(1, 0.3) * turn(0, -0.7)));
    let expected =
        [("PSI(euler)", 0.4), ("THETA(euler)", 1.1), ("PHI(euler)", -0.7), ("YAW(car)", 0.4), ("PITCH(car)", -0.3), ("ROLL(car)", -0.7)];
    expected.iter().for_each(|(text, _)| model.add_sensor(Sensor::new(text, *text)));
    let system = System::new(&model).unwrap();
    let mut out = [0.0; 6];
    system.sense(system.initial(), &mut Work::new(&system), &mut out);
    for (value, (text, angle)) in out.iter().zip(expected) {
        assert!((value - angle).abs() < 1e-12, "{text} = {value}, not {angle}");
    }
}

#[test]
fn the_name_of_a_body_means_its_frame_even_where_a_marker_elsewhere_has_it() {
    let mut model = Model::new("crank and rod");
    let crank = model.add_body(Body::rigid("crank", 1.0, Inertia::ball(1.0, 0.3)).spinning([2.0, 0.0, 0.0]));
    let rod = model.add_body(Body::rigid("rod", 1.0, Inertia::ball(1.0, 0.3)).spinning([5.0, 0.0, 0.0]));
    model.add_marker(Marker::on(rod).named("crank"));
    model.add_marker(Marker::on(crank).at([0.0, 1.0, 0.0]).named("pin"));
    for text in ["WX(crank, ground)", "WX(rod.crank, ground)", "DY(pin, crank)"] {
        model.add_sensor(Sensor::new(text, text));
    }
    let system = System::new(&model).unwrap();
    let mut out = [0.0; 3];
    system.sense(system.initial(), &mut Work::new(&system), &mut out);
    assert_eq!(out, [2.0, 5.0, 1.0]);
}

/// A mass that hangs on a spring from the ground, with more mass added as a force against its acceleration or for real.
fn oscillator(mass: f64, added: f64) -> Model {
    let mut model = Model::new("oscillator");
    model.set_gravity([0.0, 0.0, -9.81 * 1.0]);
    let body = model.add_body(Body::point("mass", mass).at([0.3, 0.0, -0.5]).moving([0.0, 0.4, 0.0]));
    let (m, top) = (model.add_marker(Marker::on(body).named("m")), model.add_marker(Marker::on(BodyId::GROUND).named("top")));
    model.add_force(SpringDamper::new("spring", m, top).stiffness(90.0).damping(0.4).free_length(0.3));
    if added > 0.0 {
        let texts = ["X", "Y", "Z"].map(|c| format!("-{added}*(ACC{c}(mass.m){})", if c == "Z" { " + 9.81" } else { "" }));
        model.add_force(ExpressionForce::vector("added", m, top, top, texts));
    }
    model
}

#[test]
fn a_force_against_the_acceleration_is_added_mass_and_keeps_order_2() {
    let gen_alpha: Arc<dyn Method> = Arc::new(GeneralizedAlpha::default());
    let exact = end(&oscillator(1.5, 0.0), &gen_alpha, Formulation::Index3, 1e-5, 0.5);
    for method in methods().into_iter().filter(|m| m.order() == 2 && m.name() != "newmark") {
        let error = |h: f64| {
            let x = end(&oscillator(1.0, 0.5), &method, Formulation::Index3, h, 0.5);
            distance(&x.q, &exact.q).max(distance(&x.v, &exact.v)).max(0.1 * distance(&x.a, &exact.a))
        };
        let (coarse, fine) = (error(4e-3), error(1e-3));
        let order = (coarse / fine).log2() / 2.0;
        assert!(order > 1.9 && fine < 1e-3, "{}: order {order:.3}, {coarse:e} → {fine:e}", method.name());
    }
}

#[test]
fn a_force_fed_by_a_reaction_is_coulomb_friction() {
    let (slope, mu, g) = (0.6_f64, 0.25, 9.81);
    let mut model = Model::new("slope");
    model.set_gravity([0.0, 0.0, -g]);
    let body = model.add_body(Body::rigid("box", 2.0, Inertia::cuboid(2.0, 0.2, 0.2, 0.2)));
    let downhill = [slope.cos(), 0.0, -slope.sin()];
    let (i, j) = (
        model.add_marker(Marker::on(body).z_along(downhill).named("i")),
        model.add_marker(Marker::on(BodyId::GROUND).z_along(downhill).named("j")),
    );
    model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_force(ExpressionForce::vector("friction", i, j, j, ["0", "0", "-mu*FM(Slide)"]));
    model.set_parameter("MU", mu);
    for text in ["FM(slide)", "ACCZ(box.i, , ground.j)", "DZ(i, j, j)", "FZ(friction, j)"] {
        model.add_sensor(Sensor::new(text, text));
    }
    model.add_sensor(Sensor::new("way", "DM(i, j)").unit(Some("mm")));
    let expected = g * (slope.sin() - mu * slope.cos());
    for method in methods() {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let x = end(&model, &method, formulation, 1e-2, 0.3);
            let system = System::new(&model).unwrap();
            let mut out = vec![0.0; 5];
            system.sense(&x, &mut Work::new(&system), &mut out);
            let normal = 2.0 * g * slope.cos();
            let way = 0.5 * expected * 0.09;
            for (found, exact) in out.iter().zip([normal, expected, way, -mu * normal, 1000.0 * way]) {
                assert!((found - exact).abs() < 1e-6 * (1.0 + exact.abs()), "{} {formulation:?}: {found} is not {exact}", method.name());
            }
            let units: Vec<_> = system.sensors().iter().map(|s| s.unit.clone().unwrap()).collect();
            assert_eq!(units, ["N", "m/s^2", "m", "N", "mm"]);
        }
    }
}

#[test]
fn constraints_and_motions_by_expression_equal_their_twins() {
    let rod = pendulum(|m, i, j| {
        m.add_joint(Joint::new("rod", Rod { length: 0.9 }, i, j));
    });
    let written = pendulum(|m, _, _| m.add_constraint(UserConstraint::expression("rod", "(DM(tip, foot)**2 - 0.9**2)/1.8")));
    same_motion(&rod, &written);
    let driven = |function: TimeFunction| {
        pendulum(|m, i, j| m.add_constraint(Motion::between("drive", i, j, Coordinate::Translation, function.clone())))
    };
    let closure = driven(TimeFunction::new(|t| (t * 3.0).sin() * 0.1 + 0.2));
    let text = driven(TimeFunction::expression("SHF(TIME, 0, 100 mm, 3, 0, 0.2)"));
    same_motion(&closure, &text);
}

/// A wheel on a hinge that turns at 9 rad/s.
fn wheel() -> (Model, JointId) {
    let mut model = Model::new("wheel");
    let body = model.add_body(Body::rigid("wheel", 1.0, Inertia::ball(1.0, 0.3)).spinning([0.0, 0.0, 9.0]));
    let (i, j) = (model.add_marker(Marker::on(body).named("rim")), model.add_marker(Marker::on(BodyId::GROUND).named("hub")));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    (model, hinge)
}

#[test]
fn angles_count_turns_and_events_by_expression_stop_runs() {
    let (mut model, _) = wheel();
    model.add_sensor(Sensor::new("angle", "AZ(wheel, ground.hub)"));
    model.add_sensor(Sensor::new("turn", "YAW(rim, hub)").unit(Some("deg")));
    model.add_event(ModelEvent::new("turn", "SIN(AZ(rim))").direction(Direction::Rising));
    model.add_event(ModelEvent::new("enough", "AZ(rim, hub) - 7*PI").terminal());
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).tolerance(1e-6).largest_step(0.05).run(10.0).unwrap();
    assert!((run.last().unwrap().t - 7.0 * PI / 9.0).abs() < 1e-9);
    let turns: Vec<f64> = run.events.iter().filter(|e| e.name == "turn").map(|e| e.t * 9.0 / TAU).collect();
    assert_eq!(turns.iter().map(|t| (t + 1e-9).floor()).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    let mut out = [0.0; 2];
    system.sense(run.last().unwrap(), &mut Work::new(&system), &mut out);
    assert!((out[0] - 7.0 * PI).abs() < 1e-9 && (out[1].abs() - 180.0).abs() < 1e-6, "{out:?}");
}

#[test]
fn mistakes_name_the_element_and_what_was_meant() {
    let mut model = pendulum(|m, i, j| {
        m.add_force(ExpressionForce::single("twin", i, j, Line::Axis, "1"));
        m.add_force(ExpressionForce::vector("push", i, j, j, ["DX(lower.tpi, foot)", "FM(kneee)", "FX(twin)"]));
        m.add_constraint(Motion::between("drive", i, j, Coordinate::Rotation, TimeFunction::expression("DZ(tip)")));
    });
    model.add_variable(Variable::new("first", "VARVAL(secnd)"));
    model.add_variable(Variable::new("second", "1"));
    model.add_constraint(UserConstraint::expression("hold", "VX(tip, foot)"));
    model.add_sensor(Sensor::new("far", "DM(tip, foot) + DIF(state)"));
    model.add_sensor(Sensor::new("wrong", "DM(tip, foot)").unit(Some("kg")));
    let problems: Vec<String> =
        model.check_expressions().iter().map(|p| format!("{} {} {}: {}", p.what, p.element, p.component, p.error)).collect();
    for part in [
        "force push x: there is no marker called lower.tpi; did you mean lower.tip?",
        "force push y: there is no joint, constraint or force called kneee; did you mean knee?",
        "force push z: FX(twin) is a force given by an expression itself",
        "variable first function: there is no variable called secnd; did you mean second?",
        "constraint hold function: VX(tip, foot) is no displacement or angle",
        "motion drive function: DZ(tip) depends on the state of the model",
        "sensor far function: there is no differential state called state",
        "sensor wrong unit: the function is given in m, which is not a multiple of kg",
    ] {
        assert!(problems.iter().any(|p| p.starts_with(part)), "{part} is not in {problems:#?}");
    }
    let text = System::new(&model).unwrap_err().to_string();
    assert!(text.starts_with("variable 'first', function: there is no variable"), "{text}");
}

#[test]
fn faults_say_what_went_wrong_when_and_with_which_inputs() {
    let mut model = Model::new("fall");
    let body = model.add_body(Body::point("ball", 1.0).at([0.0, 0.0, 0.3]).moving([0.0, 0.0, -1.0]));
    let (i, j) = (model.add_marker(Marker::on(body).named("center")), model.add_marker(Marker::on(BodyId::GROUND).named("floor")));
    model.add_variable(Variable::new("root", "SQRT(DZ(center, floor))"));
    model.add_force(ExpressionForce::vector("push", i, j, j, ["VARVAL(root)", "0", "0"]));
    let system = System::new(&model).unwrap();
    for simulation in [Simulation::new(&system).step(0.01), Simulation::new(&system).tolerance(1e-5)] {
        let text = simulation.run(1.0).unwrap_err().to_string();
        for part in [
            "force 'push' (x): square root of a negative number in SQRT of -",
            "SQRT(DZ(center, floor)) (variable 'root') at t = 0.3",
            "DZ(center, floor) = -",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
    let (mut model, _) = wheel();
    model.add_event(ModelEvent::new("bad", "1/(TIME - TIME)").terminal());
    let text = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap_err().to_string();
    assert!(text.contains("event 'bad': division by zero"), "{text}");
    let (mut model, hinge) = wheel();
    model.add_constraint(Motion::rotation("drive", hinge, TimeFunction::expression("LOG(TIME - 1)")));
    let text = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap_err().to_string();
    assert!(text.contains("drive") && text.contains("logarithm of a negative number"), "{text}");
}
