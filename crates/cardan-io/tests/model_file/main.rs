#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
//! Model files: what they give, what they say when something is wrong, and that they are written as they are read.

mod battery;
mod contacts;
mod dimensions;
mod numbers;
mod problems;
mod random_text;
mod reading;
mod repetition;
mod schema;
mod settings;
mod warnings;
mod writing;

use cardan::math::random::Random;
use cardan::system::{State, System, Work};
use cardan_io::model_file::{Document, Problems, load_str};
use std::path::Path;

fn read(source: &str) -> Result<Document, Problems> {
    load_str(source, "model.toml", Path::new(""), &[])
}

#[track_caller]
fn good(source: &str) -> Document {
    read(source).unwrap_or_else(|problems| panic!("{problems}"))
}

#[track_caller]
fn bad(source: &str) -> Problems {
    read(source).expect_err("a problem")
}

/// The examples of the documentation.
fn documented() -> Vec<&'static str> {
    let text = include_str!("../../../../docs/model-file.md");
    text.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

const PENDULUM: &str = r##"
name = "pendulum"
gravity = [0, "-9.81 m/s^2", 0]

[parameters]
length = "500 mm"
half = "length/2"

[bodies.rod]
mass = 1.5
inertia = ["10 kg*cm^2", "1.5 kg * length^2/12", 0.03125]
position = ["half", 0, 0]
shape = { kind = "box", size = ["length", "1 cm", "1 cm"], color = "#4477aa" }

[bodies.rod.markers.tip]
position = ["half", 0, 0]
orientation = { axis = [0, 0, 1], angle = "90 deg" }

[joints.pin]
kind = "revolute"
between = ["rod", "ground"]
at = [0, 0, 0]
axis = [0, 0, 1]

[forces.spring]
kind = "spring-damper"
i = "rod.tip"
j = "ground"
stiffness = "20 N/m"
damping = 0.5

[simulation]
t_end = "2 s"
tolerance = 1e-6
"##;

/// Residuals of a system at some states: f = Gᵀλ − Q, Φ and Φ̇, and the rates of differential states.
fn residuals(system: &System) -> Vec<f64> {
    let mut random = Random::new(7);
    let mut number = || random.range(-0.3, 0.3);
    let mut work = Work::new(system);
    let mut out = Vec::new();
    for _ in 0..3 {
        let start = system.initial();
        let delta: Vec<f64> = (0..system.nv()).map(|_| number()).collect();
        let mut x = State { t: 0.7, ..start.clone() };
        system.retract(&start.q, &delta, &mut x.q);
        x.v = (0..system.nv()).map(|_| number()).collect();
        x.lambda = (0..system.rows()).map(|_| number()).collect();
        let at = system.evaluate(&x, &mut work);
        out.extend(at.f().iter().chain(at.phi()).chain(at.phi_dot()).chain(at.rates()).chain(&x.x).copied());
    }
    out
}
