//! `cardan compare` as a user calls it: errors fall with the tolerance, work grows, failures are rows, files are written.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PENDULUM: &str = r#"
name = "pendulum"
gravity = [0, 0, -9.81]

[bodies.bob]
mass = 2
inertia = [0.02, 0.03, 0.04]
position = [1, 0, 0]
angular_velocity = [1, 0, 2]
velocity = [0, 2, 0]

[joints.ball]
kind = "spherical"
between = ["bob", "ground"]
at = [0, 0, 0]

[states.path]
function = "VM(bob, ground)"

[simulation]
t_end = 0.5
output_interval = 0.1
"#;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("model.toml"), PENDULUM).unwrap();
    path
}

fn cardan(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardan")).current_dir(folder).args(arguments).output().unwrap()
}

fn rows(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn errors_fall_and_work_grows_with_the_tolerance() {
    let folder = folder("compare");
    let arguments =
        ["compare", "model.toml", "--methods", "hht,radau:index3,dormand-prince", "--tol", "1e-4:1e-6", "--json", "--out", "plots"];
    let rows = rows(&cardan(&folder, &arguments));
    assert_eq!(rows.len(), 9);
    for method in rows.chunks(3) {
        let names: Vec<&str> = method.iter().map(|row| row["method"].as_str().unwrap()).collect();
        assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
        for error in ["position", "velocity", "multiplier"] {
            let errors: Vec<f64> = method.iter().map(|row| row["errors"][error].as_f64().unwrap()).collect();
            assert!(errors[2] < 0.3 * errors[0] && errors[2] < 1e-2, "{} {error}: {errors:?}", names[0]);
        }
        let work = |row: &Value| row["evaluations"].as_u64().unwrap();
        assert!(work(&method[2]) > work(&method[0]) && method[0]["seconds"].as_f64().unwrap() > 0.0);
    }
    let csv = std::fs::read_to_string(folder.join("plots/compare.csv")).unwrap();
    assert!(csv.lines().count() == 10 && csv.lines().all(|line| line.split(',').count() == 10), "{csv}");
    for error in ["positions", "velocities", "multipliers"] {
        for work in ["seconds", "evaluations", "factorizations"] {
            let picture = std::fs::read_to_string(folder.join(format!("plots/{error}-{work}.svg"))).unwrap();
            assert!(picture.starts_with("<svg") && picture.contains("radau:index3") && !picture.contains("NaN"), "{error}-{work}");
        }
    }
}

#[test]
fn a_result_file_can_be_the_reference() {
    let folder = folder("compare-reference");
    let run = cardan(&folder, &["run", "model.toml", "--method", "radau", "--tol", "1e-12", "--out", "accurate", "--quiet"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let with_file =
        rows(&cardan(&folder, &["compare", "model.toml", "--methods", "bdf", "--tol", "1e-6", "--reference", "accurate", "--json"]));
    let with_run = rows(&cardan(&folder, &["compare", "model.toml", "--methods", "bdf", "--tol", "1e-6", "--json"]));
    let error = |rows: &[Value]| rows[0]["errors"]["position"].as_f64().unwrap();
    let ratio = error(&with_file) / error(&with_run);
    assert!((0.3..1.5).contains(&ratio), "{ratio}");
}

#[test]
fn what_fails_says_why_and_mistakes_are_refused() {
    let folder = folder("compare-failures");
    let failing = cardan(&folder, &["compare", "model.toml", "--methods", "newmark,radau", "--tol", "1e-5"]);
    let text = String::from_utf8(failing.stdout.clone()).unwrap();
    assert!(failing.status.success() && text.contains("newmark") && text.contains("numerical damping") && text.contains("radau"), "{text}");
    for (arguments, why) in [
        (["--methods", "rungekutta"], "there is no method 'rungekutta'"),
        (["--methods", "hht:index7"], "there is no formulation 'index7'"),
        (["--tol", "1e-3:zero"], "write a number"),
    ] {
        let output = cardan(&folder, &[&["compare", "model.toml"][..], &arguments[..]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
}
