//! Every kind of element can be written in a file, compiles, and is written as it is read.

use crate::writing::round_trip;
use cardan::constraints::joints;
use cardan::control::{KINDS, Sort};
use cardan_io::model_file::load_str;
use cardan_io::model_file::tables::{Body, Constraint, Coupler, ForceKind, Touching};
use std::path::Path;

/// Two bodies in space, placed at random, with markers.
const BODIES: &str = "
gravity = [0, 1, -9.81]
[bodies.a]
mass = 2
inertia = [1, 1.2, 1.4, 0.1, 0.05, -0.02]
center_of_mass = [0.1, 0.2, -0.1]
position = [0.3, -0.2, 0.5]
orientation = { rpy = [0.3, -0.4, 0.5] }
velocity = [0.1, 0.2, 0.3]
angular_velocity = [1, -2, 0.5]
markers.m = { position = [0.4, 0.1, 0.2], orientation = { euler313 = [0.2, 0.4, -0.1] } }
[bodies.b]
mass = 1
inertia = [0.3, 0.4, 0.5]
position = [-0.4, 0.6, 0.1]
orientation = { z = [1, 2, 3], x = [1, 0, 0] }
markers.m = { position = [0.1, -0.3, 0.2] }
markers.n = { orientation = { axis = [1, 1, 0], angle = \"20 deg\" } }
[joints.hinge]
kind = \"cylindrical\"
i = \"a.m\"
j = \"b.m\"
[joints.pivot]
kind = \"revolute\"
i = \"b.n\"
j = \"ground\"
";

#[test]
fn every_joint_of_the_engine_can_be_written() {
    for joint in joints::all() {
        let parameter = joint.parameter().map_or(String::new(), |p| format!("{} = 0.7", p.name));
        round_trip(&format!("{BODIES}[joints.x]\nkind = \"{}\"\ni = \"a\"\nj = \"b.n\"\n{parameter}\n", joint.name()));
        let placed = "between = [\"a\", \"b\"]\nat = [0.1, 0.2, 0.3]";
        round_trip(&format!("{BODIES}[joints.x]\nkind = \"{}\"\n{placed}\naxis = [1, 0, 2]\n{parameter}\n", joint.name()));
        round_trip(&format!(
            "{BODIES}[joints.x]\nkind = \"{}\"\n{placed}\norientation = {{ rpy = [1, 2, 3] }}\n{parameter}\n",
            joint.name()
        ));
    }
}

/// Keys of every kind of force; a new kind fails here until it has a line.
fn force(kind: &str) -> &'static str {
    match kind {
        "spring-damper" => "stiffness = \"3 N/mm\"\ndamping = 2\npreload = 1.5",
        "rotational-spring-damper" => "stiffness = 3\ndamping = \"0.2 N*m*s/rad\"\nfree_angle = \"10 deg\"",
        "bushing" => {
            "stiffness = [1, 2, 3, \"4 N*m/rad\", 5, 6]\ndamping = [1, 1, 1, 1, 1, 1]\npreload = [1, 2, 3, 4, 5, \"6 N*m\"]\noffset = [0.1, 0, 0]"
        }
        "beam" => {
            "section = { kind = \"round\", radius = \"1 mm\" }\nyoungs_modulus = \"210 GPa\"\npoisson = 0.3\ndamping_ratio = \"1 ms\""
        }
        "joint-friction" => "joint = \"hinge\"\nstatic = 0.3\ndynamic = 0.2\nradius = \"10 mm\"\npreload = 5",
        "force" => "function = \"3*DM(a.m, b) - 2*TIME\"",
        "vector-force" => "x = \"SIN(TIME)\"\nz = 3\naxes = \"a.m\"",
        "general-force" => "y = \"VX(a, b)\"\ntx = \"2*WZ(a)\"\naxes = \"ground\"",
        other => panic!("no example of {other}"),
    }
}

#[test]
fn every_force_can_be_written() {
    for (kind, _) in ForceKind::KINDS {
        let markers = if *kind == "joint-friction" { "" } else { "i = \"a.m\"\nj = \"b.n\"\n" };
        round_trip(&format!("{BODIES}[forces.x]\nkind = \"{kind}\"\n{markers}{}\n", force(kind)));
    }
    for along in ["line", "axis", "rotation"] {
        round_trip(&format!("{BODIES}[forces.x]\nkind = \"force\"\ni = \"a.m\"\nj = \"b\"\nfunction = \"TIME\"\nalong = \"{along}\"\n"));
    }
    let row = "[1, 0, 0, 0, 0, 0.5]";
    let full = format!("[{row}, [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0.5, 0, 0, 0, 0, 1]]");
    round_trip(&format!("{BODIES}[forces.x]\nkind = \"bushing\"\ni = \"a.m\"\nj = \"b\"\nstiffness = {full}\n"));
    for section in [
        "{ kind = \"rectangle\", width = 0.01, height = 0.02 }",
        "{ area = 1e-4, bending = [1e-8, 2e-8], torsion = 3e-8, shear = [0.8, 0.9] }",
    ] {
        round_trip(&format!(
            "{BODIES}[forces.x]\nkind = \"beam\"\ni = \"a.m\"\nj = \"b\"\nyoungs_modulus = 1e9\nshear_modulus = 4e8\nsection = {section}\n"
        ));
    }
}

/// Dimensions of every kind of shape; a new kind fails here until it has a line.
fn shape(kind: &str) -> &'static str {
    match kind {
        "point" | "half-space" => "",
        "sphere" | "hollow-sphere" => ", radius = \"40 mm\"",
        "box" => ", size = [0.1, 0.2, 0.3]",
        "cylinder" | "hollow-cylinder" | "capsule" => ", radius = 0.1, length = \"20 cm\"",
        "disk" => ", radius = 0.1, edge = 0.02",
        "ellipsoid" => ", semi_axes = [0.1, 0.2, 0.3]",
        "torus" => ", radius = 0.1, tube = 0.03",
        "profile" => {
            ", start = [0, 0], width = 0.1, pieces = [{ kind = \"line\", to = [0.2, 0] }, \
             { kind = \"arc\", radius = \"50 mm\", to = [0.25, 0.05], turn = \"left\" }, \
             { kind = \"spline\", points = [[0.2, 0.15], [0.1, 0.2]], begins = [0, 1] }, \
             { kind = \"arc\", center = [0, 0.2], to = [0, 0.1], turn = \"right\" }, { kind = \"line\", to = [0, 0] }]"
        }
        "gear" => ", module = \"2 mm\", teeth = 20, pressure_angle = \"20 deg\", backlash = \"0.1 mm\", width = 0.02",
        "sprocket" => ", teeth = 12, pitch = \"12.7 mm\", seat_radius = \"4.3 mm\", tip_radius = \"26 mm\"",
        "geneva-wheel" => ", slots = 4, center_distance = 0.1, slot_width = \"10.2 mm\", lock_radius = \"35 mm\"",
        "geneva-lock" => ", slots = 4, center_distance = 0.1, lock_radius = \"35 mm\"",
        "cam" => ", radii = [0.1, 0.1, 0.12, 0.11], angles = [0, \"90 deg\", \"180 deg\", \"270 deg\"]",
        "hull" => ", points = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, \"5 cm\"]]",
        "mesh" => {
            ", corners = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]], triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]"
        }
        "height-field" => ", x = [0, 1], y = [-1, \"1 m\"], heights = [[0, 0.1, 0], [0.1, 0.2, 0.1]]",
        other => panic!("no example of {other}"),
    }
}

#[test]
fn every_shape_can_be_written_and_touches_a_ball() {
    for (shape, _) in cardan::contact::SHAPES {
        assert!(Touching::KINDS.iter().any(|(kind, _)| kind == shape), "{shape}");
    }
    for (kind, _) in Touching::KINDS {
        let placed = "position = [0.1, 0, 0.2], orientation = { rpy = [0.1, 0.2, 0.3] }";
        let shapes = format!(
            "[bodies.a.shapes]\nbit = {{ kind = \"{kind}\", {placed}{} }}\n[bodies.b.shapes]\nball = {{ kind = \"sphere\", radius = 0.2 }}\n",
            shape(kind)
        );
        round_trip(&format!("{BODIES}{shapes}[contacts.x]\ni = \"a.bit\"\nj = [\"b.*\"]\nlaw = {{ stiffness = 1e5 }}\nevents = true\n"));
    }
}

/// The table of the documentation says which kinds touch which; what is not in it is refused with what may stand in.
#[test]
fn the_table_of_contacts_is_that_of_the_documentation() {
    let text = include_str!("../../../../docs/model-file.md");
    let table =
        text.lines().skip_while(|line| !line.starts_with("| kind | keys | touches |")).skip(2).take_while(|line| line.starts_with('|'));
    let words = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
    // A row may stand for several kinds, which the others call by its first one.
    let rows: Vec<(String, String, Vec<String>)> = table
        .flat_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
            let (kinds, touches) = (words(cells[0]), words(cells[cells.len() - 1]));
            kinds.clone().into_iter().map(move |kind| (kind, kinds[0].clone(), touches.clone()))
        })
        .collect();
    let mut kinds: Vec<&str> = rows.iter().map(|(kind, ..)| kind.as_str()).collect();
    kinds.sort_unstable();
    let mut known: Vec<&str> = Touching::KINDS.iter().map(|(kind, _)| *kind).collect();
    known.sort_unstable();
    assert_eq!(kinds, known);
    for (a, _, touches) in &rows {
        for (b, group, _) in &rows {
            let shapes = format!(
                "[bodies.a.shapes]\nx = {{ kind = \"{a}\"{} }}\n[bodies.b.shapes]\ny = {{ kind = \"{b}\"{} }}\n",
                shape(a),
                shape(b)
            );
            let source = format!("{BODIES}{shapes}[contacts.x]\ni = \"a.x\"\nj = \"b.y\"\nlaw = {{ stiffness = 1e5 }}\n");
            match load_str(&source, "table", Path::new(""), &[]) {
                Ok(_) => assert!(touches.contains(group), "{a} touches {b}"),
                Err(problems) => {
                    assert!(!touches.contains(group), "{a} and {b}: {problems}");
                    assert!(problems.to_string().contains("there is no contact between"), "{a} and {b}: {problems}");
                }
            }
        }
    }
}

/// Shapes from files, and what is wrong with them, said at its place.
#[test]
fn hulls_meshes_and_heights_come_from_files() {
    let folder = std::env::temp_dir().join(format!("cardan-shapes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("wedge.obj"), "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n").unwrap();
    std::fs::write(folder.join("open.obj"), "v 0 0 0\nv 100 0 0\nv 0 100 0\nf 1 2 3\n").unwrap();
    std::fs::write(folder.join("ground.txt"), "0, 1, 0\n\n0 2 0\n").unwrap();
    std::fs::write(folder.join("bad.txt"), "0, 1, 0\n0, two, 0\n").unwrap();
    let load = |shape: &str, other: &str| {
        let shapes =
            format!("[bodies.a.shapes]\nx = {{ {shape} }}\n[bodies.b.shapes]\ny = {{ kind = \"{other}\"{} }}\n", self::shape(other));
        let source = format!("{BODIES}{shapes}[contacts.x]\ni = \"a.x\"\nj = \"b.y\"\nlaw = {{ stiffness = 1e5 }}\n");
        load_str(&source, "files", &folder, &[]).map(|_| ()).map_err(|problems| problems.to_string())
    };
    for kind in ["hull", "mesh"] {
        load(&format!("kind = \"{kind}\", file = \"wedge.obj\", scale = 0.001"), "box").unwrap();
    }
    load("kind = \"height-field\", x = [0, 1], y = [0, 1], file = \"ground.txt\"", "disk").unwrap();
    load("kind = \"mesh\", file = \"open.obj\"", "sphere").unwrap();
    for (shape, other, expected) in [
        ("kind = \"mesh\", file = \"open.obj\"", "box", "needs a closed mesh: the edge from"),
        ("kind = \"mesh\", file = \"none.obj\"", "sphere", "none.obj"),
        ("kind = \"mesh\"", "sphere", "either corners and triangles, or a file"),
        ("kind = \"mesh\", corners = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], triangles = [[0, 1, 2]]", "sphere", "no triangle with an area"),
        ("kind = \"mesh\", corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles = [[0, 1, 3]]", "sphere", "names corner 3"),
        ("kind = \"hull\", file = \"open.obj\"", "sphere", "not in a plane"),
        ("kind = \"hull\", points = [[0, 0, 0]], file = \"open.obj\"", "sphere", "either points, or a file"),
        ("kind = \"height-field\", x = [0, 1], y = [0, 1], file = \"bad.txt\"", "sphere", "line 2: `two` is not a number"),
        ("kind = \"height-field\", x = [1, 0], y = [0, 1], file = \"ground.txt\"", "sphere", "from less to more"),
        ("kind = \"height-field\", x = [0, 1], y = [0, 1], heights = [[0, 1], [0]]", "sphere", "row 2 has 1 heights"),
    ] {
        let message = load(shape, other).unwrap_err();
        assert!(message.contains(expected), "{shape}: {message}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_law_of_contact_can_be_written() {
    let shapes = "
[bodies.a.shapes]
left = { kind = \"sphere\", radius = 0.1 }
right = { kind = \"sphere\", radius = 0.1, position = [1, 0, 0] }
[bodies.b.shapes]
ball = { kind = \"sphere\", radius = 0.2 }
[bodies.ground.shapes]
floor = { kind = \"half-space\" }
";
    let laws = [
        "{ kind = \"impact\", stiffness = 1e8, exponent = 2.2, damping = \"1e3 N*s/m\", depth = \"0.1 mm\" }",
        "{ stiffness = 1e8, restitution = 0.5, speed = \"2 m/s\" }",
        "{ kind = \"hertz\", youngs_modulus = \"210 GPa\", poisson = 0.3, radius = \"10 mm\" }",
        "{ stiffness = 1e8, restitution = 0.5 }",
        "{ restitution = 0.7, speed = 2 }",
        "{ kind = \"hertz\", youngs_modulus = \"70 GPa\", restitution = 0.9 }",
        "{ kind = \"table\", depth = [\"1 mm\", 0.002], force = [10, \"0.1 kN\"], restitution = 0.5 }",
        "{ kind = \"table\", depth = [0, 0.002], force = [0, 30], damping = 3, damping_depth = 0.001 }",
        "{ kind = \"function\", function = \"1e6*depth**1.5*(1 + 0.3*rate)\" }",
    ];
    let frictions = [
        "",
        "friction = { dynamic = 0.2, static = 0.3, viscous = 0.1 }",
        "friction = { dynamic = 0.2, sliding_speed = \"5 mm/s\" }",
        "friction = { dynamic = 0.2, bristles = \"10 um\" }\nresistance = { rolling = \"1 mm\", spinning = 2e-4 }",
    ];
    for law in laws {
        for friction in frictions {
            round_trip(&format!("{BODIES}{shapes}[contacts.x]\ni = \"*.ball\"\nj = \"ground.floor\"\nlaw = {law}\n{friction}\n"));
        }
        round_trip(&format!("{BODIES}{shapes}[contacts.x]\ni = [\"a.*\", \"b.ball\"]\nexclude = [[\"a.left\", \"b\"]]\nlaw = {law}\n"));
    }
}

#[test]
fn materials_make_laws_and_are_written() {
    let materials = "
[materials.steel]
youngs_modulus = \"210 GPa\"
density = \"7850 kg/m^3\"
restitution = 0.7
friction = { dynamic = 0.15, static = 0.2 }
[materials.rubber]
youngs_modulus = \"5 MPa\"
poisson = 0.49
restitution = 0.4
[bodies.a.shapes]
ball = { kind = \"sphere\", radius = 0.1, material = \"steel\" }
bare = { kind = \"point\" }
[bodies.b.shapes]
ball = { kind = \"sphere\", radius = 0.2, material = \"rubber\" }
[bodies.ground.shapes]
floor = { kind = \"half-space\", material = \"steel\" }
";
    round_trip(&format!("{BODIES}{materials}[contacts.x]\nexclude = [[\"a.bare\", \"b\"]]\n"));
    round_trip(&format!("{BODIES}{materials}[contacts.x]\ni = \"a.*\"\nj = \"ground.floor\"\nlaw = {{ restitution = 0.9 }}\n"));
    round_trip(&format!("contacts = \"all\"\n{BODIES}{materials}"));
}

#[test]
fn every_force_of_the_engine_has_its_kind_in_files() {
    for (name, _) in cardan::forces::KINDS {
        let kebab: String = name.chars().flat_map(|c| if c.is_uppercase() { vec!['-', c.to_ascii_lowercase()] } else { vec![c] }).collect();
        let expected = if *name == "SingleForce" { "force" } else { kebab.trim_start_matches('-') };
        assert!(ForceKind::KINDS.iter().any(|(kind, _)| *kind == expected), "{name}");
    }
}

#[test]
fn every_coupler_and_constraint_can_be_written() {
    for (kind, _) in Coupler::KINDS {
        let keys = match *kind {
            "coupler" => {
                "terms = [{ joint = \"hinge\", coordinate = \"translation\", factor = 2 }, { joint = \"pivot\", factor = -1 }]\noffset = 0.5"
            }
            "gear" => "joints = [\"hinge\", \"pivot\"]\nradii = [\"20 mm\", -0.05]",
            "rack-and-pinion" => "rack = \"hinge\"\npinion = \"pivot\"\nradius = 0.1",
            other => panic!("no example of {other}"),
        };
        round_trip(&format!("{BODIES}[couplers.x]\nkind = \"{kind}\"\n{keys}\n"));
    }
    for (kind, _) in Constraint::KINDS {
        let keys = match *kind {
            "function" => "function = \"DX(a.m, ground) - 0.1*TIME\"",
            "point-on-curve" => "i = \"a.m\"\nj = \"b\"\npoints = [[0, 0, 0], [1, 1, 0.2], [2, 0, 0], [1, -1, 0.1]]\nclosed = true",
            "rolling-disk" => "disk = \"a.m\"\nplane = \"ground\"\nradius = 0.2",
            "knife-edge" => "blade = \"a.m\"\nplane = \"b\"",
            other => panic!("no example of {other}"),
        };
        round_trip(&format!("{BODIES}[constraints.x]\nkind = \"{kind}\"\n{keys}\n"));
    }
}

#[test]
fn every_body_can_be_written() {
    for (kind, _) in Body::KINDS {
        let keys = match *kind {
            "rigid" => {
                "inertia = [1, 1, 1]\nshape = { kind = \"sphere\", radius = 0.1 }\n\
                 graphics = [{ kind = \"line\", points = [[0, 0, 0], [1, 0, 0]] }, \
                 { kind = \"tube\", outer_radius = 2, inner_radius = 1, length = 3, color = \"#ff0000\" }]"
            }
            "planar" => "inertia = 2\nangle = \"400 deg\"\nangular_velocity = \"3 rpm\"",
            "point" | "point-2d" => "velocity = [1, 2, 0]",
            other => panic!("no example of {other}"),
        };
        let spring = "[forces.x]\nkind = \"spring-damper\"\ni = \"c\"\nj = \"b.cm\"\nstiffness = 4\n";
        round_trip(&format!("{BODIES}[bodies.c]\nkind = \"{kind}\"\nmass = 1\nposition = [1, 2, 0]\n{keys}\n{spring}"));
    }
}

#[test]
fn motions_signals_and_settings_can_be_written() {
    let source = "
[parameters]
w = \"60 rpm\"
[motions.turn]
joint = \"hinge\"
coordinate = \"rotation\"
function = \"w*TIME + VARVAL(v)\"
[motions.push]
i = \"a\"
j = \"ground\"
coordinate = \"translation\"
function = \"AKISPL(TIME, 0, table)\"
[variables.v]
function = \"SIN(2*TIME)\"
[variables.y]
function = \"COS(VARVAL(y))\"
implicit = true
initial = 0.5
[arrays.gains]
values = [1, 2.5, -3]
[arrays.readings]
functions = [\"DX(a)\", \"ARYVAL(gains, 2)*TIME\"]
[states.level]
equation = \"DIF1(level) + DIF(level)\"
initial = 2
[states.filter]
function = \"10*(VX(a) - DIF(filter))\"
initial = 0.25
[states.sum]
function = \"DIF1(filter)\"
[inputs.throttle]
initial = 0.5
[inputs.brake]
[forces.motor]
kind = \"force\"
i = \"a\"
j = \"ground\"
function = \"3*INPUT(throttle) - INPUT(brake)\"
implicit = true
[splines.table]
x = [0, 1, 2, 3]
y = [0, 1, 4, 9]
extrapolate = \"constant\"
[sensors.speed]
function = \"VM(a.m, ground)\"
unit = \"mm/s\"
[sensors.noisy]
kind = \"acceleration\"
of = \"a.m\"
from = \"b\"
component = \"x\"
bias = 0.1
noise = 0.02
seed = 3
sample_time = \"1 ms\"
[sensors.push]
kind = \"force\"
of = \"hinge\"
component = \"size\"
[events.there]
function = \"DX(a) - 1\"
direction = \"falling\"
action = \"stop\"
[simulation]
t_end = \"3 min\"
method = \"gen-alpha\"
rho = 0.9
step = \"1 ms\"
newton_iterations = 3
threads = 2
";
    let (parameters, rest) = source.split_once("[motions.turn]").unwrap();
    round_trip(&format!("{}{parameters}[motions.turn]{rest}", BODIES));
}

/// A value for every key of every kind of block.
#[test]
fn every_block_can_be_written() {
    for kind in KINDS {
        let mut text = format!("{BODIES}[blocks.x]\nkind = \"{}\"\n", kind.name);
        for key in kind.keys {
            let value = match (key.name, key.sort) {
                ("lower" | "off_below", _) => "-1".into(),
                ("a" | "b" | "c" | "d", _) => "[[0.5]]".into(),
                ("x0", _) => "[1]".into(),
                ("signs", _) => "[1, -2]".into(),
                ("inputs", _) if kind.keys.iter().any(|k| k.name == "a") => "[\"speed\"]".into(),
                ("z", _) => "[[1, 2], [3, 4]]".into(),
                ("num" | "initial", Sort::Numbers) => "[0, 1]".into(),
                (_, Sort::Signal) => "\"speed + 2*DX(a)\"".into(),
                (_, Sort::Signals) => "[\"speed\", \"3\"]".into(),
                (_, Sort::Number) => "2".into(),
                (_, Sort::Numbers) => "[1, 2]".into(),
                (_, Sort::Matrix) => "[[1]]".into(),
                (_, Sort::Word(words)) => format!("\"{}\"", words[words.len() - 1]),
                (_, Sort::Flag) => "true".to_string(),
            };
            text += &format!("{} = {value}\n", key.name);
        }
        round_trip(&format!("{text}[sensors.speed]\nfunction = \"VX(a)\"\n"));
    }
}
