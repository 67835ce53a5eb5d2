//! What is said when something is wrong.

use crate::{PENDULUM, bad, good, read};

/// The pendulum with a piece replaced.
fn with(old: &str, new: &str) -> String {
    assert!(PENDULUM.contains(old), "{old}");
    PENDULUM.replace(old, new)
}

#[test]
fn unknown_keys_markers_and_kinds_are_shown_together_with_suggestions() {
    let source = with("stiffness", "stifness").replace("rod.tip", "rod.tap").replace("revolute", "revolut");
    let expected = "\
Error: 'revolut' is not known in joints.pin
    ╭─[ model.toml:20:8 ]
    │
 20 │ kind = \"revolut\"
    │        ────┬────
    │            ╰────── not known
    │
    │ Help: did you mean 'revolute'?
    │
    │ Note: known: fixed, revolute, spherical, translational, cylindrical, planar, universal, constant-velocity, screw, rod, in-line, in-plane, parallel-axes, perpendicular-axes, same-orientation, angle
────╯
Error: there is no marker 'rod.tap'
    ╭─[ model.toml:27:5 ]
    │
 27 │ i = \"rod.tap\"
    │     ────┬────
    │         ╰────── not known
    │
    │ Help: did you mean 'rod.tip'?
────╯
Error: unknown key 'stifness' in forces.spring
    ╭─[ model.toml:29:1 ]
    │
 29 │ stifness = \"20 N/m\"
    │ ────┬───
    │     ╰───── not known here
    │
    │ Help: did you mean 'stiffness'?
    │
    │ Note: known here: kind, i, j, stiffness, damping, free_length, preload, implicit
────╯
";
    assert_eq!(bad(&source).to_string(), expected);
}

#[test]
fn a_value_of_the_wrong_dimension_is_marked() {
    let expected = "\
Error: forces.spring.stiffness has the wrong dimension
    ╭─[ model.toml:29:13 ]
    │
 29 │ stiffness = \"20 N*m\"
    │             ────┬───
    │                 ╰───── expected a value in N/m, found a value in N*m
────╯
";
    assert_eq!(bad(&with("20 N/m", "20 N*m")).to_string(), expected);
}

#[test]
fn the_mark_stands_under_the_wrong_part_of_an_expression() {
    let problems = bad(&with("\"length/2\"", "\"ü + lenght/2\"").replace("\"500 mm\"", "'500 mmm'"));
    let place = |k: usize| &problems.source[problems.list[k].span.clone()];
    assert_eq!(problems.list.len(), 2, "{problems}");
    assert!(problems.list[0].message.contains("mmm"), "{problems}");
    assert_eq!(place(1), "ü", "{problems}");
    let problems = bad(&with("\"half\", 0, 0]\nshape", "\"\"\"half*\n  hlaf\"\"\", 0, 0]\nshape"));
    assert_eq!(&problems.source[problems.list[0].span.clone()], "hlaf", "{problems}");
    assert_eq!(problems.list[0].help.as_deref(), Some("did you mean 'half'?"));
}

#[test]
fn functions_are_marked_too() {
    let source = format!(
        "{PENDULUM}\n[sensors.s]\nfunction = \"DX(rod.tip) + VM(rod.tup, ground)\"\nunit = \"kg\"\n[events.e]\nfunction = \"DX(rod.tip) +\"\n"
    );
    let problems = bad(&source);
    let marks: Vec<&str> = problems.list.iter().map(|p| &source[p.span.clone()]).collect();
    assert!(marks.contains(&"rod.tup"), "{problems}");
    assert!(problems.to_string().contains("did you mean"), "{problems}");
    assert!(problems.list.iter().any(|p| p.message.contains("event 'e'")), "{problems}");
}

#[test]
fn missing_keys_and_wrong_types_are_named() {
    for (source, message) in [
        (with("kind = \"revolute\"\n", ""), "'kind' is missing in joints.pin"),
        (with("i = \"rod.tip\"\n", ""), "'i' is missing in forces.spring"),
        (with("mass = 1.5\n", "mass = true\n"), "expected a number or an expression, found a boolean"),
        (with("mass = 1.5\n", "mass = [1]\n"), "found an array"),
        (with("mass = 1.5\n", "mass = inf\n"), "expected a finite number"),
        (with("mass = 1.5\n", "mass = -1.5\n"), "the mass must be positive"),
        (with("[0, \"-9.81 m/s^2\", 0]", "[0, 1]"), "gravity must be a list of 3"),
        (with("\"10 kg*cm^2\"", "10"), "no mass distribution has this inertia"),
        (with("at = [0, 0, 0]\n", ""), "joint 'pin' needs 'at'"),
        (with("axis = [0, 0, 1]\n\n[forces", "axis = [0, 0, 0]\n[forces"), "its axis has no direction"),
        (with("{ axis = [0, 0, 1], angle = \"90 deg\" }", "{ axis = [0, 0, 1] }"), "an orientation is one of"),
        (with("[forces.spring]", "[bodies.ground]\nmass = 3\n[forces.spring]"), "only markers, shapes and graphics"),
        (with("markers.tip]", "markers.cm]"), "every body has a marker 'cm' already"),
        (with("between = [\"rod\", \"ground\"]", "between = [\"rod\", \"rod\"]"), "there are two marker elements called 'rod.pin'"),
        (
            with("[forces.spring]", "[motions.m]\njoint = \"pin\"\ncoordinate = \"translation\"\nfunction = 0\n[forces.spring]"),
            "has no translation",
        ),
        (with("[parameters]\n", "[parameters]\ntime = 2\n"), "'time' cannot be the name of a parameter: functions read it as the time"),
        (with("tolerance = 1e-6", "method = \"hth\""), "did you mean 'hht'?"),
        (with("[simulation]", "[simulations]"), "did you mean 'simulation'?"),
        (with("t_end = \"2 s\"", "t_end = \"2 m\""), "expected a value in s"),
    ] {
        let text = bad(&source).to_string();
        assert!(text.contains(message), "{message}: {text}");
    }
}

#[test]
fn all_mistakes_of_syntax_are_reported() {
    let problems = bad("a = = 1\n[bodies.x\nmass = 1\nb = \"unclosed\n");
    assert!(problems.list.len() >= 3, "{problems}");
}

#[test]
fn what_the_engine_finds_is_shown_at_its_element() {
    let source = "[bodies.a]\nkind = \"planar\"\nmass = 1\ninertia = 1\nmarkers.up = { position = [0, 0, 1] }\n\
                  [joints.j]\nkind = \"spherical\"\ni = \"a.up\"\nj = \"ground\"\n";
    let problems = good(source).compile().unwrap_err();
    assert_eq!(&source[problems.list[0].span.clone()], "j", "{problems}");
    assert!(problems.to_string().contains("can never be met"));
}

#[test]
fn what_refers_to_something_broken_is_not_reported_again() {
    for (old, new) in [("mass = 1.5\n", "mas = 1.5\n"), ("\"500 mm\"", "\"500 mmm\""), ("inertia = [", "inertia = [1, ")] {
        let problems = bad(&with(old, new));
        assert!(problems.list.len() <= 2, "{problems}");
        assert!(
            !problems.to_string().contains("there is no parameter") && !problems.to_string().contains("there is no marker"),
            "{problems}"
        );
    }
}

#[test]
fn problems_at_the_end_and_in_empty_places_can_be_shown() {
    for source in
        ["[", "a", "\"", "[bodies.ü", "x = \"ü", "[parameters]\na = \"\"", "[parameters]\na = \"(\"", "\u{feff}[parameters]\na=\"1 +\""]
    {
        let problems = read(source).unwrap_err();
        assert!(!problems.to_string().is_empty());
        assert!(problems.list.iter().all(|p| source.get(p.span.clone()).is_some()), "{source}");
    }
}

#[test]
fn joints_say_what_they_lack() {
    for (keys, expected) in [
        ("between = [\"rod\", \"ground\"]", "joint 'x' needs 'at', its place in the world"),
        ("at = [0, 0, 0]", "joint 'x' needs 'between', the two bodies"),
        ("i = \"rod.tip\"", "joint 'x' needs 'j', the other marker"),
        ("", "joint 'x' needs 'i' and 'j', or 'between' and 'at'"),
        ("i = \"rod.tip\"\nj = \"ground\"\nat = [0, 0, 0]", "joint 'x' may have either 'i' and 'j', or 'between' and 'at', not both"),
    ] {
        let problems = bad(&format!("{PENDULUM}\n[joints.x]\nkind = \"spherical\"\n{keys}\n"));
        assert_eq!(problems.list[0].message, expected, "{problems}");
    }
}

#[test]
fn lists_of_the_wrong_length_units_and_unknown_names_say_what_is_known() {
    let wrong = "[bodies.b]\nmass = 1\ninertia = [1, 1]\n[bodies.c]\nmass = \"3 kgg\"\ninertia = [1, 1, 1]\n\
        [motions.m]\njoint = \"elbow\"\nfunction = \"TIME\"\n[sensors.s]\nfunction = \"2 +* TIME\"\n";
    let problems = bad(&format!("{PENDULUM}\n{wrong}"));
    let text = problems.to_string();
    assert!(text.contains("expected 3 or 6 numbers, found 2"), "{text}");
    assert!(text.contains("there is no unit kgg") && text.contains("expected a unit"), "{text}");
    assert!(text.contains("there is no joint 'elbow'") && text.contains("Note: known: pin"), "{text}");
    assert!(text.contains("sensor 's', function: unexpected operator"), "syntax is checked whatever else is wrong: {text}");
}

#[test]
fn mistakes_with_arrays_are_marked_where_they_are() {
    let text = bad(&format!("{PENDULUM}\n[arrays.none]\n")).to_string();
    assert!(text.contains("array 'none' needs either values or functions"), "{text}");
    let text = bad(&format!("{PENDULUM}\n[arrays.readings]\nfunctions = [\"TIME\", \"3*SINE(TIME)\"]\n")).to_string();
    assert!(text.contains("functions = [\"TIME\", \"3*SINE(TIME)\"]") && text.contains("SINE") && text.contains("did you mean"), "{text}");
    let text = bad(&format!("{PENDULUM}\n[arrays.gains]\nvalues = [1, 2]\n[sensors.gain]\nfunction = \"ARYVAL(gains, 3)\"\n")).to_string();
    assert!(text.contains("array gains has the elements 1 to 2, not 3"), "{text}");
}
