//! A motor-driven four-bar linkage: the worked example of the README.
//!
//! ```text
//!                         coupler
//!                 B o──────────────────o C             The motor turns the crank AB about A. The rocker DC
//!                  /                    /               swings to and fro; a spring with a damper pulls its
//!           crank /             rocker /                middle towards S. A, D and S are fixed to the frame.
//!                /                    /⟿⟿⟿⟿⟿⟿⟿ S
//!     motor   A o─ ─ ─ frame ─ ─ ─ ─ o D
//!             ═══                   ═══
//! ```
//!
//! The bars are rigid bodies in space, the hinges ordinary revolute joints. Each hinge keeps its bars in the plane once more:
//! three of the twenty constraint rows are redundant. Assembly finds and names them; the motion is unique all the same, and
//! of the reactions the smallest are taken.
//!
//! Run it with `cargo run --release --example four_bar`.

use cardan::prelude::*;
use cardan::system::CompiledBody;
use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::process::ExitCode;

/// Lengths of the links, m. The shortest plus the longest is less than the other two: the crank can turn fully (Grashof).
const CRANK: f64 = 0.10;
const COUPLER: f64 = 0.35;
const ROCKER: f64 = 0.25;
const FRAME: f64 = 0.30;

/// The bars are flat steel: width and thickness, m, and density, kg/m³.
const WIDTH: f64 = 0.030;
const THICKNESS: f64 = 0.008;
const DENSITY: f64 = 7850.0;

/// A direct-current motor: torque falls linearly from stall to the no-load speed.
const STALL_TORQUE: f64 = 6.0;
const NO_LOAD_SPEED: f64 = 12.0;

/// The crank starts at this angle, at rest, rad.
const START: f64 = PI / 3.0;
/// End of the simulation, s.
const END: f64 = 2.0;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("four_bar: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let model = four_bar();
    // Compiling checks the model and fixes the layout of the equations; a system never changes afterwards.
    let system = System::new(&model)?;
    print_model(&model, &system);

    // Assembling moves the bodies onto their joints and tells what the constraints do. (A simulation does it by itself; here
    // it is only to look at.)
    print_assembly(&system, &assemble(&system)?);

    // HHT with error control: the step follows the motion. Samples are taken every millisecond by dense output.
    let crank = system.body("crank")?.clone();
    let in_line = Event::new("crank along frame", move |x| angle(&crank, x).sin()).direction(Direction::Rising);
    let simulation = Simulation::new(&system).method(Hht::default()).tolerance(1e-6).record(Record::Interval(1e-3)).event(in_line);
    let results = simulation.run(END)?;

    print_table(&system, &results)?;
    print_checks(&system, &results)?;
    Ok(())
}

/// A uniform bar between two points of the plane, its body frame in the middle with x along the bar.
fn bar(name: &str, from: [f64; 2], to: [f64; 2]) -> Body {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = dx.hypot(dy);
    let mass = DENSITY * WIDTH * THICKNESS * length;
    Body::rigid(name, mass, Inertia::cuboid(mass, length, WIDTH, THICKNESS))
        .at([0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0])
        .oriented(Quat::from_axis_angle(&Vec3::z_axis(), dy.atan2(dx)))
}

/// The mechanism: three bars, four hinges, a motor, a spring-damper, gravity.
fn four_bar() -> Model {
    let mut model = Model::new("Four-bar linkage");
    model.set_gravity([0.0, -9.81, 0.0]);

    // Where the hinges are at the start: B from the crank angle, C where the circles about B and D meet above the frame.
    // (Rough values would do as well: the assembly moves the bodies onto the joints before the run.)
    let (a, d) = ([0.0, 0.0], [FRAME, 0.0]);
    let b = [CRANK * START.cos(), CRANK * START.sin()];
    let c = circles_meet(b, COUPLER, d, ROCKER);

    let crank = model.add_body(bar("crank", a, b));
    let coupler = model.add_body(bar("coupler", b, c));
    let rocker = model.add_body(bar("rocker", d, c));

    // Everything meets at markers: frames fixed on bodies. Hinges turn about their common z axis.
    let frame_a = model.add_marker(Marker::on(BodyId::GROUND).at([a[0], a[1], 0.0]));
    let frame_d = model.add_marker(Marker::on(BodyId::GROUND).at([d[0], d[1], 0.0]));
    let crank_a = model.add_marker(Marker::on(crank).at([-0.5 * CRANK, 0.0, 0.0]));
    let crank_b = model.add_marker(Marker::on(crank).at([0.5 * CRANK, 0.0, 0.0]));
    let coupler_b = model.add_marker(Marker::on(coupler).at([-0.5 * COUPLER, 0.0, 0.0]));
    let coupler_c = model.add_marker(Marker::on(coupler).at([0.5 * COUPLER, 0.0, 0.0]));
    let rocker_c = model.add_marker(Marker::on(rocker).at([0.5 * ROCKER, 0.0, 0.0]));
    let rocker_d = model.add_marker(Marker::on(rocker).at([-0.5 * ROCKER, 0.0, 0.0]));

    model.add_joint(Joint::new("A", Revolute, crank_a, frame_a));
    model.add_joint(Joint::new("B", Revolute, coupler_b, crank_b));
    model.add_joint(Joint::new("C", Revolute, coupler_c, rocker_c));
    model.add_joint(Joint::new("D", Revolute, rocker_d, frame_d));

    // The motor's law is written in dual numbers, so that the solver gets its exact slope as well.
    let motor = |_t: Dual, _angle: Dual, speed: Dual| (speed / -NO_LOAD_SPEED + 1.0) * STALL_TORQUE;
    model.add_force(SingleForce::new("motor", crank_a, frame_a, Line::Rotation, motor));

    let rocker_middle = model.add_marker(Marker::on(rocker));
    let anchor = model.add_marker(Marker::on(BodyId::GROUND).at([0.5, 0.05, 0.0]).named("S"));
    let spring = SpringDamper::new("return spring", rocker_middle, anchor).stiffness(200.0).free_length(0.12).damping(10.0);
    model.add_force(spring);
    model
}

/// The meeting point of two circles that lies left of the way from the first centre to the second.
fn circles_meet(p: [f64; 2], radius_p: f64, q: [f64; 2], radius_q: f64) -> [f64; 2] {
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let distance = dx.hypot(dy);
    let along = (distance * distance + radius_p * radius_p - radius_q * radius_q) / (2.0 * distance);
    let across = (radius_p * radius_p - along * along).sqrt();
    let (ex, ey) = (dx / distance, dy / distance);
    [p[0] + along * ex - across * ey, p[1] + along * ey + across * ex]
}

/// The angle of a bar about z, between 0 and a full turn, rad.
fn angle(bar: &CompiledBody, x: &State) -> f64 {
    bar.orientation(x).euler_angles().2.rem_euclid(TAU)
}

/// Its rate, rad/s.
fn speed(bar: &CompiledBody, x: &State) -> f64 {
    bar.angular_velocity(x).z
}

/// The force in a hinge over the samples, N.
fn hinge_force(system: &System, results: &Results, joint: &str) -> Result<Vec<f64>, UnknownName> {
    Ok(results.vectors(system, &format!("{joint}.force"))?.iter().map(|force| force.norm()).collect())
}

fn motor_torque(speed: f64) -> f64 {
    STALL_TORQUE * (1.0 - speed / NO_LOAD_SPEED)
}

fn print_model(model: &Model, system: &System) {
    let [crank, coupler, rocker, frame] = [CRANK, COUPLER, ROCKER, FRAME].map(|length| 1e3 * length);
    println!("{}", model.name());
    println!("  links             crank {crank} mm, coupler {coupler} mm, rocker {rocker} mm, frame {frame} mm");
    println!("  motor             {STALL_TORQUE} N m at stall, {NO_LOAD_SPEED} rad/s without load");
    println!("  start             at rest, crank at {:.0}°", START.to_degrees());
    println!(
        "  equations         {} bodies, {} joints, {} forces; {} velocities, {} constraint rows",
        model.bodies().len() - 1,
        model.joints().len(),
        model.forces().len(),
        system.nv(),
        system.rows()
    );
}

/// Degrees of freedom, and the rows that other joints already provide.
fn print_assembly(system: &System, assembly: &Assembly) {
    let found = &assembly.redundancy;
    println!(
        "  assembly          {} velocities − {} independent rows = {} degree of freedom; {} bodies had to move",
        system.nv(),
        found.rank,
        found.degrees_of_freedom,
        assembly.moved.len()
    );
    for row in &found.redundant {
        let others: Vec<&str> = row.joints.iter().filter(|name| **name != row.constraint).map(String::as_str).collect();
        println!("  redundant         hinge {}, {}: already blocked by {}", row.constraint, row.direction, others.join(", "));
    }
    println!();
}

fn print_table(system: &System, results: &Results) -> Result<(), UnknownName> {
    let (crank, rocker) = (system.body("crank")?, system.body("rocker")?);
    let (force_a, force_c) = (hinge_force(system, results, "A")?, hinge_force(system, results, "C")?);
    println!("   time    crank    speed   rocker   torque    force in hinge      energy, J");
    println!("      s        °    rad/s        °      N m     A, N     C, N   kinetic potential");
    // Every hundredth sample: ten lines a second.
    for (k, Sample { state: x, energy, .. }) in results.samples.iter().enumerate().filter(|(_, s)| on_grid(s.state.t, 0.1)) {
        println!(
            "{:7.2} {:8.1} {:8.3} {:8.2} {:8.3} {:8.2} {:8.2} {:9.4} {:9.4}",
            x.t,
            angle(crank, x).to_degrees(),
            speed(crank, x),
            angle(rocker, x).to_degrees(),
            motor_torque(speed(crank, x)),
            force_a[k],
            force_c[k],
            energy.kinetic,
            energy.potential
        );
    }
    println!();
    Ok(())
}

/// Whether a sample lies at a multiple of the interval.
fn on_grid(t: f64, interval: f64) -> bool {
    ((t / interval).round() * interval - t).abs() < 1e-9
}

fn print_checks(system: &System, results: &Results) -> Result<(), UnknownName> {
    let (crank, rocker) = (system.body("crank")?, system.body("rocker")?);

    for event in &results.events {
        println!("  {:<17} at t = {:.4} s, crank speed {:.3} rad/s", event.name, event.t, speed(crank, &event.state));
    }

    // The rocker turns back where crank and coupler lie in line: its swing is known from the lengths alone.
    let limit = |reach: f64| {
        let cosine = (FRAME * FRAME + ROCKER * ROCKER - reach * reach) / (2.0 * FRAME * ROCKER);
        180.0 - cosine.acos().to_degrees()
    };
    let swing = results.series(|x| angle(rocker, x).to_degrees());
    let (least, most) = swing.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let (low, high) = (limit(COUPLER + CRANK), limit(COUPLER - CRANK));
    println!("  rocker swing      {least:.3}° to {most:.3}°   (from the geometry: {low:.3}° to {high:.3}°)");

    let mut largest = Vec::new();
    for joint in ["A", "B", "C", "D"] {
        let force = hinge_force(system, results, joint)?.into_iter().fold(0.0, f64::max);
        largest.push(format!("{joint} {force:.1} N"));
    }
    println!("  largest forces    {}", largest.join(", "));

    // Energy audit: what the motor supplies is stored or dissipated, but for the method's own error. Trapezoidal rule over
    // the samples.
    let integral = |power: &dyn Fn(&Sample) -> f64| -> f64 {
        results.samples.windows(2).map(|w| 0.5 * (power(&w[0]) + power(&w[1])) * (w[1].state.t - w[0].state.t)).sum()
    };
    let supplied = integral(&|s| motor_torque(speed(crank, &s.state)) * speed(crank, &s.state));
    let dissipated = integral(&|s| s.energy.dissipation);
    let stored = match (results.samples.first(), results.samples.last()) {
        (Some(first), Some(last)) => last.energy.total() - first.energy.total(),
        _ => 0.0,
    };
    println!(
        "  energy            motor {supplied:.4} J = stored {stored:.4} J + damper {dissipated:.4} J; unaccounted {:.3} %",
        (supplied - stored - dissipated) / supplied * 100.0
    );
    println!("  constraints       violated by at most {:.1e} m, {:.1e} m/s", results.position_violation, results.velocity_violation);

    let n = results.statistics;
    println!("  solver            {} steps (mean {:.2} ms), {} rejected", n.steps, END / n.steps as f64 * 1e3, n.rejected + n.failed);
    println!("                    {} Newton iterations, {} evaluations, {} Jacobians", n.newton_iterations, n.evaluations, n.jacobians);
    match results.warnings.as_slice() {
        [] => println!("  warnings          none"),
        warnings => warnings.iter().for_each(|w| println!("  warning           {w}")),
    }
    Ok(())
}
