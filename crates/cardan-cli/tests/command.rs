//! The command as people and programs use it: exit codes, streams, files, interruption.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan_io::results::read;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const PENDULUM: &str = r#"
name = "swing"
gravity = [0, -9.81, 0]

[parameters]
length = "1 m"

[bodies.bob]
kind = "planar"
mass = 2
inertia = 0.01
position = ["length", 0, 0]

[joints.pin]
kind = "revolute"
between = ["bob", "ground"]
at = [0, 0, 0]
axis = [0, 0, 1]

[simulation]
t_end = 1
tolerance = 1e-6
"#;

/// A folder of its own for a test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cardan-command-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardan"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn saved(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_run_writes_its_folder_and_one_json_object() {
    let place = Place::new("run");
    place.file("swing.toml", PENDULUM);
    let run = place.run(&["run", "swing.toml", "--json", "--output", "csv,parquet"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let summary: Value = serde_json::from_str(&out(&run)).unwrap();
    for key in [
        "model",
        "method",
        "formulation",
        "status",
        "t_end",
        "steps",
        "rejected",
        "newton_iterations",
        "jacobians",
        "factorizations",
        "wall_seconds",
        "setup_seconds",
        "equations",
        "dof",
        "redundant",
        "max_constraint_violation",
        "energy",
        "final",
    ] {
        assert!(!summary[key].is_null(), "{key} is missing");
    }
    assert_eq!((summary["model"].as_str(), summary["status"].as_str()), (Some("swing"), Some("completed")));
    assert_eq!((summary["dof"].as_u64(), summary["equations"].as_u64()), (Some(1), Some(5)));
    let folder = place.0.join("swing-results");
    for name in ["results.csv", "results.parquet", "run.json", "model.toml", "report.html"] {
        assert!(folder.join(name).metadata().unwrap().len() > 0, "{name}");
    }
    assert_eq!(saved(&folder.join("run.json")), summary);
    let (csv, parquet) = (read(&folder.join("results.csv")).unwrap(), read(&folder.join("results.parquet")).unwrap());
    assert_eq!(csv, parquet);
    // The last sample is the end, and what the summary says about it.
    let y = parquet.column("bob.position.y").unwrap().last().copied().unwrap();
    assert_eq!(summary["final"]["bob.position.y"].as_f64(), Some(y));
    assert_eq!(parquet.column("time").unwrap().last(), Some(&1.0));
    // Gravity pulls with 2·9.81 N on the average of the reaction; at the start the pin carries m g J/(J + m l²).
    let first = parquet.column("pin.force.y").unwrap()[0];
    assert!((first - 2.0 * 9.81 * 0.01 / 2.01).abs() < 1e-9, "{first}");
}

#[test]
fn options_replace_what_the_model_says() {
    let place = Place::new("options");
    place.file("swing.toml", PENDULUM);
    let arguments =
        ["run", "swing.toml", "--json", "--quiet", "--out", "there", "--method", "gen-alpha", "--step", "0.01", "--t-end", "0.5"];
    let run = place.run(&[&arguments[..], &["--formulation", "index2", "--set", "length=300 mm"]].concat());
    assert_eq!((code(&run), err(&run)), (0, String::new()));
    let summary: Value = serde_json::from_str(&out(&run)).unwrap();
    let words = ["method", "formulation"].map(|key| summary[key].as_str().unwrap().to_string());
    assert_eq!((words, summary["steps"].as_u64()), (["gen-alpha".into(), "index2".into()], Some(50)));
    let table = read(&place.0.join("there")).unwrap();
    assert!((table.column("bob.position.x").unwrap()[0] - 0.3).abs() < 1e-12);
}

#[test]
fn every_class_of_failure_has_its_code() {
    let place = Place::new("codes");
    place.file("swing.toml", PENDULUM);
    place.file("unknown.toml", &PENDULUM.replace("mass = 2", "mas = 2"));
    place.file("endless.toml", &PENDULUM.replace("t_end = 1", ""));
    let apart =
        "\n[bodies.ground.markers.far]\nposition = [9, 0, 0]\n[joints.rod]\nkind = \"rod\"\ni = \"bob\"\nj = \"ground.far\"\nlength = 1\n";
    place.file("apart.toml", &format!("{PENDULUM}{apart}"));
    for (arguments, expected, says) in [
        (vec!["run"], 2, "MODEL"),
        (vec!["run", "swing.toml", "--tol", "1e-3", "--step", "0.1"], 2, "cannot be used with"),
        (vec!["run", "swing.toml", "--method", "magic"], 2, "magic"),
        (vec!["run", "swing.toml", "--tol=-1"], 2, "positive"),
        (vec!["nonsense"], 2, "nonsense"),
        (vec!["run", "nowhere.toml"], 1, "nowhere.toml"),
        (vec!["run", "unknown.toml"], 3, "mas"),
        (vec!["check", "unknown.toml"], 3, "mas"),
        (vec!["run", "endless.toml"], 3, "--t-end"),
        (vec!["run", "apart.toml"], 4, "rod"),
        (vec!["check", "apart.toml"], 4, "rod"),
        (vec!["plot", "nowhere", "x"], 1, "nowhere"),
    ] {
        let run = place.run(&arguments);
        assert_eq!(code(&run), expected, "{arguments:?}: {}", err(&run));
        assert!(err(&run).contains(says), "{arguments:?}: {}", err(&run));
        assert!(out(&run).is_empty(), "messages are for stderr: {}", out(&run));
    }
}

#[test]
fn a_run_that_fails_keeps_its_results_and_says_why() {
    let place = Place::new("fails");
    let push = "\n[bodies.ground.markers.pivot]\nposition = [0, 0, 0]\n[forces.push]\nkind = \"vector-force\"\ni = \"bob\"\nj = \"ground.pivot\"\n\
                x = \"SQRT(0.5 - TIME)\"\ny = \"0\"\nz = \"0\"\n";
    place.file("broken.toml", &format!("{PENDULUM}{push}"));
    let run = place.run(&["run", "broken.toml", "--json"]);
    assert_eq!(code(&run), 5, "{}", err(&run));
    let summary: Value = serde_json::from_str(&out(&run)).unwrap();
    assert_eq!(summary["status"], "failed");
    assert!(summary["error"].as_str().unwrap().contains("push") && summary["hints"].as_array().unwrap().len() == 3);
    assert_eq!(err(&run).matches("try: ").count(), 3, "{}", err(&run));
    let table = read(&place.0.join("broken-results")).unwrap();
    let reached = *table.column("time").unwrap().last().unwrap();
    assert!((reached - 0.5).abs() < 0.02, "{reached}");
    assert!(place.0.join("broken-results/report.html").exists());
}

#[test]
fn data_goes_to_stdout_and_messages_to_stderr() {
    let place = Place::new("streams");
    place.file("swing.toml", PENDULUM);
    let run = place.run(&["run", "swing.toml"]);
    assert!(out(&run).is_empty() && err(&run).contains("completed") && err(&run).contains("swing-results"), "{}", err(&run));
    assert!(!err(&run).contains('\x1b'), "no colours or bars where nobody looks");
    let drawn = place.run(&["stability", "newmark", "--out", "region.svg"]);
    assert!(out(&drawn).contains("| newmark | 100 % | all | all | 1.00 |"), "{}", out(&drawn));
    assert!(std::fs::read_to_string(place.0.join("region.svg")).unwrap().contains("Re h λ"));
    for command in ["methods", "joints", "forces", "blocks", "functions", "units", "gallery", "schema"] {
        let table = place.run(&[command]);
        assert!(code(&table) == 0 && err(&table).is_empty() && out(&table).lines().count() > 3, "{command}: {}", err(&table));
    }
    assert!(out(&place.run(&["methods"])).contains("hht") && out(&place.run(&["forces"])).contains("spring-damper"));
    assert!(out(&place.run(&["completions", "bash"])).contains("_cardan"));
    let help = out(&place.run(&["--help"]));
    assert!(help.contains("Exit codes") && help.contains("130"), "{help}");
    let refused = place.command(&["run", "nowhere.toml"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!err(&refused).contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new("pipe");
    let mut child = place.command(&["functions"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && err(&output).is_empty(), "{}", err(&output));
}

#[test]
fn a_killed_run_leaves_readable_files() {
    let place = Place::new("killed");
    place.file("swing.toml", PENDULUM);
    let arguments = ["run", "swing.toml", "--t-end", "1e6", "--step", "1e-3", "--quiet"];
    for formats in ["csv", "parquet"] {
        let mut child = place.command(&[&arguments[..], &["--output", formats, "--out", formats]].concat()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(3500));
        child.kill().unwrap();
        child.wait().unwrap();
        let table = read(&place.0.join(formats)).unwrap();
        let time = table.column("time").unwrap();
        assert!(time.len() > 100, "{formats}: {} samples", time.len());
        assert!(time.windows(2).all(|w| w[1] > w[0]) && table.columns.iter().all(|c| c.len() == time.len()));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_cleanly() {
    let place = Place::new("interrupted");
    place.file("swing.toml", PENDULUM);
    let child = place.command(&["run", "swing.toml", "--t-end", "1e6", "--step", "1e-3", "--json"]);
    let child = { child }.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", err(&output));
    let summary: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(summary["status"], "interrupted");
    let table = read(&place.0.join("swing-results")).unwrap();
    assert_eq!(table.column("time").unwrap().last().copied(), summary["t"].as_f64());
    assert!(!place.0.join("swing-results/.results.parquet.next").exists());
}

#[test]
fn results_are_plotted_listed_and_reported_again() {
    let place = Place::new("plots");
    place.file("swing.toml", PENDULUM);
    place.run(&["run", "swing.toml", "--quiet"]);
    assert!(out(&place.run(&["plot", "swing-results"])).contains("pin.force.x"));
    for (name, start) in [("a.svg", &b"<svg"[..]), ("a.png", &b"\x89PNG"[..])] {
        let plot = place.run(&["plot", "swing-results", "bob.position.*", "pin.force.y", "--out", name]);
        assert_eq!(code(&plot), 0, "{}", err(&plot));
        assert!(std::fs::read(place.0.join(name)).unwrap().starts_with(start));
    }
    let plot = place.run(&["plot", "swing-results", "bob.position.y", "--against", "bob.position.x", "--out", "b.svg"]);
    assert!(code(&plot) == 0 && std::fs::read_to_string(place.0.join("b.svg")).unwrap().contains("bob.position.x [m]"));
    let wrong = place.run(&["plot", "swing-results", "bob.positon.x"]);
    assert!(code(&wrong) == 2 && err(&wrong).contains("did you mean 'bob.position.x'"), "{}", err(&wrong));
    std::fs::remove_file(place.0.join("swing-results/report.html")).unwrap();
    assert_eq!(code(&place.run(&["report", "swing-results"])), 0);
    assert!(place.0.join("swing-results/report.html").exists());
}

#[test]
fn models_are_checked_shown_and_begun() {
    let place = Place::new("models");
    place.file("swing.toml", PENDULUM);
    let check: Value = serde_json::from_str(&out(&place.run(&["check", "swing.toml", "--json"]))).unwrap();
    assert_eq!((check["dof"].as_u64(), check["mass"].as_f64()), (Some(1), Some(2.0)));
    assert!(out(&place.run(&["check", "swing.toml"])).contains("1 degree"));
    let expanded = out(&place.run(&["show", "swing.toml", "--expand"]));
    place.file("expanded.toml", &expanded);
    let again: Value = serde_json::from_str(&out(&place.run(&["check", "expanded.toml", "--json"]))).unwrap();
    assert_eq!(again["dof"], check["dof"]);
    assert!(out(&place.run(&["show", "swing.toml"])).contains("revolute"));
    assert!(out(&place.run(&["gallery", "pendulum"])).contains("endulum"));
    assert_eq!(code(&place.run(&["gallery", "perpetuum-mobile"])), 2);
    assert_eq!(code(&place.run(&["new", "mine", "--from", "pendulum"])), 0);
    assert_eq!(code(&place.run(&["new", "mine"])), 2, "what is there is not overwritten");
    let check: Value = serde_json::from_str(&out(&place.run(&["check", "mine/model.toml", "--json"]))).unwrap();
    assert_eq!(check["model"], "mine");
}

#[test]
fn files_that_cannot_be_read_are_not_mistakes_of_the_model() {
    let place = Place::new("unreadable");
    std::fs::write(place.0.join("latin.toml"), b"name = \"\xff\"").unwrap();
    for (path, why) in [("none.toml", "no such file"), (".", "folder"), ("latin.toml", "UTF-8")] {
        for command in ["check", "run", "show"] {
            let failed = place.run(&[command, path]);
            assert!(code(&failed) == 1 && err(&failed).contains(why), "{command} {path}: {}", err(&failed));
        }
    }
}

#[test]
fn mistakes_are_listed_for_programs() {
    let place = Place::new("mistakes");
    place.file("wrong.toml", &PENDULUM.replace("mass", "mas").replace("revolute", "revolut"));
    let check = place.run(&["check", "wrong.toml", "--json"]);
    assert!(code(&check) == 3 && err(&check).starts_with("error: 3 mistakes in the model\n"), "{}", err(&check));
    let problems = serde_json::from_str::<Value>(&out(&check)).unwrap()["problems"].clone();
    assert_eq!((problems[1]["line"].as_u64(), problems[1]["column"].as_u64()), (Some(10), Some(1)), "{problems:#}");
    assert_eq!(problems[1]["help"], "did you mean 'mass'?");
    let replaced = place.file("swing.toml", PENDULUM);
    let check = place.run(&["check", replaced.to_str().unwrap(), "--set", "length=2 kg"]);
    assert!(code(&check) == 3 && err(&check).contains("expected a value in m, found one in kg"), "{}", err(&check));
    assert_eq!(err(&check).matches("Error").count(), 1, "{}", err(&check));
}

#[test]
fn notes_of_a_check_have_a_place_and_zero_gravity_is_no_mistake() {
    let place = Place::new("notes");
    let floating = PENDULUM.replace("gravity = [0, -9.81, 0]\n", "").replace("length = \"1 m\"", "length = \"1 m\"\nspare = 2");
    place.file("swing.toml", &floating);
    let text = out(&place.run(&["check", "swing.toml"]));
    assert!(text.starts_with("swing: 1 degree of freedom\n1 body, 1 constraint with 2 rows, 0 forces; 5 equations\n"), "{text}");
    assert!(text.contains("the model has no gravity") && text.contains("nothing uses parameter 'spare' (swing.toml:6:1)"), "{text}");
    place.file("swing.toml", &format!("gravity = [0, 0, 0]\n{floating}"));
    assert!(!out(&place.run(&["check", "swing.toml"])).contains("gravity"));
}

#[test]
fn redundant_constraints_are_told_by_joint() {
    let place = Place::new("redundant");
    place.run(&["new", "bars", "--from", "four-bar"]);
    let text = out(&place.run(&["check", "bars/model.toml"]));
    let line = text.lines().find(|line| line.starts_with("redundant: ")).unwrap();
    assert!(line.ends_with("; already held by a, b, c") && line.matches("rotation about").count() == 2, "{text}");
    assert_eq!(text.matches("redundant: ").count(), 1, "{text}");
}

#[test]
fn tables_name_the_keys_of_forces_and_markers_of_joints() {
    let place = Place::new("tables");
    let forces = out(&place.run(&["forces"]));
    assert!(forces.contains("spring-damper: ") && forces.contains("free_length") && forces.contains("N*s/m"), "{forces}");
    place.file("swing.toml", PENDULUM);
    assert!(out(&place.run(&["show", "swing.toml"])).contains("bob.pin – ground.pin"));
}

#[test]
fn a_run_tells_its_energies_and_a_failed_function_its_values() {
    let place = Place::new("energies");
    place.file("swing.toml", PENDULUM);
    let run = place.run(&["run", "swing.toml"]);
    assert!(err(&run).contains("  energy 0 J → "), "{}", err(&run));
    let sensors = "[forces.f]\nkind = \"force\"\ni = \"bob\"\nj = \"ground.far\"\nfunction = \"SQRT(0.5 - TIME)\"\n\
        [bodies.ground.markers.far]\nposition = [5, 5, 0]\n";
    place.file("root.toml", &format!("{PENDULUM}{sensors}"));
    let run = place.run(&["run", "root.toml"]);
    assert_eq!(code(&run), 5);
    let text = err(&run);
    assert!(text.contains("force 'f'") && text.contains("SQRT(0.5 - TIME)") && text.contains("t = 0.5"), "{text}");
    assert_eq!((text.matches("  try: ").count(), text.matches("check that function").count()), (3, 1), "{text}");
}

#[test]
fn a_format_given_twice_is_written_once_and_steps_are_positive() {
    let place = Place::new("twice");
    place.file("swing.toml", PENDULUM);
    assert_eq!(code(&place.run(&["run", "swing.toml", "--output", "csv,parquet,csv"])), 0);
    let csv = read(&place.0.join("swing-results/results.csv")).unwrap();
    assert_eq!(csv, read(&place.0.join("swing-results/results.parquet")).unwrap());
    let wrong = place.run(&["run", "swing.toml", "--step", "-1"]);
    assert!(code(&wrong) == 2 && err(&wrong).contains("it must be positive"), "{}", err(&wrong));
}

/// A mass on a spring, pulled by an input.
const OSCILLATOR: &str = r#"
name = "oscillator"
gravity = [0, 0, -10]

[bodies.mass]
kind = "point"
mass = 2

[joints.line]
kind = "in-line"
i = "mass"
j = "ground"

[forces.spring]
kind = "force"
along = "axis"
i = "mass"
j = "ground"
function = "-200*DZ(mass, ground) - 4*VZ(mass, ground)"

[sensors.height]
function = "DZ(mass, ground)"
unit = "mm"

[simulation]
t_end = 1
"#;

#[test]
fn statics_modes_and_linear_equations_of_a_mass_on_a_spring() {
    let place = Place::new("linear");
    place.file("spring.toml", OSCILLATOR);
    let rest = place.run(&["statics", "spring.toml", "--json", "--out", "rest.csv"]);
    assert_eq!(code(&rest), 0, "{}", err(&rest));
    let rest: Value = serde_json::from_str(&out(&rest)).unwrap();
    assert!((rest["channels"]["mass.position.z"].as_f64().unwrap() + 0.1).abs() < 1e-12, "{rest}");
    assert!((read(&place.0.join("rest.csv")).unwrap().column("height").unwrap()[0] + 100.0).abs() < 1e-9);
    let text = out(&place.run(&["statics", "spring.toml"]));
    assert!(text.contains("mass") && text.contains("-0.1 m") && text.contains("spring"), "{text}");

    let modes = place.run(&["modes", "spring.toml", "--out", "modes.json", "--report", "mode.html"]);
    assert_eq!(code(&modes), 0, "{}", err(&modes));
    assert!(err(&modes).contains("NOT at an equilibrium"), "{}", err(&modes));
    let mode = &saved(&place.0.join("modes.json"))["modes"][0];
    let expected = (100.0_f64 - 1.0).sqrt() / std::f64::consts::TAU;
    assert!((mode["frequency"].as_f64().unwrap() - expected).abs() < 1e-9, "{mode}");
    assert!((mode["damping_ratio"].as_f64().unwrap() - 0.1).abs() < 1e-9, "{mode}");
    assert!(place.0.join("mode.html").is_file());
    let settled = place.run(&["modes", "spring.toml", "--equilibrium"]);
    assert!(err(&settled).contains("at an equilibrium") && out(&settled).contains("0.1"), "{}", out(&settled));

    let arguments = ["linearize", "spring.toml", "--equilibrium", "--inputs", "spring", "--outputs", "height", "--out"];
    for file in ["linear.json", "linear.m", "linear.csv"] {
        let linear = place.run(&[&arguments[..], &[file]].concat());
        assert_eq!(code(&linear), 0, "{}", err(&linear));
    }
    let gain = static_gain(&saved(&place.0.join("linear.json")));
    assert!((gain - 1000.0 / 200.0).abs() < 1e-9, "{gain}");
    assert!(std::fs::read_to_string(place.0.join("linear.m")).unwrap().contains("A = ["));
    let wrong = place.run(&["linearize", "spring.toml", "--inputs", "sprong"]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("'sprong'") && err(&wrong).contains("spring"), "{}", err(&wrong));
}

/// −C A⁻¹ B of two states, one input and one output.
fn static_gain(linear: &Value) -> f64 {
    let number = |m: &str, r: usize, c: usize| linear[m][r][c].as_f64().unwrap();
    let determinant = number("A", 0, 0) * number("A", 1, 1) - number("A", 0, 1) * number("A", 1, 0);
    let b = [number("B", 0, 0), number("B", 1, 0)];
    let solved = [number("A", 1, 1) * b[0] - number("A", 0, 1) * b[1], number("A", 0, 0) * b[1] - number("A", 1, 0) * b[0]];
    -(number("C", 0, 0) * solved[0] + number("C", 0, 1) * solved[1]) / determinant
}

#[test]
fn inputs_of_the_model_keep_their_values_in_linear_equations() {
    let place = Place::new("linear-input");
    // At 2 the valve carries the weight, and its force grows by 20 N a unit.
    let source = OSCILLATOR.replace("- 4*VZ(mass, ground)", "- 4*VZ(mass, ground) + 5*INPUT(valve)**2");
    place.file("spring.toml", &format!("{source}\n[inputs.valve]\ninitial = 2\n"));
    let linear = place.run(&["linearize", "spring.toml", "--inputs", "valve", "--outputs", "height", "--out", "linear.json"]);
    assert_eq!(code(&linear), 0, "{}", err(&linear));
    assert!(err(&linear).contains("linearised at an equilibrium"), "{}", err(&linear));
    let gain = static_gain(&saved(&place.0.join("linear.json")));
    assert!((gain - 1000.0 * 20.0 / 200.0).abs() < 1e-9, "{gain}");
}

#[test]
fn a_steady_turn_is_said_to_be_no_equilibrium() {
    let place = Place::new("turn");
    let source = "[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\nvelocity = [0, 3, 0]\nangular_velocity = [0, 0, 3]\n\
                  [joints.pivot]\nkind = \"revolute\"\nbetween = [\"arm\", \"ground\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n";
    place.file("turn.toml", source);
    for command in ["modes", "linearize"] {
        let said = err(&place.run(&[command, "turn.toml"]));
        for part in ["NOT at an equilibrium", "'arm'", "by 9", "go round in circles"] {
            assert!(said.contains(part), "{command}: {said}");
        }
    }
}

#[test]
fn kinematics_writes_a_folder_or_says_what_is_free() {
    let place = Place::new("kinematics");
    place.file("swing.toml", PENDULUM);
    let free = place.run(&["kinematics", "swing.toml"]);
    assert_eq!(code(&free), 3);
    assert!(err(&free).contains("'bob'") && err(&free).contains("1 degree"), "{}", err(&free));
    place.file("driven.toml", &format!("{PENDULUM}\n[motions.drive]\njoint = \"pin\"\nfunction = \"2*TIME\"\n"));
    let driven = place.run(&["kinematics", "driven.toml", "--interval", "0.25"]);
    assert_eq!(code(&driven), 0, "{}", err(&driven));
    let results = read(&place.0.join("driven-results")).unwrap();
    assert_eq!(results.column("time").unwrap(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert!((results.column("bob.position.y").unwrap()[4] - 2.0_f64.sin()).abs() < 1e-12);
    assert!((results.column("bob.velocity.x").unwrap()[2] + 2.0 * 1.0_f64.sin()).abs() < 1e-12);
    assert!(place.0.join("driven-results/report.html").is_file());
}
