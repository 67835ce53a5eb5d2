//! Every model of the gallery in real time with steps of 1 ms: it keeps its constraints and gains no energy, or it ends with an error that
//! says which motion is too fast.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{RealTime, RealTimeError, SimulationError};
use cardan::integrators::{LinearImplicitEuler, StepError};
use cardan::system::{System, Work};
use cardan_io::model_file::load;
use std::path::{Path, PathBuf};

const STEP: f64 = 1e-3;
/// Nothing drives or brakes these.
const CONSERVATIVE: &[&str] =
    &["bicycle", "bouncing-balls", "bricard", "chain", "gyroscope", "heavy-top", "n-four-bar", "pendulum", "rolling-disk", "slider-crank"];
/// Too fast for 1 ms.
const FAST: &[&str] = &["squeezer"];

/// What became of a run.
struct Row {
    name: String,
    violation: (f64, f64),
    /// Energy at the end less that at the start, and the least and most of it on the way, as parts of the range of the kinetic energy.
    gain: [f64; 3],
    error: Option<RealTimeError>,
}

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.join("model.toml").exists()).collect();
    all.sort();
    all
}

fn run(folder: &Path, t_end: f64) -> Row {
    let system: System = load(folder.join("model.toml"), &[]).unwrap().compile().unwrap();
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let mut run = match RealTime::new(&system, LinearImplicitEuler::default(), STEP) {
        Ok(run) => run,
        // Already the first step, which is tried there, may be too fast.
        Err(SimulationError::Step { t, error, .. }) => {
            return Row { name, violation: (0.0, 0.0), gain: [0.0; 3], error: Some(RealTimeError::Step { t, error }) };
        }
        Err(error) => panic!("{name}: {error}"),
    };
    let mut work = Work::new(&system);
    // Springs given by expressions have their potential in a sensor.
    let sensor = system.sensors().iter().position(|s| s.name == "energy");
    let (mut kinetic, mut total, mut ends) = ([f64::INFINITY, 0.0_f64], [f64::INFINITY, f64::NEG_INFINITY], [None, None]);
    let (inputs, mut outputs) = (system.initial().inputs[..system.inputs().len()].to_vec(), vec![0.0; system.sensors().len()]);
    let mut error = None;
    for _ in 0..(t_end / STEP).round() as usize {
        error = run.step(&inputs, &mut outputs).err();
        if error.is_some() {
            break;
        }
        let energy = system.energy(run.state(), &mut work);
        let stored = sensor.map_or(energy.total(), |place| outputs[place]);
        kinetic = [kinetic[0].min(energy.kinetic), kinetic[1].max(energy.kinetic)];
        total = [total[0].min(stored), total[1].max(stored)];
        ends = [ends[0].or(Some(stored)), Some(stored)];
    }
    let [first, last] = ends.map(|energy| energy.unwrap_or(0.0));
    let gain = [last, total[0], total[1]].map(|energy| (energy - first) / (kinetic[1] - kinetic[0]));
    Row { name, violation: run.worst_violation(), gain, error }
}

fn judge(row: &Row) {
    let Row { name, violation, gain, error } = row;
    let conservative = CONSERVATIVE.contains(&name.as_str());
    let energy = if conservative {
        format!("{:+.3} %, from {:+.3} % to {:+.3} %", 100.0 * gain[0], 100.0 * gain[1], 100.0 * gain[2])
    } else {
        "–".into()
    };
    println!(
        "| {name} | {:.0e} | {:.0e} | {energy} | {} |",
        violation.0,
        violation.1,
        error.as_ref().map_or(String::new(), |e| e.to_string())
    );
    match error {
        Some(RealTimeError::Step { error: StepError::TooFast { step, .. }, .. }) => assert!(*step > 0.0 && *step < STEP, "{name}"),
        Some(other) => panic!("{name}: {other}"),
        None => {
            assert!(!FAST.contains(&name.as_str()), "{name} is too fast for the step");
            assert!(violation.0 < 1e-6 && violation.1 < 1e-6, "{name}: {violation:?}");
            assert!(!conservative || gain.iter().all(|part| part.abs() < 0.01), "{name}: {gain:?}");
        }
    }
}

#[test]
fn gallery_models_hold_together_or_say_what_is_too_fast() {
    models().iter().for_each(|folder| judge(&run(folder, 2.0)));
}

#[test]
#[ignore = "a minute; prints the table of docs/real-time.md"]
fn gallery_models_hold_together_for_100_seconds() {
    models().iter().for_each(|folder| judge(&run(folder, 100.0)));
}
