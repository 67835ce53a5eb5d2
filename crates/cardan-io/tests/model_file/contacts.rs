//! Contacts in files: what follows where nothing is given, and what is said of mistakes.

use crate::{bad, good};
use cardan::bodies::MarkerId;
use cardan::contact::{Contact, Elastic, Origin};

/// Two balls, one on an arm, above a floor.
const MODEL: &str = r#"
gravity = [0, 0, "-9.81 m/s^2"]
[materials.steel]
youngs_modulus = "210 GPa"
density = "7850 kg/m^3"
restitution = 0.7
[bodies.ball]
shape = { kind = "sphere", radius = "10 mm", material = "steel" }
position = [0, 0, 0.5]
shapes.surface = { kind = "sphere", radius = "10 mm", material = "steel" }
[bodies.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0.5]
shapes.tip = { kind = "sphere", radius = "20 mm" }
[bodies.hub]
mass = 2
inertia = [0.1, 0.1, 0.1]
position = [2, 0, 0.5]
shapes.rim = { kind = "sphere", radius = "30 mm" }
[bodies.bare]
mass = 1
inertia = [1, 1, 1]
[bodies.ground.shapes]
floor = { kind = "half-space", material = "steel" }
[joints.hinge]
kind = "revolute"
between = ["arm", "hub"]
at = [1.5, 0, 0.5]
"#;

fn contact(table: &str) -> Contact {
    let document = good(&format!("{MODEL}[contacts.it]\n{table}\n"));
    document.compile().unwrap_or_else(|e| panic!("{e}"));
    document.model.settled_contacts().next().unwrap()
}

fn message(table: &str) -> String {
    bad(&format!("{MODEL}[contacts.it]\n{table}\n")).to_string()
}

#[test]
fn all_shapes_touch_each_other_but_for_those_of_joined_bodies() {
    let document = good(&format!("contacts = \"all\"\n{MODEL}"));
    let of_all = document.model.settled_contacts().next().unwrap();
    assert_eq!(of_all.groups()[0].len(), 4);
    let named = |name: &str, marker: MarkerId| document.model.markers()[marker.index()].name == name;
    let marker = |name: &str| of_all.groups()[0].iter().find(|part| named(name, part.marker)).unwrap().marker;
    let [ball, tip, rim, floor] = ["surface", "tip", "rim", "floor"].map(marker);
    assert!(of_all.has_pair(ball, tip) && of_all.has_pair(ball, rim) && of_all.has_pair(tip, floor) && of_all.has_pair(rim, floor));
    assert!(!of_all.has_pair(tip, rim), "a hinge connects them");
    let some = contact("exclude = [[\"ball\", \"ground\"]]");
    assert!(!some.has_pair(ball, floor) && some.has_pair(ball, tip));
}

#[test]
fn laws_follow_from_materials_and_from_loads() {
    let both = contact("i = [\"ball.*\", \"arm.*\"]\nj = \"ground.floor\"");
    let mut origins: Vec<Origin> = both.laws().iter().map(|law| law.origin).collect();
    origins.sort_unstable();
    // One of two surfaces with a modulus is enough: the other is taken for rigid.
    assert_eq!(origins, [Origin::Material, Origin::Material]);
    let loads = contact("i = \"arm.tip\"\nj = \"hub.rim\"");
    assert_eq!(loads.laws()[0].origin, Origin::Load);
    let given = contact("i = \"arm.tip\"\nj = \"ground.floor\"\nlaw = { stiffness = 1e7, restitution = 0.3 }");
    let Elastic::Power { stiffness, .. } = given.laws()[0].normal.elastic else { panic!("{given:?}") };
    assert_eq!((given.laws()[0].origin, stiffness), (Origin::Given, 1e7));
}

#[test]
fn a_body_without_shapes_is_told_how_to_get_one() {
    let text = message("i = \"bare.surface\"\nj = \"ground.floor\"");
    assert!(text.contains("there is no shape 'bare.surface'") && text.contains("[bodies.bare.shapes]"), "{text}");
    let text = message("i = \"bare\"\nj = \"ground.floor\"");
    assert!(text.contains("[bodies.bare.shapes]") && text.contains("bare.surface"), "{text}");
    let text = message("i = \"ball\"\nj = \"ground.floor\"");
    assert!(text.contains("write ball.*"), "{text}");
    let none = "contacts = \"all\"\n[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n";
    let text = bad(none).to_string();
    assert!(text.contains("no body has shapes") && text.contains("[bodies.NAME.shapes]"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused_at_its_place() {
    let pair = "i = \"ball.surface\"\nj = \"ground.floor\"\n";
    let cases = [
        ("law = { stiffness = -1e7 }", "the stiffness must be positive, it is -10000000"),
        ("law = { stiffness = 0 }", "the stiffness must be positive"),
        ("law = { stiffness = 1e7, restitution = 1.2 }", "between 0.001 and 1, it is 1.2"),
        ("law = { stiffness = 1e7, restitution = 0 }", "between 0.001 and 1, it is 0"),
        ("law = { restitution = 1.5 }", "between 0.001 and 1"),
        ("law = { stiffness = 1e7, restitution = 0.5, speed = 0 }", "speed at which the restitution holds must be positive"),
        ("law = { exponent = 2 }", "an exponent goes with a stiffness"),
        ("law = { kind = \"hertz\", radius = 0.1 }", "a radius goes with Young's modulus"),
        ("law = { kind = \"impact\", stiffness = 1e7, damping = 3 }", "sets in over a depth"),
        ("law = { kind = \"table\", depth = [1, 2], force = [1] }", "2 depths and 1 forces"),
        ("law = { kind = \"table\", depth = [2, 1], force = [1, 2] }", "depths that increase"),
        ("law = { kind = \"function\", function = \"1e6*depht\" }", "did you mean depth"),
        ("law = { kind = \"function\", function = \"1e6*depth*TIME\" }", "of depth and rate, and of nothing else"),
        ("friction = { dynamic = 0.3, static = 0.2 }", "static ≥ dynamic"),
        ("friction = { dynamic = 0.3, transition_speed = 0 }", "transition speeds of friction must be positive"),
        ("friction = { dynamic = 0, bristles = \"1 um\" }", "bristles need"),
        ("resistance = { rolling = -1 }", "must not be negative"),
    ];
    for (table, expected) in cases {
        let text = message(&format!("{pair}{table}"));
        assert!(text.contains(expected) && (text.contains("contacts.it") || text.contains(table)), "{table}: {text}");
    }
    let text = message("i = [\"ball.surface\"]");
    assert!(text.contains("no pair of shapes on two different bodies"), "{text}");
    let text = message("j = \"ground.floor\"");
    assert!(text.contains("has 'j' but no 'i'"), "{text}");
    let text = bad(&MODEL.replace("radius = \"20 mm\"", "radius = 0")).to_string();
    assert!(text.contains("shape 'tip': the radius must be positive"), "{text}");
    let text = bad(&MODEL.replace("restitution = 0.7", "restitution = 7")).to_string();
    assert!(text.contains("material 'steel'") && text.contains("between 0.001 and 1"), "{text}");
    let text = bad(&MODEL.replace("material = \"steel\" }\n[bodies.arm]", "material = \"stell\" }\n[bodies.arm]")).to_string();
    assert!(text.contains("there is no material 'stell'") && text.contains("steel"), "{text}");
}
