//! Variables and differential equations that are solved for, and controllers in the loop with accelerations and reactions.

use crate::*;
use cardan::integrators::{Method, Stepper, all};
use std::sync::Arc;

/// y = 3 − 0.5 z, z = 2 y: y = 1.5; a loop that pushes a mass.
#[test]
fn loops_of_variables_are_solved_with_the_motion_in_every_method() {
    let mut moving = Model::new("pushed");
    let mass = moving.add_body(Body::point("mass", 1.0));
    let (i, j) = (moving.add_marker(Marker::on(mass)), moving.add_marker(Marker::on(BodyId::GROUND)));
    moving.add_variable(Variable::new("y", "3 - 0.5*VARVAL(z) - 0.25*ACCX(mass)"));
    moving.add_variable(Variable::new("z", "2*VARVAL(y)"));
    moving.add_force(ExpressionForce::vector("push", i, j, j, ["VARVAL(z)", "0", "0"]));
    let system = System::new(&moving).unwrap();
    // y = 3 − y − y/2 since a = 2 y.
    for method in all() {
        let results = Simulation::new(&system).shared_method(method.clone()).step(0.01).run(1.0).unwrap();
        let found = channels(&system, &results, &["y", "mass.acceleration.x"]);
        for (y, a) in found[0].iter().zip(&found[1]) {
            assert!((y - 1.2).abs() < 1e-9 && (a - 2.4).abs() < 1e-9, "{}: y {y}, a {a}", method.name());
        }
    }
}

#[test]
fn a_variable_may_be_solved_for_in_its_own_equation() {
    let model = beside(|m| m.add_variable(Variable::new("y", "COS(VARVAL(y)) + TIME").solved_from(0.5)));
    for y in run(&model, 1e-6, 0.1, &["y"])[0].iter().take(1) {
        close(*y, 0.739_085_133_215_160_6, 1e-12, "fixed point of the cosine");
    }
}

#[test]
fn a_loop_of_gain_one_is_named() {
    let model = beside(|m| {
        m.add_variable(Variable::new("a", "VARVAL(b) + 1"));
        m.add_variable(Variable::new("b", "VARVAL(a)"));
    });
    let error = assemble(&System::new(&model).unwrap()).unwrap_err().to_string();
    assert!(error.contains("the algebraic loop a → b → a") && error.contains("gain is 1"), "{error}");
}

/// ẋ³ + ẋ = −2 x, against the same rate from Cardano's formula; and one that says nothing about the rate.
#[test]
fn implicit_differential_equations_are_solved_for_the_rate() {
    let model = beside(|m| {
        m.add_state(Differential::implicit("x", "DIF1(x)**3 + DIF1(x) + 2*DIF(x)", 1.0));
        let root = "SQRT(VARVAL(p)**2 + 1/27)";
        m.add_variable(Variable::new("p", "DIF(y)"));
        m.add_state(Differential::new("y", format!("({root} - VARVAL(p))**(1/3) - ({root} + VARVAL(p))**(1/3)"), 1.0));
    });
    let found = run(&model, 1e-8, 1.0, &["x", "y"]);
    close(*found[0].last().unwrap(), *found[1].last().unwrap(), 1e-6, "x");
    let silent = beside(|m| m.add_state(Differential::implicit("x", "DIF(x) - TIME", 0.0)));
    let error = assemble(&System::new(&silent).unwrap()).unwrap_err().to_string();
    assert!(error.contains("the equation of state 'x' does not determine DIF1(x)"), "{error}");
}

/// The controlled spring-mass of Brüls and Arnold, written in three ways.
fn spring_masses() -> [Model; 3] {
    let on_rail = {
        let mut model = Model::new("joint and blocks");
        let mass = model.add_body(Body::rigid("mass", 1.0, Inertia::ball(1.0, 0.1)).at([5.0, 0.0, 0.0]));
        let axis = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        let i = model.add_marker(Marker::on(mass).oriented(axis).named("slide"));
        let j = model.add_marker(Marker::on(BodyId::GROUND).oriented(axis).named("guide"));
        model.add_joint(Joint::new("rail", Translational, i, j));
        model.add_sensor(Sensor::new("acceleration", "ACCX(mass)"));
        let filter = Block::new("state-space", "desired").set("inputs", ["acceleration"]).set("a", vec![vec![-0.1]]);
        model.add_block(filter.set("b", vec![vec![-1.4]]).set("c", vec![vec![1.0]]));
        model
            .add_block(Block::new("saturation", "actual").set("input", "desired").set("lower", -1.0).set("upper", 1.0).set("smooth", true));
        model.add_force(ExpressionForce::vector("actuator", i, j, i, ["0", "0", "VARVAL(actual) - DX(mass)"]));
        model
    };
    let point = |name: &str, force: &str, rate: &str| {
        let mut model = Model::new(name);
        let mass = model.add_body(Body::point_2d("mass", 1.0).at([5.0, 0.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_force(ExpressionForce::vector("actuator", i, j, j, [force, "0", "0"]));
        model.add_state(Differential::new("x", rate, 0.0));
        model
    };
    let mut loops = point("expressions", "VARVAL(actual) - DX(mass)", "-0.1*DIF(x) - 1.4*VARVAL(a)");
    loops.add_variable(Variable::new("a", "ACCX(mass)"));
    loops.add_variable(Variable::new("actual", "TANH(DIF(x))").solved_from(0.0));
    let raw = point("equations", "TANH(DIF(x)) - DX(mass)", "-0.1*DIF(x) + 1.4*DX(mass) - 1.4*TANH(DIF(x))");
    [on_rail, loops, raw]
}

fn controller(x: &State, system: &System) -> f64 {
    x.x[system.state("x").or_else(|_| system.state("desired.x1")).unwrap()]
}

#[test]
fn joints_and_blocks_expressions_and_equations_give_the_same_digits() {
    let ends = spring_masses().map(|model| {
        let system = System::new(&model).unwrap();
        let results = Simulation::new(&system).method(GeneralizedAlpha::new(0.8)).step(0.05).run(5.0).unwrap();
        let x = results.last().unwrap();
        [x.q[0], x.v[0], controller(x, &system)]
    });
    for other in &ends[1..] {
        for (a, b) in ends[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-10, "{ends:?}");
        }
    }
}

/// Errors fall with the tolerance along a straight line in logarithms, up to a factor of three.
#[test]
fn errors_of_a_controlled_model_fall_steadily_with_the_tolerance() {
    let [model, _, _] = spring_masses();
    let system = System::new(&model).unwrap();
    let methods: [Arc<dyn Method>; 2] = [Arc::new(Hht::default()), Arc::new(GeneralizedAlpha::new(0.8))];
    for method in methods {
        let tolerances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
        let errors = tolerances.map(|tolerance| {
            let simulation = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).record(Record::Ends);
            (simulation.run(5.0).unwrap().last().unwrap().q[0] / -0.566_053_023_185_347 - 1.0).abs()
        });
        let (x, y) = (tolerances.map(f64::log10), errors.map(f64::log10));
        let (mx, my) = (x.iter().sum::<f64>() / 5.0, y.iter().sum::<f64>() / 5.0);
        let slope = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>();
        for (x, y) in x.iter().zip(&y) {
            let off = (y - my - slope * (x - mx)).abs();
            assert!(off < 3.0_f64.log10(), "{}: {errors:?}, off by {}", method.name(), 10.0_f64.powf(off));
        }
        assert!(slope > 0.5, "{}: slope {slope}, {errors:?}", method.name());
    }
}

/// A platform on a swinging arm: its own acceleration and the force of its joint are fed back through filters to a force on it.
fn platform() -> Model {
    let mut model = Model::new("platform");
    model.set_gravity([0.0, 0.0, -9.81]);
    let arm = model.add_body(Body::rigid("arm", 2.0, Inertia::cuboid(2.0, 1.0, 0.1, 0.1)).at([0.5, 0.0, 0.0]));
    let platform =
        model.add_body(Body::rigid("platform", 5.0, Inertia::cuboid(5.0, 0.6, 0.6, 0.1)).at([1.0, 0.0, -0.3]).spinning([0.3, 0.0, 0.0]));
    let turned = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let root = model.add_marker(Marker::on(BodyId::GROUND).oriented(turned).named("root"));
    let foot = model.add_marker(Marker::on(arm).at([-0.5, 0.0, 0.0]).oriented(turned).named("foot"));
    let tip = model.add_marker(Marker::on(arm).at([0.5, 0.0, 0.0]).named("tip"));
    let top = model.add_marker(Marker::on(platform).at([0.0, 0.0, 0.3]).named("top"));
    model.add_joint(Joint::new("hinge", Revolute, foot, root));
    model.add_joint(Joint::new("ball", Spherical, top, tip));
    let centre = model.add_marker(Marker::on(platform).named("centre"));
    let ground = model.add_marker(Marker::on(BodyId::GROUND).named("sky"));
    model.add_sensor(Sensor::new("shake", "ACCZ(centre)"));
    model.add_sensor(Sensor::new("load", "FZ(ball)"));
    model.add_block(Block::new("transfer-function", "speed").set("input", "shake").set("num", [1.0]).set("den", [1.0, 0.5]));
    model.add_block(Block::new("low-pass", "felt").set("input", "load").set("frequency", 2.0));
    model.add_block(Block::new("expression", "skyhook").set("function", "-20*speed - 0.3*felt - 0.2*shake"));
    model.add_force(ExpressionForce::vector("actuator", centre, ground, ground, ["0", "0", "VARVAL(skyhook)"]));
    let spring = ["-30*AX(platform)", "-30*AY(platform)", "0"];
    model.add_force(ExpressionForce::vector("pull", centre, ground, ground, spring));
    model
}

#[test]
fn acceleration_and_reaction_feedback_keep_order_two_in_accelerations_and_reactions() {
    let system = System::new(&platform()).unwrap();
    let end = |h: f64| {
        let start = assemble(&system).unwrap().state;
        let mut stepper = Stepper::new(&system, Arc::new(GeneralizedAlpha::new(0.8)), Options::default(), &start, &[]);
        stepper.start(&start, h).unwrap();
        for _ in 0..(0.5 / h).round() as usize {
            stepper.attempt(h, None).unwrap();
            stepper.accept();
        }
        (stepper.now().a.clone(), stepper.now().lambda.clone())
    };
    let gap = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    let [a, b, c] = [0.004, 0.002, 0.001].map(end);
    for (what, first, second) in [("a", gap(&a.0, &b.0), gap(&b.0, &c.0)), ("λ", gap(&a.1, &b.1), gap(&b.1, &c.1))] {
        let order = (first / second).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order:.3} in {what}");
    }
}
