//! What a file gives.

use crate::{PENDULUM, documented, good, read};
use cardan::bodies::Kind;
use cardan::math::Vec3;
use cardan_io::model_file::{LoadError, load};

#[test]
fn a_pendulum_is_read_as_written() {
    let document = good(PENDULUM);
    let model = &document.model;
    assert_eq!(model.name(), "pendulum");
    let rod = &model.bodies()[1];
    assert_eq!((rod.name.as_str(), rod.shape.mass(), rod.position.x), ("rod", 1.5, 0.25));
    let names: Vec<&str> = model.markers().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["tip", "pin", "pin", "origin"]);
    assert_eq!(model.markers()[1].position.x, -0.25);
    assert_eq!(document.simulation.t_end, Some(2.0));
    assert_eq!(document.graphics[0].0, "rod");
    let system = document.compile().unwrap();
    let results = document.simulation.simulation(&system).unwrap().run(0.1).unwrap();
    assert!(results.samples.len() > 2);
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let documents: Vec<_> = documented().into_iter().map(good).collect();
    assert_eq!(documents.len(), 4);
    assert_eq!(documents[0].model.name(), "four-bar");
    assert_eq!(documents[1].model.contacts().len(), 1);
    assert_eq!(documents[2].model.blocks().len(), 2);
    assert_eq!(documents[3].model.bodies().len(), 101);
}

#[test]
fn an_empty_file_is_an_empty_model() {
    assert_eq!(good("").model.name(), "model");
    assert!(good("\u{feff}# nothing\r\n").model.joints().is_empty());
}

#[test]
fn a_missing_file_is_a_problem() {
    let error = load("no/such/file.toml", &[]).unwrap_err();
    assert_eq!(error.to_string(), "no/such/file.toml: there is no such file");
}

fn orientation(text: &str) -> cardan::math::Quat {
    let source = format!("[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\norientation = {text}\n");
    good(&source).model.bodies()[1].orientation
}

#[test]
fn orientations_turn_as_documented() {
    let near = |a: Vec3, b: [f64; 3]| assert!((a - Vec3::from(b)).norm() < 1e-12, "{a} {b:?}");
    near(orientation("{ axis = [0, 0, 2], angle = \"90 deg\" }") * Vec3::x(), [0.0, 1.0, 0.0]);
    near(orientation("{ quaternion = [1, 0, 0, 1] }") * Vec3::x(), [0.0, 1.0, 0.0]);
    near(orientation("{ euler313 = [\"90 deg\", \"90 deg\", 0] }") * Vec3::z(), [1.0, 0.0, 0.0]);
    near(orientation("{ rpy = [\"90 deg\", 0, \"90 deg\"] }") * Vec3::y(), [0.0, 0.0, 1.0]);
    near(orientation("{ rpy = [0, \"90 deg\", 0] }") * Vec3::x(), [0.0, 0.0, -1.0]);
    near(orientation("{ z = [1, 0, 0] }") * Vec3::z(), [1.0, 0.0, 0.0]);
    near(orientation("{ x = [0, 0, -3] }") * Vec3::x(), [0.0, 0.0, -1.0]);
    near(orientation("{ x = [-1, 0, 0] }") * Vec3::x(), [-1.0, 0.0, 0.0]);
    let both = orientation("{ z = [0, 1, 0], x = [1, 1, 0] }");
    near(both * Vec3::z(), [0.0, 1.0, 0.0]);
    near(both * Vec3::x(), [1.0, 0.0, 0.0]);
}

#[test]
fn inertia_about_another_point_and_in_other_axes() {
    let text = "[bodies.a]\nmass = 2\ninertia = [1, 9, 10]\ncenter_of_mass = [1, 0, 0]\ninertia_about = [0, 0, 0]\n";
    let document = good(text);
    let cardan::bodies::Shape::Rigid(rigid) = &document.model.bodies()[1].shape else { panic!() };
    assert_eq!(rigid.tensor().diagonal(), Vec3::new(1.0, 7.0, 8.0));
    let turned = good("[bodies.a]\nmass = 2\ninertia = [1, 2, 3]\ninertia_axes = { axis = [0, 0, 1], angle = \"90 deg\" }\n");
    let cardan::bodies::Shape::Rigid(rigid) = &turned.model.bodies()[1].shape else { panic!() };
    assert!((rigid.tensor().diagonal() - Vec3::new(2.0, 1.0, 3.0)).norm() < 1e-12);
}

#[test]
fn shapes_give_mass_properties() {
    let mass = |shape: &str| {
        let document = good(&format!("[bodies.a]\nshape = {shape}\n"));
        let body = document.model.bodies()[1].clone();
        let cardan::bodies::Shape::Rigid(rigid) = &body.shape else { panic!() };
        (body.shape.mass(), rigid.tensor().diagonal(), rigid.center_of_mass())
    };
    let (m, j, c) = mass("{ kind = \"box\", size = [1, 2, 3], density = \"2 kg/m^3\", position = [0, 0, 1] }");
    assert!((m - 12.0).abs() < 1e-12 && (j - Vec3::new(13.0, 10.0, 5.0)).norm() < 1e-12 && (c - Vec3::z()).norm() < 1e-12);
    let (m, j, _) = mass("{ kind = \"rod\", length = 2, mass_per_length = \"3 kg/m\" }");
    assert!((m - 6.0).abs() < 1e-12 && (j.y - 2.0).abs() < 1e-12 && (j.x - 0.5 * 6.0 * 4e-4).abs() < 1e-12);
    assert!(read("[bodies.a]\nshape = { kind = \"line\", points = [], mass = 1 }\n").is_err());
}

#[test]
fn lengths_and_angles_left_out_are_as_placed() {
    let source = "
        [bodies.a]
        kind = \"point\"
        mass = 1
        position = [3, 4, 0]
        [joints.r]
        kind = \"rod\"
        i = \"a\"
        j = \"ground\"
        [forces.s]
        kind = \"spring-damper\"
        i = \"a.cm\"
        j = \"ground\"
        stiffness = 5
    ";
    let document = good(source);
    assert_eq!(document.model.joints()[0].kind.parameter().unwrap().value, 5.0);
    let cardan::forces::Force::SpringDamper(spring) = &document.model.forces()[0] else { panic!() };
    assert_eq!(spring.law.free, 5.0);
}

#[test]
fn settings_make_a_simulation_or_say_why_not() {
    let document = good(&format!("{PENDULUM}method = \"newmark\"\ngamma = 0.6\nformulation = \"index2\"\noutput_interval = 0.05\n"));
    let system = document.compile().unwrap();
    let results = document.simulation.simulation(&system).unwrap().run(0.2).unwrap();
    assert_eq!(results.times().len(), 5);
    let mut both = document.simulation.clone();
    both.step = Some(1e-3);
    assert!(both.simulation(&system).unwrap_err().to_string().contains("not both"));
    let mut wrong = document.simulation.clone();
    wrong.rho = Some(0.5);
    assert!(wrong.simulation(&system).unwrap_err().to_string().contains("no parameter 'rho'"));
}

#[test]
fn meshes_and_tables_come_from_files_beside_the_model() {
    let folder = std::env::temp_dir().join(format!("cardan-model-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    std::fs::write(folder.join("part.obj"), format!("{corners}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")).unwrap();
    std::fs::write(folder.join("road.csv"), "time, height\n0, 1\n1, 2.5\n2, 3\n").unwrap();
    let model = "
        [bodies.part]
        shape = { kind = \"mesh\", file = \"part.obj\", scale = \"6\", density = 1000 }
        [splines.road]
        file = \"road.csv\"
        columns = [\"time\", \"height\"]
        [sensors.s]
        function = \"LINSPL(TIME, 0, road)\"
    ";
    std::fs::write(folder.join("model.toml"), model).unwrap();
    let document = load(folder.join("model.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!((document.model.bodies()[1].shape.mass() - 36_000.0).abs() < 1e-6);
    assert_eq!(document.model.splines()[0].1.y(), [1.0, 2.5, 3.0]);
    let wrong = model.replace("part.obj", "prat.obj").replace("\"height\"", "\"hight\"");
    std::fs::write(folder.join("wrong.toml"), wrong).unwrap();
    let LoadError::Model(problems) = load(folder.join("wrong.toml"), &[]).unwrap_err() else { panic!("the file is there") };
    let marks: Vec<&str> = problems.list.iter().map(|p| &problems.source[p.span.clone()]).collect();
    assert_eq!(marks, ["\"prat.obj\"", "\"road.csv\""], "{problems}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// An arm on a pin at its end, its frame at that end.
const ARM: &str = "
gravity = [0, -9.81, 0]
[bodies.arm]
kind = \"planar\"
mass = 3
inertia = 0.25
center_of_mass = [0.5, 0.1, 0]
angle = \"30 deg\"
angular_velocity = 2
[bodies.arm.markers.tip]
position = [1, 0, 0]
[joints.pin]
kind = \"revolute\"
between = [\"arm\", \"ground\"]
at = [0, 0, 0]
axis = [0, 0, 1]
[sensors.cm]
function = \"DX(arm.cm)\"
[sensors.frame]
function = \"DX(arm) + 1*VX(arm)\"
";

#[test]
fn a_planar_body_has_its_centre_of_mass_where_it_is_given() {
    let (s, c) = 30_f64.to_radians().sin_cos();
    let center = [0.5 * c - 0.1 * s, 0.5 * s + 0.1 * c];
    let about_center = ARM
        .replace("center_of_mass = [0.5, 0.1, 0]", &format!("position = [{}, {}, 0]", center[0], center[1]))
        .replace("angular_velocity = 2", &format!("angular_velocity = 2\nvelocity = [{}, {}, 0]", -2.0 * center[1], 2.0 * center[0]))
        .replace("position = [1, 0, 0]", "position = [0.5, -0.1, 0]");
    let systems = [ARM, &about_center].map(|source| good(source).compile().unwrap());
    let [here, there] = systems.each_ref().map(|system| system.initial());
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(close(&here.q, &there.q) && close(&here.v, &there.v));
    let [first, second] = systems.each_ref().map(crate::residuals);
    assert!(first.iter().zip(&second).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + b.abs())));
    let system = &systems[0];
    let (mut work, mut sensed) = (cardan::system::Work::new(system), [0.0; 2]);
    let state = cardan::analysis::assemble(system).unwrap().state;
    system.sense(&state, &mut work, &mut sensed);
    assert!((sensed[0] - center[0]).abs() < 1e-14 && sensed[1].abs() < 1e-14, "{sensed:?}");
    crate::writing::round_trip(ARM);
    // A shape that is placed off the frame gives the centre, too.
    let shaped = ARM.replace(
        "mass = 3\ninertia = 0.25\ncenter_of_mass = [0.5, 0.1, 0]\n",
        "shape = { kind = \"box\", size = [1, 0.1, 0.1], density = 300, position = [0.5, 0.1, 0.2] }\n",
    );
    let body = good(&shaped).model.bodies()[1].clone();
    assert!((body.center_of_mass() - Vec3::new(0.5, 0.1, 0.0)).norm() < 1e-15 && (body.shape.mass() - 3.0).abs() < 1e-12);
    assert!(crate::bad(&ARM.replace("0.1, 0]", "0.1, 1]")).to_string().contains("lies in the plane"));
}

#[test]
fn ideal_rods_are_read_and_written() {
    let rod = "[bodies.rod]\nmass = 1\ninertia = [0, 0.1, 0.1]\n\
               [joints.pin]\nkind = \"revolute\"\nbetween = [\"rod\", \"ground\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n";
    crate::writing::round_trip(rod);
    let tensor = rod.replace("[0, 0.1, 0.1]", "[0.05, 0.05, 0.1, -0.05, 0, 0]");
    crate::writing::round_trip(&tensor);
    for (inertia, says) in
        [("[0, 0, 0]", "point mass"), ("[0, 0.1, 0.2]", "exceeds the sum"), ("[-0.1, 0.1, 0.1]", "not positive definite")]
    {
        let problems = crate::bad(&rod.replace("[0, 0.1, 0.1]", inertia));
        assert!(problems.to_string().contains(says), "{problems}");
    }
}
