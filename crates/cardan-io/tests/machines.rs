//! The belt and the track of the HHT paper's sections 4.1 and 4.2: their counts, their rest, and what two methods make of them.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{Record, Simulation, Start, equilibrium};
use cardan::integrators::{Bdf, Formulation, Hht, Method, Norm, Radau};
use cardan::math::max_abs;
use cardan::results::Results;
use cardan::system::System;
use cardan_io::model_file::{Document, load};
use std::path::Path;

const GRAVITY: f64 = 9.81;
/// The mass of the machine, kg.
const MASS: f64 = 482_800.0;

fn read(name: &str, set: &[(&str, &str)]) -> Document {
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    load(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../gallery/{name}/model.toml")), &set).unwrap()
}

fn system(name: &str, set: &[(&str, &str)]) -> System {
    read(name, set).compile().unwrap()
}

/// Bodies, multipliers, equations, and pairs of shapes that touch.
fn counts(name: &str) -> [usize; 4] {
    let document = read(name, &[]);
    let system = document.compile().unwrap();
    let pairs = document.model.contacts().iter().map(|contact| contact.groups().map(<[_]>::len).iter().product::<usize>()).sum();
    [system.bodies().len(), system.rows(), system.nv() + system.rows(), pairs]
}

#[test]
fn they_have_the_counts_of_the_paper() {
    assert_eq!(counts("belt"), [106, 331, 967, 400]);
    assert_eq!(counts("belt-planar"), [105, 10, 325, 400]);
    assert_eq!(counts("track"), [61, 305, 671, 690]);
}

/// A run in the paper's norm.
fn run(system: &System, method: impl Method + 'static, tolerance: f64, times: &[f64]) -> Results {
    let simulation = Simulation::new(system).method(method).tolerance(tolerance).norm(Norm::Paper);
    simulation.record(Record::Times(times.to_vec())).run(times[times.len() - 1]).unwrap()
}

/// Equal steps up to a time.
fn times(count: usize, t_end: f64) -> Vec<f64> {
    (1..=count).map(|k| t_end * k as f64 / count as f64).collect()
}

/// The largest difference of a channel between two runs, by the largest value.
fn apart(system: &System, runs: [&Results; 2], channel: &str) -> f64 {
    let [a, b] = runs.map(|run| run.channel(system, channel).unwrap());
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    max_abs(&differences) / max_abs(&a)
}

#[test]
fn a_belt_without_loads_rests_where_it_is_placed() {
    for name in ["belt", "belt-planar"] {
        let found = equilibrium(&system(name, &[("torque", "0"), ("speed", "0")])).unwrap();
        let moved = found.moved.iter().map(|m| m.distance.max(m.rotation)).fold(0.0, f64::max);
        assert!(moved < 1e-9 && found.residual < 1e-6, "{name}: moved by {moved}, {} N left", found.residual);
    }
}

#[test]
fn nothing_holds_a_belt_that_the_engine_drives() {
    assert!(equilibrium(&system("belt", &[])).unwrap_err().to_string().contains("no equilibrium was found"));
}

#[test]
fn a_belt_accounts_for_its_energy() {
    let system = system("belt-planar", &[]);
    let results = Simulation::new(&system).method(Radau).tolerance(1e-7).run(2e-3).unwrap();
    let missing = results.energy.relative_missing();
    assert!(missing.abs() < 1e-6, "{missing}");
}

#[test]
fn two_methods_agree_on_the_belt() {
    let system = system("belt-planar", &[]);
    let times = times(30, 0.03);
    let (hht, bdf) = (run(&system, Hht::default(), 1e-5, &times), run(&system, Bdf::default(), 1e-4, &times));
    let [force, speed] = ["alternator_bearing.force.x", "alternator_speed"].map(|channel| apart(&system, [&hht, &bdf], channel));
    assert!(force < 0.03 && speed < 0.01, "force {force}, speed {speed}");
}

/// The track from its rest on.
fn drive_off(system: &System, method: impl Method + 'static, tolerance: f64, formulation: Formulation) -> Results {
    let simulation = Simulation::new(system).method(method).tolerance(tolerance).norm(Norm::Paper).formulation(formulation);
    simulation.start(Start::Equilibrium).record(Record::Times(times(60, 3.0))).run(3.0).unwrap()
}

#[test]
fn the_track_rests_with_its_weight_on_the_ground() {
    let system = system("track", &[]);
    let found = equilibrium(&system).unwrap();
    assert!(found.residual < 1e-3, "{} N left after {} steps", found.residual, found.iterations);
    let run = drive_off(&system, Hht::default(), 1e-5, Formulation::Default);
    let force = run.channel(&system, "soil.force.y").unwrap();
    assert!((force[0] / (MASS * GRAVITY) - 1.0).abs() < 1e-9, "{}", force[0]);
    let mean = force.iter().sum::<f64>() / force.len() as f64;
    assert!((mean / (MASS * GRAVITY) - 1.0).abs() < 5e-3, "{mean}");
    // What is placed in a plane stays there.
    let aside = (1..=46).flat_map(|k| run.channel(&system, &format!("shoe{k}.position.z")).unwrap()).fold(0.0, |m: f64, z| m.max(z.abs()));
    assert!(aside < 1e-9, "{aside} m");
}

#[test]
fn two_methods_agree_on_the_track() {
    let system = system("track", &[]);
    let hht = drive_off(&system, Hht::default(), 1e-5, Formulation::Index3);
    let bdf = drive_off(&system, Bdf { max_order: 1 }, 1e-4, Formulation::Index2);
    // Shoe 8 lies on the ground in this part of the run: its speed is small against that of the chain.
    let [a, b] = [&hht, &bdf].map(|run| run.channel(&system, "shoe8_speed").unwrap());
    let chain = max_abs(&hht.channel(&system, "shoe30.velocity.x").unwrap());
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a - b) / chain).collect();
    assert!(max_abs(&differences) < 0.01, "{}", max_abs(&differences));
    let [way, top] = ["way", "shoe30.velocity.x"].map(|channel| apart(&system, [&hht, &bdf], channel));
    assert!(way < 1e-3 && top < 0.01, "way {way}, speed of a shoe at the top {top}");
}

#[test]
fn without_friction_on_the_ground_there_is_no_traction() {
    let system = system("track", &[("friction", "0")]);
    let run = drive_off(&system, Hht::default(), 1e-5, Formulation::Default);
    let traction = max_abs(&run.channel(&system, "soil.force.x").unwrap());
    let state = &run.samples[run.samples.len() - 1].state;
    let mut momentum = vec![0.0; system.nv()];
    system.add_mass_times(&state.q, &state.v, 1.0, &mut momentum);
    let along: f64 = system.bodies().iter().map(|body| momentum[body.v().start]).sum();
    let chain = max_abs(&run.channel(&system, "shoe30.velocity.x").unwrap());
    assert!(chain > 0.5, "the chain runs: {chain} m/s");
    assert!(traction < 1e-3 && (along / (MASS * chain)).abs() < 1e-6, "{traction} N, {along} kg m/s");
}
