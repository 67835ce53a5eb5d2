//! Every model of the gallery: it is complete, placed consistently, has the degrees of freedom it should have, and its runs meet the
//! values of `expected.json`, which were computed in another way.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{Record, Simulation, assemble};
use cardan::integrators::{Bdf, DormandPrince, Method, Radau};
use cardan::results::{Channels, Results};
use cardan::system::System;
use cardan_io::model_file::{Document, Settings, load};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file `expected.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    source: String,
    run: Run,
    degrees_of_freedom: usize,
    redundant: usize,
    expect: Vec<Value>,
    #[serde(default)]
    placed: Placed,
    #[serde(default)]
    variants: Vec<Variant>,
}

/// How far bodies may be moved and turned (m, rad) and their velocities changed (m/s, rad/s) to close the joints: not at all, but for loops of
/// many links, which assembly closes.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct Placed {
    position: f64,
    velocity: f64,
}

impl Default for Placed {
    fn default() -> Self {
        Self { position: 1e-9, velocity: 1e-9 }
    }
}

/// What is expected of the model with other parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    run: Run,
    degrees_of_freedom: usize,
    redundant: usize,
    expect: Vec<Value>,
}

/// Settings in place of the model's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    tolerance: Option<f64>,
    t_end: Option<f64>,
    #[serde(default)]
    set: BTreeMap<String, f64>,
}

/// A channel's value at a time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    channel: String,
    time: f64,
    value: f64,
    tolerance: f64,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery")
}

fn check(name: &str) {
    let folder = folder().join(name);
    let expected: Expected = serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    assert!(!expected.source.is_empty());
    let Expected { run, degrees_of_freedom, redundant, expect, placed, variants, .. } = expected;
    let main = Variant { run, degrees_of_freedom, redundant, expect };
    for variant in std::iter::once(&main).chain(&variants) {
        check_variant(&folder, variant, placed);
    }
}

fn check_variant(folder: &Path, variant: &Variant, placed: Placed) {
    let set: Vec<(String, String)> = variant.run.set.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let document = load(folder.join("model.toml"), &set).unwrap_or_else(|problems| panic!("{problems}"));
    let system = document.compile().unwrap_or_else(|problems| panic!("{problems}"));
    let what = format!("{} {set:?}", document.model.name());
    check_assembly(&what, &system, variant, placed);
    let results = simulate(&document, &system, &variant.run);
    let mut channels = Channels::new(&system);
    let mistakes: Vec<String> = variant.expect.iter().filter_map(|value| mistake(&system, &mut channels, &results, value)).collect();
    assert!(mistakes.is_empty(), "{what}:\n{}", mistakes.join("\n"));
}

fn check_assembly(what: &str, system: &System, variant: &Variant, placed: Placed) {
    let assembly = assemble(system).unwrap();
    assert_eq!(assembly.redundancy.degrees_of_freedom, variant.degrees_of_freedom, "{what}: degrees of freedom");
    assert_eq!(assembly.redundancy.redundant.len(), variant.redundant, "{what}: redundant rows");
    let moved = assembly.moved.iter().map(|m| m.distance.max(m.rotation)).fold(0.0, f64::max);
    assert!(moved < placed.position, "{what}: assembly moved the bodies: {:?}", assembly.moved);
    // What a motion drives need not be given its velocity.
    if variant.degrees_of_freedom > 0 {
        let faster = assembly.state.v.iter().zip(&system.initial().v).map(|(v, given)| (v - given).abs()).fold(0.0, f64::max);
        assert!(faster < placed.velocity, "{what}: assembly changed the velocities by {faster}");
    }
}

fn simulate(document: &Document, system: &System, run: &Run) -> Results {
    let own = &document.simulation;
    let settings = Settings { tolerance: run.tolerance.or(own.tolerance), ..own.clone() };
    let t_end = run.t_end.or(own.t_end).unwrap();
    settings.simulation(system).unwrap().run(t_end).unwrap_or_else(|error| panic!("{}: {error}", document.model.name()))
}

/// What is wrong with a value, if anything.
fn mistake(system: &System, channels: &mut Channels, results: &Results, expected: &Value) -> Option<String> {
    let Value { channel, time, value, tolerance } = expected;
    let index = match channels.index(channel) {
        Ok(index) => index,
        Err(unknown) => return Some(unknown.to_string()),
    };
    let Some(sample) = results.samples.iter().find(|s| (s.state.t - time).abs() < 1e-9) else {
        return Some(format!("there is no sample at {time} s"));
    };
    let mut row = vec![f64::NAN; channels.list().len()];
    channels.fill(system, sample, &mut row);
    let error = (row[index] - value).abs();
    let wrong =
        || format!("{channel} at {time} s is {}, not {value}: the difference {error:.2e} is larger than {tolerance:.1e}", row[index]);
    (error > *tolerance || error.is_nan()).then(wrong)
}

macro_rules! gallery {
    ($($test:ident: $name:literal;)*) => {
        const MODELS: &[&str] = &[$($name),*];
        $(#[test] fn $test() { check($name); })*
    };
}

gallery! {
    ball_bearing: "ball-bearing";
    belt: "belt";
    belt_planar: "belt-planar";
    bicycle: "bicycle";
    billiards: "billiards";
    bouncing_ball: "bouncing-ball";
    bouncing_balls: "bouncing-balls";
    bowling: "bowling";
    bricard: "bricard";
    cam: "cam";
    cam_follower: "cam-follower";
    car_axle: "car-axle";
    cart_pendulum: "cart-pendulum";
    chain: "chain";
    chain_sprocket: "chain-sprocket";
    circular_track: "circular-track";
    controlled_spring_mass: "controlled-spring-mass";
    conveyor: "conveyor";
    dominoes: "dominoes";
    double_wishbone: "double-wishbone";
    engine: "engine";
    four_bar: "four-bar";
    furuta_pendulum: "furuta-pendulum";
    gantry_crane: "gantry-crane";
    gear_contact: "gear-contact";
    geneva_drive: "geneva-drive";
    governor: "governor";
    gyroscope: "gyroscope";
    gyroscopic_stabiliser: "gyroscopic-stabiliser";
    heavy_top: "heavy-top";
    n_four_bar: "n-four-bar";
    newtons_cradle: "newtons-cradle";
    pendulum: "pendulum";
    quarter_car: "quarter-car";
    rattleback: "rattleback";
    rolling_disk: "rolling-disk";
    slider_crank: "slider-crank";
    slider_crank_clearance: "slider-crank-clearance";
    squeezer: "squeezer";
    stiff_double_pendulum: "stiff-double-pendulum";
    tippe_top: "tippe-top";
    track: "track";
    universal_shaft: "universal-shaft";
    woodpecker: "woodpecker";
}

#[test]
fn every_model_is_complete_tested_and_in_the_index() {
    let index = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut found: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap().map(Result::unwrap).filter(|e| e.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        let readme = std::fs::read_to_string(entry.path().join("README.md")).unwrap();
        assert!(readme.contains(&format!("cardan run gallery/{name}/model.toml")), "{name}: the README does not say how to run it");
        assert!(readme.contains("## Source"), "{name}: the README names no source");
        assert!(index.contains(&format!("[{name}]({name})")), "{name} is not in the index");
        found.push(name);
    }
    found.sort();
    assert_eq!(found, MODELS);
}

/// All channels at times of which some are samples of the controller and some lie in between.
fn at_times(system: &System, method: impl Method + 'static, tolerance: f64) -> Vec<Vec<f64>> {
    let times = vec![0.0003, 0.001, 0.0105, 0.05, 0.1234567, 0.2, 0.2503, 0.3, 0.3999];
    let run = Simulation::new(system).method(method).tolerance(tolerance).record(Record::Times(times.clone())).run(0.3999).unwrap();
    assert_eq!(run.times()[1..], times);
    let mut channels = Channels::new(system);
    let mut row = |sample| {
        let mut row = vec![f64::NAN; channels.list().len()];
        channels.fill(system, sample, &mut row);
        row
    };
    run.samples.iter().map(&mut row).collect()
}

#[test]
fn three_methods_agree_on_a_sampled_controller_between_its_samples() {
    let system = load(folder().join("furuta-pendulum/model.toml"), &[]).unwrap().compile().unwrap();
    let names: Vec<String> = Channels::new(&system).list().iter().map(|c| c.name.clone()).collect();
    let radau = at_times(&system, Radau, 1e-12);
    for (other, limit) in [(at_times(&system, DormandPrince, 1e-11), 1e-10), (at_times(&system, Bdf::default(), 1e-12), 1e-9)] {
        for (a, b) in radau.iter().zip(&other) {
            for ((a, b), name) in a.iter().zip(b).zip(&names) {
                assert!((a - b).abs() <= limit * a.abs().max(1.0), "{name}: {a} and {b}, {:e} apart", (a - b).abs());
            }
        }
    }
}
