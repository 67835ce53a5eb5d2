//! Arrays: elements by number, as lists of signals, in loops; mistakes.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::prelude::*;

/// A mass at rest beside what the test adds.
fn beside(build: impl FnOnce(&mut Model)) -> Model {
    let mut model = Model::new("signals");
    model.add_body(Body::point("mass", 1.0));
    build(&mut model);
    model
}

/// The channels of some names at the end of a run.
fn run<const N: usize>(model: &Model, t_end: f64, names: [&str; N]) -> [f64; N] {
    let system = System::new(model).unwrap_or_else(|error| panic!("{error}"));
    let results = Simulation::new(&system).tolerance(1e-6).run(t_end).unwrap();
    let mut channels = Channels::new(&system);
    let mut row = vec![0.0; channels.list().len()];
    channels.fill(&system, results.samples.last().unwrap(), &mut row);
    names.map(|name| row[channels.index(name).unwrap()])
}

#[test]
fn elements_of_arrays_are_read_by_their_number() {
    let model = beside(|m| {
        m.set_parameter("last", 3.0);
        m.add_array(Array::values("gains", [2.0, -0.5, 10.0]));
        m.add_array(Array::functions("readings", ["TIME", "DX(mass) + 3", "ARYVAL(gains, 2)*ARYVAL(readings, 1)"]));
        m.add_sensor(Sensor::new("sum", "ARYVAL(Gains, 1)*ARYVAL(readings, 2) + ARYVAL(readings, last)"));
        let system = Block::new("state-space", "s").set("inputs", ["readings", "7"]).set("a", vec![vec![0.0]]);
        let system = system.set("b", vec![vec![0.0, 0.0, 0.0, 0.0]]).set("c", vec![vec![0.0]]);
        m.add_block(system.set("d", vec![vec![1.0, 10.0, 100.0, 1000.0]]));
        m.add_block(Block::new("gain", "g").set("input", "ARYVAL(gains, last)*s").set("gain", 1.0));
    });
    let found = run(&model, 2.0, ["sum", "s", "g"]);
    let expected = [2.0 * 3.0 - 1.0, 2.0 + 30.0 - 100.0 + 7000.0, 10.0 * (2.0 + 30.0 - 100.0 + 7000.0)];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn elements_of_arrays_may_read_each_other_in_a_loop() {
    let model = beside(|m| {
        m.add_array(Array::functions("y", ["1 + 0.5*ARYVAL(y, 2)", "TIME - ARYVAL(y, 1)"]));
        m.add_sensor(Sensor::new("first", "ARYVAL(y, 1)"));
    });
    assert!((run(&model, 3.0, ["first"])[0] - 2.5 / 1.5).abs() < 1e-9);
}

#[test]
fn mistakes_with_arrays_are_named() {
    let said = |function: &str| {
        let model = beside(|m| {
            m.add_array(Array::values("gains", [1.0, 2.0]));
            m.add_sensor(Sensor::new("wrong", function));
        });
        System::new(&model).unwrap_err().to_string()
    };
    assert!(said("ARYVAL(gains, 3)").contains("array gains has the elements 1 to 2, not 3"), "{}", said("ARYVAL(gains, 3)"));
    assert!(said("ARYVAL(gains, 0)").contains("1 to 2, not 0"));
    assert!(said("ARYVAL(gain, 1)").contains("there is no array called gain") && said("ARYVAL(gain, 1)").contains("gains"));
    assert!(said("ARYVAL(gains, 1.5)").contains("whole number"));
    let model = beside(|m| {
        m.add_array(Array::values("gains", [1.0, 2.0]));
        m.add_block(Block::new("gain", "g").set("input", "gains").set("gain", 1.0));
    });
    let error = System::new(&model).unwrap_err().to_string();
    assert!(error.contains("gains is an array; write ARYVAL(gains, k) with k from 1 to 2"), "{error}");
    let empty = beside(|m| m.add_array(Array::values("none", [])));
    assert!(System::new(&empty).unwrap_err().to_string().contains("array 'none' needs elements"));
}
