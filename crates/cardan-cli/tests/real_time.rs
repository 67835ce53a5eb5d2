//! Real time on the command line: what a step costs, runs against the clock, overruns, and mistakes.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CART: &str = r#"
name = "cart"

[bodies.cart]
kind = "point"
mass = 2

[inputs.push]
initial = 4

[forces.motor]
kind = "vector-force"
i = "cart"
j = "ground"
x = "INPUT(push)"

[sensors.speed]
function = "VX(cart)"

[simulation]
t_end = 0.1
"#;

/// A folder of its own for a test, with the model in it.
fn folder(name: &str, model: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("real-time-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("cart.toml"), model).unwrap();
    path
}

fn cardan(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardan")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn check_says_what_a_step_costs() {
    let here = folder("check", CART);
    let output = cardan(&here, &["check", "--realtime", "cart.toml"]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    for part in ["radau iterates", "evaluations", "factorisations  2", "tried: median", "smallest period"] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    let output = cardan(&here, &["check", "--realtime", "--json", "cart.toml"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cost = &found["realtime"]["cost"];
    assert_eq!((&cost["evaluations"], &cost["factorizations"], &cost["solutions"]), (&4.into(), &2.into(), &4.into()));
    // Three rows: 2/3·3³ to factor, 2·3² to solve.
    assert_eq!((&cost["flops"]["factorization"], &cost["flops"]["solution"]), (&18.into(), &18.into()));
    assert!(found["realtime"]["smallest_period"].as_f64().unwrap() > 0.0);
    let plain = cardan(&here, &["check", "--json", "cart.toml"]);
    assert_eq!(serde_json::from_slice::<Value>(&plain.stdout).unwrap()["realtime"], Value::Null);
}

#[test]
fn a_run_keeps_the_clock_and_says_how_long_steps_took() {
    let here = folder("run", CART);
    let begun = std::time::Instant::now();
    let output = cardan(&here, &["run", "--realtime", "--period", "2ms", "--json", "cart.toml"]);
    assert!(begun.elapsed().as_secs_f64() > 0.098, "fifty periods, less the last one");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    for part in ["note: radau iterates", "cart: 50 steps of 2.00 ms with euler-linear-implicit", "median", "99.9 %", "overrun", "#"] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["status"], &summary["steps"], &summary["period"]), (&"completed".into(), &50.into(), &0.002.into()));
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(here.join("cart-results/run.json")).unwrap()).unwrap();
    assert_eq!(saved, summary);
    let outputs = std::fs::read_to_string(here.join("cart-results/outputs.csv")).unwrap();
    let last: Vec<f64> = outputs.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert!(outputs.lines().count() == 51 && outputs.starts_with("time [s],speed [m/s]"), "{outputs}");
    assert!((last[0] - 0.1).abs() < 1e-12 && (last[1] - 0.2).abs() < 1e-12, "{last:?}");
}

#[test]
fn without_the_clock_a_run_takes_no_longer_than_its_steps_and_says_how_constraints_held() {
    let here = folder("no-wait", CART);
    let begun = std::time::Instant::now();
    let output = cardan(&here, &["run", "--realtime", "--no-wait", "--t-end", "30", "--json", "cart.toml"]);
    assert!(output.status.success() && begun.elapsed().as_secs_f64() < 25.0, "{}", text(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&summary["steps"], &summary["overruns"]), (&30_000.into(), &0.into()));
    assert_eq!(summary["constraint_violation"]["position"], 0.0);
    assert!(text(&output.stderr).contains("constraints are violated by at most 0.0e0"), "{}", text(&output.stderr));
    let outputs = std::fs::read_to_string(here.join("cart-results/outputs.csv")).unwrap();
    assert_eq!(outputs.lines().count(), 30_001);
}

#[test]
fn a_motion_that_is_too_fast_ends_the_run() {
    let here = folder("fast", CART);
    let squeezer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/squeezer/model.toml");
    let output = cardan(&here, &["run", "--realtime", "--no-wait", "--t-end", "1", squeezer.to_str().unwrap()]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("too fast for steps of 0.001 s") && said.contains("try: --period"), "{said}");
}

#[test]
fn sampled_controllers_are_no_inputs() {
    let here = folder("sampled", CART);
    let furuta = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/furuta-pendulum/model.toml");
    let output = cardan(&here, &["run", "--realtime", "--no-wait", "--t-end", "0.1", furuta.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn overruns_are_counted_skipped_or_the_end() {
    let here = folder("overrun", CART);
    let run = |policy: &str| {
        cardan(&here, &["run", "--realtime", "--period", "50 ns", "--t-end", "5e-5", "--overrun", policy, "--json", "cart.toml"])
    };
    let summary = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).unwrap();
    let caught_up = run("catch-up");
    assert!(caught_up.status.success());
    assert_eq!((&summary(&caught_up)["steps"], &summary(&caught_up)["skipped_periods"]), (&1000.into(), &0.into()));
    assert!(summary(&caught_up)["overruns"].as_u64().unwrap() > 0);
    let skipped = run("skip");
    assert!(skipped.status.success() && summary(&skipped)["skipped_periods"].as_u64().unwrap() > 0);
    let stopped = run("stop");
    assert_eq!(stopped.status.code(), Some(7));
    assert_eq!(summary(&stopped)["status"], "late");
    assert!(text(&stopped.stderr).contains("was late by"), "{}", text(&stopped.stderr));
}

#[test]
fn mistakes_are_told() {
    let cases = [
        ("jacobian = \"J4\"\nmethod = \"euler-linear-implicit\"\nstep = 0.001", 3, "'J4' is not known in simulation"),
        ("jacobian = \"J2\"\nstep = 0.001", 3, "the method 'radau' has no parameter 'jacobian'"),
        ("method = \"euler-explicit\"\nconstraints = \"ggl\"\nstep = 0.001", 3, "not as ggl"),
        ("method = \"euler-explicit\"\ntolerance = 1e-4", 3, "give it a fixed step instead of a tolerance"),
    ];
    for (k, (settings, code, message)) in cases.into_iter().enumerate() {
        let here = folder(&format!("mistake-{k}"), &format!("{CART}{settings}\n"));
        let output = cardan(&here, &["run", "cart.toml"]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(message), "{message}: {said}");
    }
    let here = folder("usage", CART);
    for (arguments, message) in [
        (&["run", "--period", "1ms", "cart.toml"][..], "--realtime"),
        (&["run", "--realtime", "--period", "1kg", "cart.toml"], "write a time"),
        (&["run", "--realtime", "--period", "0ms", "cart.toml"], "must be positive"),
    ] {
        let output = cardan(&here, arguments);
        assert!(output.status.code() == Some(2) && text(&output.stderr).contains(message), "{}", text(&output.stderr));
    }
}
