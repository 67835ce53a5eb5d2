//! No allocation in a step, and how much work a step is: counts that must not creep up.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![allow(unsafe_code, reason = "counting allocations needs an allocator of its own")]

#[path = "common/models.rs"]
mod models;

use cardan::integrators::{LocalLinearization, Parameter, Statistics, Stepper, implicit, real_time};
use cardan::prelude::*;
use models::*;
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { Heap.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Heap.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A pendulum whose forces, drive and constraint are expressions that read everything there is.
fn written() -> Model {
    let mut model = Model::new("expressions");
    model.set_gravity([0.0, 0.0, -9.81]);
    let arm = model.add_body(Body::rigid("arm", 1.0, Inertia::cuboid(1.0, 0.2, 0.3, 0.4)).at([0.0, 0.0, -0.5]));
    let bob = model.add_body(Body::rigid("bob", 1.0, Inertia::ball(1.0, 0.2)).at([0.0, 0.6, -0.5]));
    let (i, j) = (model.add_marker(Marker::on(arm).at([0.0, 0.0, 0.5])), model.add_marker(Marker::on(BodyId::GROUND)));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    model.add_constraint(Motion::rotation("drive", hinge, TimeFunction::expression("STEP(TIME, 0, 0, 1, 30 deg)")));
    model.add_constraint(UserConstraint::expression("rod", "DM(arm, bob)**2 - 0.36"));
    let (a, b) = (model.add_marker(Marker::on(arm).named("a")), model.add_marker(Marker::on(bob).at([0.1, 0.0, 0.0]).named("b")));
    model.add_force(ExpressionForce::single("pull", a, b, Line::Between, "-20*VR(a, b) - 0.1*ACCM(b) - 0.01*FM(hinge) + AZ(a, b)"));
    model.add_force(ExpressionForce::vector("push", b, a, a, ["SIN(TIME)", "-0.1*VY(b, a, a, a)", "0.1*FZ(rod, b) + FX(rod)"]));
    model.add_force(ExpressionForce::single("control", a, b, Line::Between, "-DIF(filter) - 0.01*DIF1(integral)"));
    model.add_state(Differential::new("integral", "DM(arm, bob) - 0.5 - 0.1*DIF(integral)", 0.1));
    model.add_state(Differential::new("filter", "10*(DIF(integral) + 0.01*FM(hinge) + 0.02*ACCM(b) - DIF(filter))", 0.0));
    model
}

/// A pendulum whose drive is sampled every other step, and switched, reset and held by friction between steps.
fn sampled_and_switched() -> Model {
    let mut model = pendulum();
    let marker = model.markers()[1].name.clone();
    let (wave, speed) = (format!("SIN(1e4*TIME) + DX({marker})"), format!("VX({marker})"));
    model.add_block(Block::new("sampled-pid", "pid").set("input", wave.as_str()).set("kp", 1.0).set("kd", 1.0).set("sample_time", 2e-4));
    model.add_block(Block::new("relay", "relay").set("input", "pid").set("on_above", 0.1).set("off_below", -0.1));
    model.add_block(Block::new("integrator", "sum").set("input", "relay").set("reset", wave));
    let friction = Block::new("stiction", "friction").set("speed", speed).set("static", 1e-3).set("stiffness", 10.0);
    model.add_block(friction.set("damping", 0.1));
    let (i, j) = (model.joints()[0].i, model.joints()[0].j);
    model.add_force(ExpressionForce::vector("drive", i, j, j, ["VARVAL(sum) + VARVAL(friction)", "VARVAL(relay)", "0"]));
    model
}

/// Hinged bodies: a chain, and with `closing` a ladder of parallel four-bars, whose hinges in space are redundant.
fn hinged(count: usize, closing: bool) -> Model {
    let mut model = Model::new(if closing { "ladder" } else { "chain" });
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut hinges = 0;
    let mut hinge = |model: &mut Model, one: Marker, other: Marker| {
        let (i, j) = (model.add_marker(one.z_along([0.0, 1.0, 0.0])), model.add_marker(other.z_along([0.0, 1.0, 0.0])));
        model.add_joint(Joint::new(&format!("hinge {hinges}"), Revolute, i, j));
        hinges += 1;
    };
    let mut before = Marker::on(BodyId::GROUND);
    for k in 0..count {
        let x = k as f64;
        let bar = |name: &str| Body::rigid(&format!("{name} {k}"), 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.2));
        let link = model.add_body(bar("link").at([x + 0.5, 0.0, 0.0]));
        hinge(&mut model, Marker::on(link).at([-0.5, 0.0, 0.0]), before.clone());
        before = Marker::on(link).at([0.5, 0.0, 0.0]);
        if closing {
            let leg = model.add_body(bar("leg").at([x + 1.0, 0.0, 0.5]));
            hinge(&mut model, Marker::on(leg).at([0.0, 0.0, -0.5]), before.clone());
            hinge(&mut model, Marker::on(leg).at([0.0, 0.0, 0.5]), Marker::on(BodyId::GROUND).at([x + 1.0, 0.0, 1.0]));
        }
    }
    model
}

#[test]
fn steps_do_not_allocate() {
    for model in [pendulum(), stiff_double_pendulum(), heavy_top(), written(), hinged(30, false), hinged(10, true)] {
        let system = System::new(&model).unwrap();
        let assembly = assemble(&system).unwrap();
        let start = assembly.state;
        let others = [Newmark::new(0.6).into_shared(), Radau.into_shared(), DormandPrince.into_shared()];
        let stiff = |m: &dyn cardan::integrators::Method| m.name() == "dormand-prince" && model.name() == "stiff double pendulum";
        for method in implicit().into_iter().chain(others).filter(|m| !m.undamped() && !stiff(&**m)) {
            for formulation in method.formulations().iter().copied() {
                let options = Options { formulation, ..Options::default() };
                let mut stepper = Stepper::new(&system, method.clone(), options, &start, &assembly.redundancy.regularization);
                stepper.start(&start, 1e-4).unwrap();
                // The first factorisation finds the order of elimination.
                stepper.attempt(1e-4, Some(1e-5)).unwrap();
                stepper.accept();
                let before = COUNT.with(Cell::get);
                for k in 0..200 {
                    let outcome = stepper.attempt(if k % 50 < 25 { 1e-4 } else { 2e-4 }, Some(1e-5));
                    assert!(outcome.is_ok(), "{} with {} {formulation:?}, step {k}: {outcome:?}", model.name(), method.name());
                    stepper.accept();
                }
                assert_eq!(COUNT.with(Cell::get) - before, 0, "{} with {} {formulation:?}", model.name(), method.name());
            }
        }
    }
}

/// Where the matrix of the linearised equations is dense.
#[test]
fn steps_of_local_linearization_do_not_allocate() {
    let models = [pendulum(), stiff_double_pendulum(), heavy_top(), hinged(2, false)];
    for (model, order) in models.iter().flat_map(|model| [(model, 2), (model, 4)]) {
        let system = System::new(model).unwrap();
        let start = assemble(&system).unwrap().state;
        let method = LocalLinearization { order: Some(order), ..LocalLinearization::default() };
        let mut stepper = Stepper::new(&system, method.into_shared(), Options::default(), &start, &[]);
        stepper.start(&start, 1e-4).unwrap();
        for _ in 0..2 {
            stepper.attempt(1e-4, Some(1e-5)).unwrap();
            stepper.accept();
        }
        let before = COUNT.with(Cell::get);
        for _ in 0..20 {
            stepper.attempt(1e-4, Some(1e-5)).unwrap();
            stepper.accept();
        }
        assert_eq!(COUNT.with(Cell::get) - before, 0, "{}", model.name());
    }
}

#[test]
fn steps_in_real_time_do_not_allocate() {
    let words = [("jacobian", &["symplectic", "exact", "J1", "J2", "J3", "marked"][..]), ("projection_matrix", &["start", "predicted"])];
    let constraints = ["index1", "index2", "baumgarte1", "baumgarte2", "projection", "ggl"];
    for mut model in [pendulum(), heavy_top(), written(), hinged(30, false), hinged(4, true), sampled_and_switched()] {
        model.add_input("push", 0.0);
        let marker = model.markers()[0].name.clone();
        model.add_sensor(Sensor::new("position", format!("DX({marker}) + INPUT(push)")));
        let system = System::new(&model).unwrap();
        for method in real_time() {
            let chosen = constraints.iter().filter_map(|word| method.with("constraints", Parameter::Word(word)));
            let others = words.iter().flat_map(|(name, words)| words.iter().filter_map(|word| method.with(name, Parameter::Word(word))));
            for method in chosen.chain(others).filter(|m| m.mistake().is_none()) {
                let what = format!("{} with {method:?}", model.name());
                let mut run = RealTime::shared(&system, method, 1e-4).unwrap();
                let (before, mut outputs) = (COUNT.with(Cell::get), [0.0; 8]);
                let outputs = &mut outputs[..system.sensors().len()];
                for k in 0..50 {
                    run.step(&[f64::from(k)], outputs).unwrap();
                }
                assert_eq!(COUNT.with(Cell::get) - before, 0, "{what}");
                assert_eq!(run.statistics().unplanned, 0, "{what}");
            }
        }
    }
}

trait Shared {
    fn into_shared(self) -> std::sync::Arc<dyn cardan::integrators::Method>;
}

impl<M: cardan::integrators::Method + 'static> Shared for M {
    fn into_shared(self) -> std::sync::Arc<dyn cardan::integrators::Method> {
        std::sync::Arc::new(self)
    }
}

/// Steps, rejections, Newton iterations and Jacobians of a run.
fn counts(model: &Model, tolerance: f64, t_end: f64) -> [usize; 4] {
    let system = System::new(model).unwrap();
    let run = Simulation::new(&system).method(Hht::default()).tolerance(tolerance).record(Record::Ends).run(t_end).unwrap();
    let Statistics { steps, rejected, newton_iterations, jacobians, .. } = run.statistics;
    [steps, rejected, newton_iterations, jacobians]
}

#[test]
fn the_work_of_known_runs_stays_what_it_was() {
    let found = [counts(&pendulum(), 1e-6, 4.0), counts(&stiff_double_pendulum(), 1e-6, 2.0), counts(&heavy_top(), 1e-7, 0.5)];
    let expected = [[2207, 5, 3209, 282], [2751, 3, 3463, 179], [9279, 3, 13757, 1482]];
    let close = |(f, e): (&usize, &usize)| f.abs_diff(*e) <= 2 + e / 50;
    let same = found.iter().flatten().zip(expected.iter().flatten()).all(close);
    assert!(same, "found {found:?}, expected {expected:?}");
}

#[test]
fn small_steps_of_a_small_model_take_hardly_more_than_one_iteration() {
    for (model, most) in [(pendulum(), 1.5), (stiff_double_pendulum(), 2.0)] {
        let system = System::new(&model).unwrap();
        let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-4).record(Record::Ends).run(0.5).unwrap();
        let Statistics { steps, newton_iterations, evaluations, jacobians, .. } = run.statistics;
        let each = [newton_iterations, evaluations, jacobians].map(|n| n as f64 / steps as f64);
        assert!(each[0] < most && each[1] < most && each[2] < 0.05, "{}: {each:?}", model.name());
        assert!(run.position_violation < 1e-13, "{}: {:e}", model.name(), run.position_violation);
    }
}
