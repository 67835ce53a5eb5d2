//! What is allowed but probably not meant.

use crate::{PENDULUM, good};
use cardan_io::model_file::lint;

fn warnings(source: &str) -> Vec<String> {
    lint(&good(source)).list.into_iter().map(|p| p.message).collect()
}

#[test]
fn a_sound_model_has_no_warnings() {
    let sound = PENDULUM.replace("\"1 cm\", \"1 cm\"", "\"2 cm\", \"2 cm\"");
    assert_eq!(warnings(&sound), Vec::<String>::new());
}

#[test]
fn implausible_models_are_warned_about() {
    for (old, new, message) in [
        ("\"1 cm\", \"1 cm\"", "\"1 mm\", \"1 mm\"", "mean density of 3.000e6"),
        ("\"10 kg*cm^2\"", "1e-10", "almost no inertia"),
        ("gravity = [0, \"-9.81 m/s^2\", 0]", "", "no gravity"),
        ("\"-9.81 m/s^2\"", "-9810", "gravity is 9810"),
        ("position = [\"half\", 0, 0]\nshape", "position = [500, 0, 0]\nshape", "500 m away"),
        ("\"20 N/m\"", "\"20e6 MN/m\"", "rad/s"),
        ("half = ", "unused = 3\nhalf = ", "nothing uses parameter 'unused'"),
        ("[joints.pin]", "[bodies.rod.markers.spare]\n[joints.pin]", "nothing uses marker 'rod.spare'"),
        ("[joints.pin]", "[bodies.loose]\nkind = \"point\"\nmass = 1e-9\n[joints.pin]", "nothing connects body 'loose'"),
        ("[joints.pin]", "[bodies.loose]\nkind = \"point\"\nmass = 1e-9\n[joints.pin]", "by more than a million"),
    ] {
        assert!(PENDULUM.contains(old), "{old}");
        let all = warnings(&PENDULUM.replace(old, new));
        assert!(all.iter().any(|text| text.contains(message)), "{message}: {all:?}");
    }
}

#[test]
fn markers_and_parameters_of_functions_are_used() {
    let source = PENDULUM.replace("half = ", "spare = 3\nhalf = ").replace("[joints.pin]", "[bodies.rod.markers.spot]\n[joints.pin]");
    let source = format!("{source}\n[sensors.s]\nfunction = \"Spare*DX(rod.spot, ground)\"\n");
    assert!(warnings(&source).iter().all(|text| !text.contains("nothing uses")), "{:?}", warnings(&source));
}

#[test]
fn everything_that_holds_a_body_connects_it() {
    let bodies = "gravity = [0, 0, 0]\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.a.markers.m]\nposition = [1, 0, 0]\n\
        [bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.b.markers.m]\nposition = [1, 0, 0]\n";
    let loose = |elements: &str| -> Vec<String> {
        let all = warnings(&format!("{bodies}{elements}"));
        all.into_iter().filter(|text| text.contains("nothing connects")).map(|text| text.split('\'').nth(1).unwrap().into()).collect()
    };
    let function = |text: &str| format!("[constraints.f]\nkind = \"function\"\nfunction = \"{text}\"\n");
    assert_eq!(loose(""), ["a", "b"]);
    assert_eq!(loose(&function("DX(a.m) - 1 + DY(b)")), Vec::<String>::new());
    assert_eq!(loose(&function("DM(a.m, b.m) - 1")), ["a", "b"], "tied to each other, not to the ground");
    assert_eq!(loose(&function("DM(A.M, ground) - 1")), ["b"]);
    assert_eq!(loose(&function("DX(a.cm, b.origin, ground)")), Vec::<String>::new());
    let by_variable = format!("[variables.v]\nfunction = \"DX(a.m) + DX(b.m)\"\n{}", function("VARVAL(v) - 1"));
    assert_eq!(loose(&by_variable), Vec::<String>::new());
    let joints = "[joints.ja]\nkind = \"revolute\"\nbetween = [\"a\", \"ground\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n\
        [bodies.c]\nmass = 1\ninertia = [1, 1, 1]\n\
        [joints.bc]\nkind = \"revolute\"\nbetween = [\"b\", \"c\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n";
    assert_eq!(loose(joints), ["b", "c"]);
    let geared = format!("{joints}[couplers.g]\nkind = \"gear\"\njoints = [\"ja\", \"bc\"]\nradii = [1, 2]\n");
    assert_eq!(loose(&geared), Vec::<String>::new());
}
