//! `cardan run`: what it writes and says, also when it fails or is ended.

use crate::*;
use cardan_io::results::read;
use std::process::Stdio;
use std::time::Duration;

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
    let arguments = ["run", "swing.toml", "--t-end", "1e6", "--step", "1e-3", "--quiet", "--large"];
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
    let child = place.command(&["run", "swing.toml", "--t-end", "1e6", "--step", "1e-3", "--json", "--large"]);
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
fn a_driven_run_tells_where_its_energy_came_from() {
    let place = Place::new("driven");
    place.file("driven.toml", &format!("{PENDULUM}output_interval = 0.02\n[motions.crank]\njoint = \"pin\"\nfunction = \"TIME**2\"\n"));
    let run = place.run(&["run", "driven.toml", "--json"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let line = err(&run).lines().find(|line| line.contains("energy: ")).unwrap().to_string();
    assert!(line.contains("0 J stored at the start") && line.contains("motions +") && line.contains("unaccounted"), "{line}");
    let summary: Value = serde_json::from_str(&out(&run)).unwrap();
    let energy = &summary["energy"];
    // ½ (J + m l²) ω² + m g l sin 1.
    let end = 0.5 * 2.01 * 4.0 + 2.0 * 9.81 * 1f64.sin();
    assert!((energy["motions"].as_f64().unwrap() - end).abs() < 1e-3 * end, "{energy}");
    assert!(energy["worst"]["relative"].as_f64().unwrap().abs() < 1e-3, "{energy}");
    assert_eq!((&energy["elements"][0]["name"], &energy["elements"][0]["through"]), (&"crank".into(), &"motion".into()));
}

#[test]
fn a_run_tells_its_energies_and_a_failed_function_its_values() {
    let place = Place::new("energies");
    place.file("swing.toml", PENDULUM);
    let run = place.run(&["run", "swing.toml"]);
    assert!(err(&run).contains("  energy: 0 J, kept to "), "{}", err(&run));
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
