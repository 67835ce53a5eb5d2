//! Commands that look at models and results: check, show, new, plot, report, tables.

use crate::*;

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
