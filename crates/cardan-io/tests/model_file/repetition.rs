//! Repetitions.

use crate::{bad, documented, good};
use std::time::Instant;

#[test]
fn a_chain_of_links_is_written_out() {
    let document = good(documented()[3]);
    let model = &document.model;
    assert_eq!((model.bodies().len(), model.joints().len()), (101, 100));
    assert!((model.bodies()[100].position.x - 4.975).abs() < 1e-12);
    let first = &model.markers()[model.joints()[0].j.index()];
    assert_eq!(model.bodies()[first.body.index()].name, "ground");
    let last = &model.markers()[model.joints()[99].j.index()];
    assert_eq!(model.bodies()[last.body.index()].name, "link99");
    document.compile().unwrap();
}

#[test]
fn repetitions_nest_and_fill_functions() {
    let source = "
        [[repeat]]
        index = \"i\"
        count = 2
        [[repeat.repeat]]
        index = \"k\"
        from = 1
        to = \"i + 1\"
        [repeat.repeat.bodies.\"b{i}_{k}\"]
        kind = \"point\"
        mass = \"1 + i\"
        [repeat.repeat.sensors.\"s{i}_{k}\"]
        function = \"{2*k} * DX(b{i}_{k == 1 ? {k} : {k - 1}})\"
    ";
    let model = good(source).model;
    let names: Vec<&str> = model.bodies()[1..].iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["b0_1", "b1_1", "b1_2"]);
    let functions: Vec<&str> = model.sensors().iter().map(|s| s.function.as_str()).collect();
    assert_eq!(functions, ["2 * DX(b0_1)", "2 * DX(b1_1)", "4 * DX(b1_1)"]);
}

#[test]
fn repetitions_define_numbers() {
    let source = "
        [parameters]
        pitch = \"20 mm\"
        [[repeat]]
        index = \"k\"
        count = 3
        [repeat.let]
        way = \"k*pitch\"
        half = \"way/2\"
        [repeat.bodies.\"b{k}\"]
        kind = \"point\"
        mass = 1
        position = [\"way\", \"half\", 0]
        [repeat.sensors.\"s{k}\"]
        function = \"DX(b{k}) - {way}\"
    ";
    let model = good(source).model;
    assert!((model.bodies()[3].position - cardan::math::Vec3::new(0.04, 0.02, 0.0)).norm() < 1e-15);
    assert_eq!(model.sensors()[2].function, "DX(b2) - 0.04");
    let text = bad(&source.replace("way/2", "woy/2")).to_string();
    assert_eq!(text.matches("Error").count(), 1, "{text}");
    assert!(text.contains("no parameter 'woy'") && text.contains("did you mean 'way'"), "{text}");
    let text = bad(&source.replace("way = ", "time = ")).to_string();
    assert!(text.contains("'time' cannot be the name of a parameter"), "{text}");
    assert!(bad(&source.replace("\"way\", \"half\"", "\"way*way\", 0")).to_string().contains("wrong dimension"));
}

#[test]
fn what_is_wrong_in_a_repetition_is_said_once() {
    let source = documented()[3].replace("mass_per_length", "mas_per_length");
    let text = bad(&source).to_string();
    assert_eq!(text.matches("Error").count(), 1, "{text}");
    assert!(text.contains("did you mean 'mass_per_length'?"), "{text}");
    let text = bad(&documented()[3].replace("link{k-1}", "lonk{k-1}")).to_string();
    assert!(text.contains("there is no body 'lonk1'") && text.contains("did you mean 'link1'?"), "{text}");
    let text = bad(&documented()[3].replace("\"link{k}\", ", "\"link{j}\", ")).to_string();
    assert!(text.contains("no parameter 'j'") && text.contains("k = 1"), "{text}");
    assert!(bad("[[repeat]]\nindex = \"k\"\n").to_string().contains("'to' or 'count'"));
    assert!(bad("[[repeat]]\nindex = \"k\"\nto = 1e12\n").to_string().contains("too many"));
}

#[test]
fn ten_thousand_links_are_read_quickly() {
    let source = documented()[3].replace("n = 100", "n = 10000");
    let start = Instant::now();
    assert_eq!(good(&source).model.joints().len(), 10_000);
    let time = start.elapsed().as_secs_f64();
    println!("{time} s");
    assert!(time < 5.0, "{time} s");
    let start = Instant::now();
    assert_eq!(bad(&source.replace("link{k-1}", "lonk{k-1}")).list.len(), 1);
    assert!(start.elapsed().as_secs_f64() < 5.0);
}
