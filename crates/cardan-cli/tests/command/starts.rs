//! What is said and kept before a run and at its start: settings, sizes, what assembly changed, reactions that are not unique.

use crate::*;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The pendulum with other settings.
fn with(settings: &str) -> String {
    let (model, _) = PENDULUM.split_once("[simulation]").unwrap();
    format!("{model}[simulation]\n{settings}\n")
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&out(output)).unwrap()
}

#[test]
fn check_and_run_refuse_the_same_settings_and_show_their_place() {
    let place = Place::new("settings");
    for (settings, says) in [
        ("t_end = 1\noutput_interval = 0", "swing.toml:22:19"),
        ("t_end = 1\noutput_interval = -1", "the time between samples must be positive"),
        ("t_end = 1\noutput_interval = 1e-15", "does not resolve"),
        ("t_end = 0", "the end time must be positive"),
        ("t_end = 1\ntolerance = 1e9", "the tolerance must be between 0 and 1"),
        ("t_end = 1\nfirst_step = -1", "the first step must be positive"),
        ("t_end = 1\nlargest_step = 0", "the largest step must be positive"),
        ("t_end = 1\nthreads = 0", "threads"),
        ("t_end = 1\nmethod = \"bdf\"\nmax_order = 12", "between 1 and 5"),
        ("t_end = 1\nmethod = \"euler-explicit\"", "does not estimate its error"),
    ] {
        place.file("swing.toml", &with(settings));
        for command in ["check", "run"] {
            let refused = place.run(&[command, "swing.toml"]);
            assert_eq!(code(&refused), 3, "{command} {settings}: {}", err(&refused));
            assert!(err(&refused).contains(says) && err(&refused).contains("swing.toml:"), "{command} {settings}: {}", err(&refused));
        }
    }
    assert!(!place.0.join("swing-results").exists());
    place.file("swing.toml", PENDULUM);
    for time in ["-1", "nan", "inf"] {
        let refused = place.run(&["modes", "swing.toml", "--at", time]);
        assert!(code(&refused) == 2 && err(&refused).contains("must not be negative"), "{}", err(&refused));
    }
}

#[test]
fn the_command_line_is_checked_and_completes_the_file() {
    let place = Place::new("overrides");
    place.file("swing.toml", &with("method = \"euler-explicit\""));
    for (arguments, expected, says) in [
        (vec!["--t-end", "0", "--step", "0.01"], 2, "positive"),
        (vec!["--t-end", "1", "--step", "0"], 2, "positive"),
        (vec!["--t-end", "nan", "--step", "0.01"], 2, "positive"),
        (vec!["--t-end", "inf", "--step", "0.01"], 2, "positive"),
        (vec!["--t-end", "1", "--tol", "7"], 2, "between 0 and 1"),
        (vec!["--t-end", "1", "--tol", "1e-3"], 3, "fixed step"),
        (vec!["--t-end", "1", "--step", "1e-17"], 3, "does not resolve"),
        (vec!["--t-end", "1", "--step", "0.01", "--threads", "0"], 2, "threads"),
        (vec!["--t-end", "1", "--step", "0.0001"], 0, "completed"),
    ] {
        let run = place.run(&[&["run", "swing.toml"], &arguments[..]].concat());
        assert_eq!(code(&run), expected, "{arguments:?}: {}", err(&run));
        assert!(err(&run).contains(says), "{arguments:?}: {}", err(&run));
    }
}

#[test]
fn results_are_only_replaced_by_a_run_that_started() {
    let place = Place::new("kept");
    place.file("swing.toml", PENDULUM);
    assert_eq!(code(&place.run(&["run", "swing.toml", "--quiet"])), 0);
    let contents = |name: &str| std::fs::read(place.0.join("swing-results").join(name)).unwrap();
    let files = ["results.parquet", "model.toml", "run.json", "report.html"];
    let before = files.map(contents);
    let rod =
        "\n[bodies.ground.markers.far]\nposition = [9, 0, 0]\n[joints.rod]\nkind = \"rod\"\ni = \"bob\"\nj = \"ground.far\"\nlength = 1\n";
    let apart = format!("{PENDULUM}{rod}");
    for (text, expected) in [
        (with("t_end = 1\noutput_interval = 0"), 3),
        (with("t_end = 1\nmethod = \"euler-explicit\""), 3),
        (with("t_end = 1e6\noutput_interval = 1e-6"), 3),
        (apart, 4),
    ] {
        place.file("swing.toml", &text);
        let run = place.run(&["run", "swing.toml", "--json"]);
        assert_eq!(code(&run), expected, "{}", err(&run));
        assert_eq!(json(&run)["status"], "failed");
        assert!(!err(&run).contains("results are in"), "{}", err(&run));
        assert!(files.map(contents) == before, "{}", err(&run));
    }
}

#[test]
fn a_run_that_writes_too_much_says_so_first() {
    let place = Place::new("large");
    place.file("swing.toml", &with("t_end = 1\noutput_interval = 1e-10"));
    let run = place.run(&["run", "swing.toml"]);
    assert_eq!(code(&run), 3);
    assert!(err(&run).contains("GB: 1e10 samples of") && err(&run).contains("--large"), "{}", err(&run));
    let check = place.run(&["check", "swing.toml"]);
    assert!(code(&check) == 0 && out(&check).contains("warning: the run would write about"), "{}", out(&check));
    let fine = place.run(&["run", "swing.toml", "--set", "length=1", "--t-end", "1e-8"]);
    assert_eq!(code(&fine), 0, "{}", err(&fine));
}

#[cfg(unix)]
#[test]
fn one_interruption_is_enough_amid_the_samples_of_a_step() {
    let place = Place::new("amid");
    place.file("swing.toml", &with("t_end = 10\nstep = 5\noutput_interval = 1e-9").replace("-9.81", "0"));
    let child = place.command(&["run", "swing.toml", "--large", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(20));
    assert_eq!(code(&output), 130, "{}", err(&output));
    let (summary, table) = (json(&output), cardan_io::results::read(&place.0.join("swing-results")).unwrap());
    assert_eq!((summary["status"].as_str(), summary["steps"].as_u64()), (Some("interrupted"), Some(0)));
    assert_eq!(table.column("time").unwrap().last().copied(), summary["t"].as_f64());
}

#[test]
fn long_lists_of_events_are_shortened_on_the_screen_only() {
    let place = Place::new("events");
    place.file("swing.toml", &format!("{PENDULUM}\n[events.wave]\nfunction = \"SIN(60*TIME)\"\naction = \"record\"\n"));
    let run = place.run(&["run", "swing.toml", "--json"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let events = json(&run)["events"].as_array().unwrap().len();
    assert!(events > 10);
    let said = err(&run).lines().filter(|line| line.contains("event")).count();
    assert_eq!(said, 7, "{}", err(&run));
    assert!(err(&run).contains(&format!("{events} in all")), "{}", err(&run));
}

#[test]
fn changed_velocities_and_moved_bodies_are_said() {
    let place = Place::new("changed");
    let text = PENDULUM.replace("position = [\"length\", 0, 0]", "position = [\"length\", 0, 0]\nvelocity = [3, 1, 0]");
    place.file("swing.toml", &text);
    // The hinge is at the origin: the bob can only move across the rod, with its rotation.
    let run = place.run(&["run", "swing.toml", "--json"]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let change = &json(&run)["initial_velocities"];
    assert!((change["kinetic_energy_given"].as_f64().unwrap() - 10.0).abs() < 1e-9, "{change}");
    assert!(change["kinetic_energy_used"].as_f64().unwrap() < 1.0, "{change}");
    assert_eq!(change["changed"][0]["body"], "bob");
    assert!(err(&run).contains("10.0 J of kinetic energy given") && err(&run).contains("'bob' by 3.00 m/s"), "{}", err(&run));
    assert!(out(&place.run(&["check", "swing.toml"])).contains("10.0 J of kinetic energy given"));
    let fits = text.replace("velocity = [3, 1, 0]", "velocity = [0, 1, 0]\nangular_velocity = 1");
    place.file("swing.toml", &fits);
    let run = place.run(&["run", "swing.toml", "--json"]);
    assert!(json(&run)["initial_velocities"].is_null() && !err(&run).contains("warning"), "{}", err(&run));
    // A joint whose markers are two metres apart.
    let apart = PENDULUM.replace("between = [\"bob\", \"ground\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]", "i = \"bob\"\nj = \"ground\"");
    place.file("swing.toml", &apart.replace("length = \"1 m\"", "length = \"2 m\""));
    for command in ["run", "statics", "check"] {
        let said = place.run(&[command, "swing.toml"]);
        let text = format!("{}{}", out(&said), err(&said));
        assert!(text.contains("warning: bodies were moved to close the joints: 'bob' by 2.00 m"), "{command}: {text}");
    }
}

/// A door on two hinges: the share of the hinges is not unique.
const DOOR: &str = r#"
gravity = [0, 0, -9.81]
[bodies.door]
mass = 20
inertia = [3, 3, 1]
position = [0.4, 0, 1]
angular_velocity = [0, 0, 1]
velocity = [0, 0.4, 0]
[joints.low]
kind = "revolute"
between = ["door", "ground"]
at = [0, 0, 0.2]
axis = [0, 0, 1]
[joints.high]
kind = "revolute"
between = ["door", "ground"]
at = [0, 0, 1.8]
axis = [0, 0, 1]
[simulation]
t_end = 0.2
"#;

#[test]
fn what_reads_a_share_of_redundant_joints_is_named() {
    let place = Place::new("shares");
    place.file("door.toml", DOOR);
    let check = out(&place.run(&["check", "door.toml"]));
    assert!(check.contains("the motion does not depend on them") && !check.contains("warning"), "{check}");
    let sensor = "[sensors.load]\nfunction = \"FZ(low)\"\n[sensors.across]\nfunction = \"FX(low) + FX(high)\"\n";
    place.file("door.toml", &format!("{DOOR}{sensor}"));
    let check = out(&place.run(&["check", "door.toml"]));
    assert!(check.contains("sensor 'load' reads the reaction of 'low'"), "{check}");
    assert!(check.contains("the motion does not depend on them"), "{check}");
    let friction = "[forces.rub]\nkind = \"joint-friction\"\njoint = \"high\"\nstatic = 0.2\ndynamic = 0.2\nradius = 0.01\n";
    place.file("door.toml", &format!("{DOOR}{friction}"));
    let check = out(&place.run(&["check", "door.toml"]));
    assert!(
        check.contains("friction 'rub' reads the reaction of 'high'") && check.contains("the motion depends on that choice"),
        "{check}"
    );
    assert!(check.contains("the motion depends on how they share the load") && !check.contains("does not depend"), "{check}");
    let run = place.run(&["run", "door.toml", "--json"]);
    assert!(json(&run)["warnings"].to_string().contains("'rub'") && err(&run).contains("'rub'"), "{}", err(&run));
}

/// A four-bar of spatial bodies: forces in its plane are unique, those across it are not.
#[test]
fn readings_of_unique_parts_are_not_warned_of() {
    let place = Place::new("unique");
    let bar = |name: &str, x: f64, y: f64| format!("[bodies.{name}]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [{x}, {y}, 0]\n");
    let pin = |name: &str, a: &str, b: &str, at: &str| {
        format!("[joints.{name}]\nkind = \"revolute\"\nbetween = [\"{a}\", \"{b}\"]\nat = {at}\naxis = [0, 0, 1]\n")
    };
    let text = [
        "gravity = [0, -9.81, 0]\n".to_string(),
        bar("left", 0.0, 0.5),
        bar("top", 1.0, 1.2),
        bar("right", 2.0, 0.7),
        pin("a", "left", "ground", "[0, 0, 0]"),
        pin("b", "left", "top", "[0, 1, 0]"),
        pin("c", "top", "right", "[2, 1.4, 0]"),
        pin("d", "right", "ground", "[2, 0, 0]"),
        "[sensors.along]\nfunction = \"FX(b) + FY(c) + 1*TZ(a)\"\n[sensors.across]\nfunction = \"FZ(b)\"\n".into(),
        "[forces.brake]\nkind = \"force\"\nalong = \"rotation\"\ni = \"left\"\nj = \"ground\"\nfunction = \"-0.01*FM(a)*WZ(left)\"\n"
            .into(),
        "[simulation]\nt_end = 0.1\n".into(),
    ];
    place.file("four.toml", &text.concat());
    let check: Value = serde_json::from_str(&out(&place.run(&["check", "four.toml", "--json"]))).unwrap();
    let warnings: Vec<&str> = check["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].starts_with("force 'brake' reads the reaction of 'a'") && warnings[0].contains("the motion depends on that choice")
    );
    assert!(warnings[1].starts_with("sensor 'across' reads the reaction of 'b'"), "{warnings:?}");
}
