//! Numbers: units, dimensions, parameters.

use crate::{PENDULUM, bad, good};
use cardan_io::model_file::{Document, Problems, load_str};
use std::path::Path;

fn parameter(expression: &str) -> f64 {
    let document = good(&format!("[parameters]\na = \"2 mm\"\nn = 4\nx = \"{expression}\"\n"));
    document.parameters[2].1
}

#[test]
fn expressions_have_values() {
    for (text, value) in [
        ("120 mm", 0.12),
        ("2*a + 5 m", 5.004),
        ("n*a", 0.008),
        ("SQRT(a^2)", 0.002),
        ("SIN(30 deg)", 0.5),
        ("MAX(1, 2, n)", 4.0),
        ("IF(n > 3, 7, 8)", 7.0),
        ("IF(n - 4: 1, 2, 3)", 2.0),
        ("-2**2", -4.0),
        ("PI/4", std::f64::consts::FRAC_PI_4),
        ("60 rpm * 100 mm", 2.0 * std::f64::consts::PI * 0.1),
        ("STEP(n, 0, 0, 8, 1)", 0.5),
    ] {
        assert!((parameter(text) - value).abs() < 1e-15 * value.abs().max(1.0), "{text}: {} {value}", parameter(text));
    }
}

/// A body whose mass is given like this.
fn mass(text: &str) -> Result<Document, Problems> {
    let source = format!("[parameters]\nl = \"1 m\"\nany = 3\n[bodies.a]\nkind = \"point\"\nmass = \"{text}\"\n");
    load_str(&source, "model.toml", Path::new(""), &[])
}

#[test]
fn dimensions_are_checked() {
    for text in
        ["3", "3 kg", "3 g + 1", "any", "any*l", "2*3 kg", "any + 2 kg", "l/l*2 kg", "SQRT(4 kg^2)", "3 kg*SIN(1 rad)", "l^2/l^2*1 kg"]
    {
        assert!(mass(text).is_ok(), "{text}: {}", mass(text).unwrap_err());
    }
    for (text, message) in [
        ("3 mm", "expected a value in kg, found a value in m"),
        ("3 kg + l", "different dimensions"),
        ("2*l", "found a value in m"),
        ("l*l", "found a value in m^2"),
        ("SIN(l)", "must be an angle"),
        ("SQRT(l)", "no square root"),
        ("2^l", "exponent must be a pure number"),
        ("3 kgg", "kgg"),
        ("1/0", "not a finite number"),
        ("TIME", "only known during the run"),
        ("DX(a, b)", "only known during the run"),
        ("l > 2 kg", "different dimensions"),
    ] {
        let problems = mass(text).unwrap_err().to_string();
        assert!(problems.contains(message), "{text}: {problems}");
    }
}

#[test]
fn angles_that_si_leaves_out_fit() {
    let spring = |k: &str| {
        format!("{}\n[forces.s]\nkind = \"rotational-spring-damper\"\ni = \"rod\"\nj = \"ground\"\nstiffness = \"{k}\"\n", PENDULUM)
    };
    good(&spring("3 N*m/rad"));
    good(&spring("3 N*m"));
    good(&spring("2 N/m * length^2"));
    assert!(bad(&spring("3 N/m")).to_string().contains("expected a value in N*m/rad"));
}

#[test]
fn parameters_come_in_any_order_and_circles_are_named() {
    assert_eq!(good("[parameters]\na = \"b + 1\"\nb = \"c*2\"\nc = 3\n").parameters[0].1, 7.0);
    let text = bad("[parameters]\na = \"b + 1\"\nb = \"c\"\nc = \"a\"\nd = \"a\"\n").to_string();
    assert!(text.contains("a → b → c → a"), "{text}");
    assert_eq!(text.matches("Error").count(), 1, "{text}");
}

#[test]
fn overrides_replace_parameters() {
    let load = |set: &[(&str, &str)]| {
        let set: Vec<(String, String)> = set.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        load_str(PENDULUM, "model.toml", Path::new(""), &set)
    };
    assert_eq!(load(&[("length", "502 mm")]).unwrap().model.bodies()[1].position.x, 0.251);
    assert_eq!(load(&[("length", "0.3"), ("length", "2*half2")]).unwrap_err().list.len(), 1);
    let text = load(&[("lenght", "1 m")]).unwrap_err().to_string();
    assert!(text.contains("no parameter of that name") && text.contains("did you mean 'length'?"), "{text}");
    let text = load(&[("length", "3 kg")]).unwrap_err().to_string();
    assert!(text.contains("--set length=3 kg has the wrong dimension"), "{text}");
    assert_eq!(text.matches("Error").count(), 1, "{text}");
}

#[test]
fn elements_of_lists_are_read_by_number() {
    let list = |text: &str| format!("[parameters]\na = [1, \"2 mm\", \"3*b\"]\nb = 5\nx = \"{text}\"\n");
    for (text, value) in [("ARYVAL(a, 1)", 1.0), ("ARYVAL(a, 2)", 0.002), ("ARYVAL(a, b - 2)", 15.0), ("2*aryval(a, 1 + MOD(3, 3))", 2.0)] {
        let document = good(&list(text));
        assert_eq!(document.parameters.iter().find(|(name, _)| name == "x").unwrap().1, value, "{text}");
        assert_eq!(document.parameters.len(), 2, "lists are not numbers");
    }
    for (text, message) in [
        ("ARYVAL(a, 4)", "numbered from 1 to 3, there is no number 4"),
        ("ARYVAL(a, 0.5)", "there is no number 0.5"),
        ("ARYVAL(b, 1)", "there is no list 'b'"),
        ("ARYVAL(a)", "the name of a list and the number"),
        ("a", "'a' is a list; write ARYVAL(a, k)"),
        ("ARYVAL(a, 2) + 1 kg", "different dimensions"),
    ] {
        let problems = bad(&list(text)).to_string();
        assert!(problems.contains(message), "{text}: {problems}");
    }
    let replaced = load_str(&list("1"), "model.toml", Path::new(""), &[("a".into(), "3".into())]).unwrap_err().to_string();
    assert!(replaced.contains("'a' is a list"), "{replaced}");
    assert!(bad("[parameters]\na = [\"ARYVAL(a, 1)\"]\n").to_string().contains("in a circle"));
}
