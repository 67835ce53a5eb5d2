//! `cardan statics`, `modes`, `linearize` and `kinematics`.

use crate::*;
use cardan_io::results::read;

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
