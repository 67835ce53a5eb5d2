//! What is written reads back to the same model, and is written the same again.

use crate::{PENDULUM, documented, good, residuals};
use cardan::prelude::*;
use cardan_io::model_file::{Document, WriteError, write};

/// Through both ways of writing: the tables of the file, and the tables made from the model.
#[track_caller]
pub(crate) fn round_trip(source: &str) {
    let first = good(source);
    let system = first.compile().unwrap_or_else(|e| panic!("{e}"));
    let expected = residuals(&system);
    assert!(expected.iter().all(|x| x.is_finite()), "{source}");
    let mut from_model = Document::from_model(first.model.clone());
    from_model.graphics = first.graphics.clone();
    from_model.simulation = first.simulation.clone();
    for document in [&first, &from_model] {
        let text = write(document).unwrap();
        let again = good(&text);
        assert_eq!(residuals(&again.compile().unwrap()), expected, "{text}");
        assert_eq!(again.graphics, first.graphics);
        assert_eq!(again.simulation, first.simulation);
        assert_eq!(write(&again).unwrap(), text);
        let mut lifted = Document::from_model(again.model.clone());
        lifted.graphics = again.graphics.clone();
        lifted.simulation = again.simulation.clone();
        assert_eq!(write(&lifted).unwrap(), write(&from_model).unwrap());
    }
}

#[test]
fn examples_are_written_as_they_are_read() {
    round_trip(PENDULUM);
    documented().into_iter().for_each(round_trip);
}

#[test]
fn a_file_is_written_in_si_and_readably() {
    let text = write(&good(PENDULUM)).unwrap();
    let expected = r##"name = "pendulum"
gravity = [0, -9.81, 0]

[parameters]
length = 0.5
half = 0.25

[simulation]
t_end = 2
tolerance = 1e-6

[bodies.rod]
mass = 1.5
inertia = [0.001, 0.03125, 0.03125]
shape = { kind = "box", size = [0.5, 0.01, 0.01], color = "#4477aa" }
position = [0.25, 0, 0]

[bodies.rod.markers.tip]
position = [0.25, 0, 0]
orientation = { axis = [0, 0, 1], angle = 1.5707963267948966 }

[joints.pin]
kind = "revolute"
between = ["rod", "ground"]
at = [0, 0, 0]
axis = [0, 0, 1]

[forces.spring]
kind = "spring-damper"
i = "rod.tip"
j = "ground"
stiffness = 20
damping = 0.5
"##;
    assert_eq!(text, expected);
}

#[test]
fn names_that_need_quotes_get_them() {
    round_trip(
        "[bodies.\"a b.ü\"]\nmass = 1\ninertia = [1, 1, 1]\n[bodies.\"a b.ü\".markers.\"x y\"]\n\
         [joints.\"j \\\" 1\"]\nkind = \"spherical\"\ni = \"a b.ü.x y\"\nj = \"ground\"\n",
    );
}

#[test]
fn models_built_in_code_are_written_unless_they_hold_closures() {
    let mut model = Model::new("code");
    let body = model.add_body(Body::planar("disk", 2.0, 0.1).at([1.0, 0.0, 0.0]));
    let (a, b) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(body).at([0.1, 0.0, 0.0])));
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    let pin = model.add_joint(Joint::new("pin", Revolute, b, ground));
    model.add_force(SpringDamper::new("spring", a, ground).stiffness(3.0).free_length(0.4));
    let document = Document::from_model(model.clone());
    let again = good(&write(&document).unwrap());
    assert_eq!(residuals(&again.compile().unwrap()), residuals(&document.compile().unwrap()));
    model.add_constraint(Motion::rotation("drive", pin, TimeFunction::new(|t| t)));
    model.add_force(SingleForce::new("push", a, ground, Line::Between, |_, s, _| s));
    let error = write(&Document::from_model(model)).unwrap_err();
    assert_eq!(error, WriteError::Functions(vec!["motion 'drive'".into(), "force 'push'".into()]));
}
