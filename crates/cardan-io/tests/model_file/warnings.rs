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
