#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
//! Model files: what they give, and what they say when something is wrong.

use cardan::bodies::Kind;
use cardan_io::model_file::{Document, Problems, load_str, write};
use std::path::Path;

fn read(source: &str) -> Result<Document, Problems> {
    load_str(source, "model.toml", Path::new(""), &[])
}

fn good(source: &str) -> Document {
    read(source).unwrap_or_else(|problems| panic!("{problems}"))
}

fn bad(source: &str) -> String {
    read(source).unwrap_err().to_string()
}

const PENDULUM: &str = r##"
name = "pendulum"
gravity = [0, -9.81, 0]

[parameters]
length = 0.5
half = "length/2"

[bodies.rod]
mass = 1.5
inertia = [1e-3, "1.5*length^2/12", 0.03125]
position = ["half", 0, 0]
shape = { kind = "box", size = ["length", 0.01, 0.01], color = "#4477aa" }

[bodies.rod.markers.tip]
position = ["half", 0, 0]
orientation = { axis = [0, 0, 1], angle = "PI/2" }

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

[simulation]
t_end = 2
tolerance = 1e-6
"##;

#[test]
fn a_pendulum_is_read_as_written() {
    let document = good(PENDULUM);
    let model = &document.model;
    assert_eq!(model.name(), "pendulum");
    let rod = &model.bodies()[1];
    assert_eq!((rod.name.as_str(), rod.shape.mass(), rod.position.x), ("rod", 1.5, 0.25));
    let names: Vec<&str> = model.markers().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["rod.tip", "rod.pin", "ground.pin", "ground.origin"]);
    assert_eq!(model.markers()[1].position.x, -0.25);
    assert_eq!(document.simulation.t_end, Some(2.0));
    assert_eq!(document.graphics[0].0, "rod");
    let system = document.compile().unwrap();
    let results = document.simulation.simulation(&system).unwrap().run(0.1).unwrap();
    assert!(results.samples.len() > 2);
}

#[test]
fn problems_show() {
    let text = bad(&PENDULUM.replace("stiffness", "stifness").replace("rod.tip", "rod.tap").replace("revolute", "revolut"));
    println!("{text}");
    let text = bad(&PENDULUM.replace("rod.tip", "rod.tap").replace("\"ground\"]", "\"grund\"]"));
    println!("{text}");
    let text = bad(&PENDULUM.replace("\"length/2\"", "\"lenght/2 +\"").replace("[0, -9.81, 0]", "[0, 1]"));
    println!("{text}");
    let text = bad("");
    println!("{text}");
}

#[test]
fn shows() {
    println!("{}", write(&good(PENDULUM)).unwrap());
}
