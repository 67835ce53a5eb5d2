//! Dimensions of functions: mistakes with their places, and what must pass.

use crate::{bad, documented, good};
use cardan_io::model_file::load;
use std::path::{Path, PathBuf};

const MODEL: &str = r#"
[parameters]
speed = "60 rpm"
stiffness = "200 N/m"
heavy = "5 kg"
plain = 3

[bodies.bar]
mass = "2 kg"
inertia = [0.1, 0.1, 0.1]

[bodies.cart]
mass = "1 kg"
inertia = [0.1, 0.1, 0.1]

[joints.hinge]
kind = "revolute"
between = ["bar", "ground"]
at = [0, 0, 0]

[joints.slide]
kind = "translational"
between = ["cart", "ground"]
at = [0, 0, 0]

[splines.road]
x = ["0 m", "1 m", "2 m"]
y = ["0 mm", "20 mm", "0 mm"]

[splines.bare]
x = [0, 1, 2]
y = [0, 1, 0]

[states.way]
function = "VX(cart) + 0 m/s"

[variables.gap]
function = "DZ(cart) - 0.1"
"#;

fn motion(joint: &str, key: &str, text: &str) -> String {
    format!("{MODEL}[motions.it]\njoint = \"{joint}\"\n{key} = \"{text}\"\n")
}

fn force(along: &str, text: &str) -> String {
    format!("{MODEL}[forces.it]\nkind = \"force\"\ni = \"cart\"\nj = \"ground\"\nalong = \"{along}\"\nfunction = \"{text}\"\n")
}

fn sensor(text: &str) -> String {
    format!("{MODEL}[sensors.it]\nfunction = \"{text}\"\n")
}

/// One mistake, marked at this part of the text, in these words.
#[track_caller]
fn wrong(source: &str, place: &str, words: &str) {
    let problems = bad(source);
    assert_eq!(problems.list.len(), 1, "{problems}");
    let (marked, text) = (&source[problems.list[0].span.clone()], problems.to_string());
    assert_eq!(marked, place, "{text}");
    assert!(text.contains(words), "{text}");
}

#[test]
fn a_motion_that_is_a_speed_is_shown_with_what_was_meant() {
    wrong(&motion("hinge", "function", "60 rpm"), "60 rpm", "a motion of a rotation is an angle (rad), but this is a value in rad/s");
    assert!(bad(&motion("hinge", "function", "60 rpm")).to_string().contains("did you mean '60 rpm * TIME'?"));
    wrong(&motion("hinge", "function", "speed"), "speed", "did you mean 'speed * TIME'?");
    wrong(&motion("slide", "function", "60 rpm * TIME"), "60 rpm * TIME", "is a length (m), but this is an angle (rad)");
    wrong(&motion("hinge", "velocity", "30 deg"), "30 deg", "the velocity of a rotation is a value in rad/s");
    wrong(&motion("slide", "acceleration", "3 m/s"), "3 m/s", "the acceleration of a translation");
    wrong(&motion("slide", "velocity", "STEP(TIME, 0 m, 0, 1, 2 m/s)"), "0 m", "x, x0 and x1 of STEP");
}

#[test]
fn forces_and_torques_are_in_their_units() {
    wrong(&force("line", "50 mm"), "50 mm", "a force is a value in N, but this is a length (m)");
    wrong(&force("line", "heavy*DX(cart)"), "heavy*DX(cart)", "a force is a value in N, but this is a value in kg*m");
    wrong(&force("line", "3 N*SIN(TIME)*DX(cart)"), "3 N*SIN(TIME)*DX(cart)", "a force is");
    wrong(&force("rotation", "5 N"), "5 N", "a torque is a value in N*m, but this is a value in N");
    wrong(&force("line", "stiffness*VARVAL(gap)*2 s/m + 3 N"), "3 N", "cannot be added");
    wrong(&force("line", "IMPACT(DX(cart), DX(cart), 1 mm, 1e5, 1, 10, 0.1)"), "DX(cart)", "xdot of IMPACT is the rate of x");
    wrong(&force("line", "BISTOP(DX(cart), VX(cart), 1 mm, 2 kg, 1e5, 1, 10, 0.1)"), "2 kg", "limits");
    wrong(&force("line", "IMPACT(DX(cart), VX(cart), 0, stiffness, 1, 5 kg, 1 mm)"), "5 kg", "cmax*xdot of IMPACT");
}

#[test]
fn sums_comparisons_and_arguments_go_together() {
    for (text, place, words) in [
        ("AZ(bar) + 3 kg", "3 kg", "a value in kg cannot be added to an angle (rad)"),
        ("DX(cart) - 3 s", "3 s", "a time (s) cannot be subtracted from a length (m)"),
        ("DX(cart) + VX(cart)", "VX(cart)", "a value in m/s cannot be added to a length (m)"),
        ("IF(DX(cart) > 3 s, 1, 0)", "3 s", "compared"),
        ("IF(TIME - 1: 3 m, 0, 2 kg)", "2 kg", "the cases of IF"),
        ("MAX(DX(cart), 0, 2 N)", "2 N", "the arguments of MAX must be of one dimension"),
        ("SIN(heavy*TIME)", "heavy*TIME", "the argument of SIN is an angle or a pure number"),
        ("EXP(3 m)", "3 m", "the argument of EXP is a pure number"),
        ("ATAN2(DX(cart), 1 s)", "1 s", "ATAN2"),
        ("2**(3 m)", "(3 m)", "an exponent"),
        ("HAVSIN(DX(cart), 0, 1 m, 1 m, 2 N)", "2 N", "h0 and h1 of HAVSIN"),
        ("SHF(TIME, 0, 3 m, 2 m/s, 0, 0)", "2 m/s", "w*(x - x0) of SHF"),
        ("POLY(TIME, 0 s, 1 m, 2 m/s, 3 m/s)", "3 m/s", "the terms of POLY"),
        ("AKISPL(3 s, 0, road)", "3 s", "x of the spline road is a length (m)"),
        ("AKISPL(DX(cart), 0, road) + 3 s", "3 s", "a length (m)"),
        ("DIF(way) + 3 N", "3 N", "a length (m)"),
        ("VARVAL(gap) + 3 N", "3 N", "a length (m)"),
        ("DIF1(way) - DX(cart)", "DX(cart)", "a value in m/s"),
    ] {
        wrong(&sensor(text), place, words);
    }
    let source = format!("{}unit = \"N\"\n", sensor("VX(cart)"));
    wrong(&source, "N", "which is not a multiple of N");
    let event = format!("{MODEL}[events.it]\nfunction = \"DX(cart) - 3 s\"\n");
    wrong(&event, "3 s", "event 'it'");
    let block = format!("{MODEL}[blocks.it]\nkind = \"sum\"\ninputs = [\"DX(cart)\", \"VX(cart)\"]\n");
    assert!(bad(&block).to_string().contains("the signals do not go together"));
    let motor = "kind = \"dc-motor\"\nvoltage = \"12 V\"\nspeed = \"AZ(bar)*1 rad\"\nresistance = 1\ntorque_constant = 1";
    assert!(bad(&format!("{MODEL}[blocks.it]\n{motor}\n")).to_string().contains("'speed' of a block of kind dc-motor"));
}

#[test]
fn a_mistake_in_a_variable_is_said_once_and_there() {
    let source = sensor("VARVAL(sum)").replace("[variables.gap]", "[variables.sum]\nfunction = \"DX(cart) + 3 s\"\n\n[variables.gap]");
    wrong(&source, "3 s", "variable 'sum'");
}

#[test]
fn plain_numbers_and_parameters_without_a_unit_fit_everywhere() {
    for text in [
        "200*DX(cart)",
        "DX(cart)",
        "plain*DX(cart) - 0.5*VX(cart)",
        "stiffness*(0.3 - DX(cart)) - 2*VX(cart)",
        "stiffness*DX(cart) + heavy*9.81",
        "heavy*9.81 m/s^2*SIN(3*TIME)",
        "SIN(TIME)",
        "TIME",
        "5 N*(1 + TIME)",
        "STEP(TIME, 0, 0, 1, 20 N)",
        "IMPACT(DX(cart), VX(cart), 1 mm, 1e5, 1.5, 10, 0.1 mm)",
        "IMPACT(DX(cart), VX(cart), 1 mm, stiffness, 1, 3 N*s/m, 0.1 mm)",
        "200*AKISPL(DX(cart), 0, road) + LINSPL(DX(cart), 0, bare)",
        "stiffness*DIF(way)",
        "1 N*EXP(-TIME/0.3)",
        "1 N*EXP(-TIME/(0.3 s))",
        "-heavy*ACCX(cart)",
        "SQRT(stiffness*heavy)*VX(cart)",
        "stiffness*AZ(bar)*1 m",
    ] {
        good(&force("line", text)).compile().unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    for text in
        ["speed*TIME", "TIME", "plain", "30 deg*SIN(speed*TIME)", "2*PI*TIME", "STEP5(TIME, 0, 0, 2 s, 90 deg)", "POLY(TIME, 0, 0, 1, 3)"]
    {
        good(&motion("hinge", "function", text)).compile().unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    for (joint, key, text) in
        [("hinge", "velocity", "60 rpm"), ("hinge", "velocity", "speed*STEP(TIME, 0, 0, 1, 1)"), ("slide", "acceleration", "3 m/s^2")]
    {
        good(&motion(joint, key, text)).compile().unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

#[test]
fn motions_say_what_they_need() {
    let two = motion("hinge", "function", "TIME") + "velocity = \"60 rpm\"\n";
    assert!(bad(&two).to_string().contains("needs one of function, velocity and acceleration"));
    let start = motion("hinge", "function", "TIME") + "initial_displacement = \"10 deg\"\n";
    assert!(bad(&start).to_string().contains("its function gives where it starts"));
    let length = motion("hinge", "velocity", "60 rpm") + "initial_displacement = \"10 mm\"\n";
    wrong(&length, "\"10 mm\"", "initial_displacement of 'it' is an angle (rad), but this is a length (m)");
    let speed = motion("slide", "acceleration", "1 m/s^2") + "initial_velocity = \"10 mm\"\n";
    wrong(&speed, "\"10 mm\"", "initial_velocity of 'it' is a value in m/s");
    crate::writing::round_trip(&(motion("slide", "acceleration", "1 m/s^2") + "initial_velocity = \"10 mm/s\"\n"));
    crate::writing::round_trip(&(motion("hinge", "velocity", "60 rpm") + "initial_displacement = \"90 deg\"\n"));
}

#[test]
fn factors_of_couplers_have_units_that_fit_their_coordinates() {
    let coupler = |slide: &str, hinge: &str| {
        let terms = format!("{{ joint = \"slide\", factor = {slide} }}, {{ joint = \"hinge\", factor = {hinge} }}");
        format!("{MODEL}[couplers.rack]\nkind = \"coupler\"\nterms = [{terms}]\n")
    };
    let plain = good(&coupler("1", "-0.02")).compile().unwrap();
    let radius = good(&coupler("1", "\"-20 mm\"")).compile().unwrap();
    assert_eq!(crate::residuals(&plain), crate::residuals(&radius));
    good(&coupler("\"-50 m^-1\"", "1"));
    good(&coupler("-50", "\"1 rad/rad\""));
    wrong(&coupler("1", "\"20 kg\""), "\"20 kg\"", "adds lengths or angles");
    wrong(&coupler("\"2 rad/m\"", "\"20 mm\""), "\"20 mm\"", "coupler 'rack' adds");
    let offset = coupler("1", "\"20 mm\"") + "offset = \"3 mm\"\n";
    good(&offset).compile().unwrap();
    wrong(&offset.replace("3 mm", "3 s"), "\"3 s\"", "a time (s)");
    crate::writing::round_trip(&offset);
}

#[test]
fn columns_of_a_spline_are_of_one_dimension() {
    wrong(&MODEL.replace("\"20 mm\"", "\"20 s\""), "\"20 s\"", "spline 'road'");
}

/// All model files below a folder.
fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            models(&entry, out);
        } else if entry.extension().is_some_and(|end| end == "toml") {
            out.push(entry);
        }
    }
}

#[test]
fn no_model_that_is_right_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    models(&root.join("gallery"), &mut all);
    models(&root.join("crates/cardan-papers/src/models"), &mut all);
    assert!(all.len() > 24, "{}", all.len());
    for path in all {
        load(&path, &[])
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
            .compile()
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    for source in documented() {
        good(source).compile().unwrap_or_else(|e| panic!("{e}"));
    }
}
