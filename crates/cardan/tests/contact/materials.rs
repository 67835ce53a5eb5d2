//! Laws by pair: from materials, curvatures and loads.

use super::part;
use cardan::contact::{
    Contact, Cuboid, Cylinder, Elastic, Friction, Given, HalfSpace, HollowSphere, Law, Material, Origin, Part, Shape, Sphere,
};
use cardan::forces::PairLaw;
use cardan::prelude::*;

/// Two bodies, the first with the lighter mass, and the ground.
fn bodies(gravity: f64) -> (Model, [BodyId; 3]) {
    let mut model = Model::new("pairs");
    model.set_gravity([0.0, 0.0, -gravity]);
    let a = model.add_body(Body::rigid("a", 2.0, Inertia::ball(2.0, 0.1)).at([0.0, 0.0, 0.5]));
    let b = model.add_body(Body::rigid("b", 5.0, Inertia::ball(5.0, 0.1)).at([0.0, 0.0, 1.5]).moving([0.0, 3.0, 0.0]));
    (model, [a, b, BodyId::GROUND])
}

/// The only law of two shapes on the first and the last of the bodies.
fn law(shapes: [Shape; 2], materials: [Option<Material>; 2], given: Given) -> Law {
    let (mut model, [a, _, ground]) = bodies(10.0);
    let [x, y] = shapes;
    let (i, j) = (part(&mut model, a, x), part(&mut model, ground, y));
    let first = i.marker;
    model.add_force(Contact::between("contact", vec![i], vec![j], given).made_of(|marker| materials[usize::from(marker != first)]));
    let contact = model.settled_contacts().next().unwrap();
    assert_eq!(contact.mistake(), None);
    contact.laws()[0].clone()
}

fn stiffness(law: &Law) -> f64 {
    let Elastic::Power { stiffness, exponent } = law.normal.elastic else { panic!("{law:?}") };
    assert_eq!(exponent, 1.5);
    stiffness
}

fn sphere(radius: f64) -> Shape {
    Sphere { radius }.into()
}

const STEEL: Material = Material { youngs_modulus: Some(210e9), poissons_ratio: 0.3, restitution: Some(0.8), friction: None };

#[test]
fn materials_and_curvatures_give_the_stiffness_of_hertz() {
    let rubber = Material::elastic(5e6, 0.49);
    let compliance = |e: f64, nu: f64| (1.0 - nu * nu) / e;
    let (steel, soft) = (compliance(210e9, 0.3), compliance(5e6, 0.49));
    let flat: Shape = HalfSpace.into();
    let bowl: Shape = HollowSphere { radius: 0.3 }.into();
    let roller: Shape = Cylinder { radius: 0.2, length: 1.0 }.into();
    let block: Shape = Cuboid { size: Vec3::new(0.4, 0.3, 0.2) }.into();
    let cases = [
        (sphere(0.1), flat.clone(), 10.0),
        (sphere(0.1), sphere(0.2), 15.0),
        (sphere(0.1), bowl, 10.0 - 1.0 / 0.3),
        (sphere(0.1), roller, 12.5),
        (block, flat, 10.0),
    ];
    for (x, y, curvature) in cases {
        let names = format!("{x:?} {y:?}");
        let same = law([x.clone(), y.clone()], [Some(STEEL); 2], Given::default());
        let other = law([x, y], [Some(STEEL), Some(rubber)], Given::default());
        for (found, compliance) in [(same, 2.0 * steel), (other, steel + soft)] {
            let expected = 4.0 / 3.0 / compliance / f64::sqrt(curvature);
            assert!((stiffness(&found) / expected - 1.0).abs() < 1e-12, "{names}: {} {expected}", stiffness(&found));
            assert_eq!(found.origin, Origin::Material);
        }
    }
}

/// The softer one decides on the restitution, friction is the geometric mean, and what is given comes first.
#[test]
fn two_materials_have_the_restitution_and_friction_of_both() {
    let slippery = Friction::coulomb(0.1, 1e-3).with_static(0.2);
    let rough = Friction::coulomb(0.9, 1e-3).with_static(0.8 * 1.25);
    let steel = STEEL.friction(slippery);
    let rubber = Material::elastic(5e6, 0.3).restitution(0.4).friction(rough);
    let pair = |materials: [Option<Material>; 2], given: Given| law([sphere(0.1), HalfSpace.into()], materials, given);
    let both = pair([Some(steel), Some(rubber)], Given::default());
    let friction = both.friction.unwrap();
    assert!((friction.moving - 0.3).abs() < 1e-12 && (friction.fixed - 0.2_f64.sqrt()).abs() < 1e-12, "{friction:?}");
    let returned = |law: &Law| match law.normal.damping {
        cardan::contact::Damping::Proportional { restitution, .. } => restitution,
        _ => panic!("{law:?}"),
    };
    let part = 210e9 / (210e9 + 5e6);
    assert!((returned(&both) - (0.4 * part + 0.8 * (1.0 - part))).abs() < 1e-12);
    assert_eq!(returned(&pair([Some(steel), None], Given::default())), 0.8);
    assert_eq!(returned(&pair([None, None], Given::default())), 0.5);
    let given = Given { restitution: Some(0.9), friction: Some(rough), ..Given::default() };
    let first = pair([Some(steel), Some(rubber)], given);
    assert_eq!((returned(&first), first.friction), (0.9, Some(rough)));
}

#[test]
fn without_materials_a_static_load_sinks_in_by_a_thousandth() {
    let found = law([sphere(0.1), HalfSpace.into()], [None, None], Given::default());
    assert!((stiffness(&found) * 1e-4_f64.powf(1.5) / (2.0 * 10.0) - 1.0).abs() < 1e-12 && found.origin == Origin::Load);
    // Between two bodies the lighter one counts, and without gravity m v²/size.
    for (gravity, load) in [(10.0, 20.0), (0.0, 2.0 * 9.0 / 0.1)] {
        let (mut model, [a, b, _]) = bodies(gravity);
        let parts = vec![part(&mut model, a, sphere(0.1)), part(&mut model, b, sphere(0.3))];
        model.add_force(Contact::within("both", parts, Given::default()));
        let contact = model.settled_contacts().next().unwrap();
        assert!((stiffness(&contact.laws()[0]) * 1e-4_f64.powf(1.5) / load - 1.0).abs() < 1e-12, "{gravity}");
    }
}

/// Each pair of shapes has its law: balls of two sizes and materials on each other and on the ground rest as deep as their own law says.
#[test]
fn pairs_of_one_contact_have_laws_of_their_own() {
    let (soft, hard) = (Material::elastic(1e6, 0.0), Material::elastic(4e6, 0.0));
    let mut model = Model::new("balls");
    model.set_gravity([0.0, 0.0, -10.0]);
    let mut parts: Vec<Part> = vec![part(&mut model, BodyId::GROUND, HalfSpace)];
    let (radii, masses) = ([0.05, 0.1, 0.2], [0.1, 1.0, 3.0]);
    for (k, (radius, mass)) in radii.into_iter().zip(masses).enumerate() {
        let body = Body::rigid(&format!("ball{k}"), mass, Inertia::ball(mass, radius)).at([k as f64, 0.0, radius]);
        let body = model.add_body(body);
        parts.push(part(&mut model, body, Sphere { radius }));
    }
    let markers: Vec<MarkerId> = parts.iter().map(|part| part.marker).collect();
    let given = Given { restitution: Some(0.1), ..Given::default() };
    let of = |marker: MarkerId| Some(if marker == markers[2] { soft } else { hard });
    model.add_force(Contact::within("all", parts, given).made_of(of));
    assert_eq!(model.settled_contacts().next().unwrap().laws().len(), 6);
    let results = Simulation::new(&System::new(&model).unwrap()).run(5.0).unwrap();
    let end = &results.samples.last().unwrap().state;
    for (k, (radius, mass)) in radii.into_iter().zip(masses).enumerate() {
        let modulus = if k == 1 { 1.0 / (1e-6 + 0.25e-6) } else { 2e6 };
        let depth = (mass * 10.0 / (4.0 / 3.0 * modulus * f64::sqrt(radius))).powf(2.0 / 3.0);
        let found = radius - end.q[7 * k + 2];
        assert!((found / depth - 1.0).abs() < 1e-3, "ball {k}: {found} {depth}");
    }
}

#[test]
fn laws_are_said_in_words_and_mistakes_are_found() {
    let (mut model, [a, _, ground]) = bodies(10.0);
    let (i, j) = (part(&mut model, a, sphere(0.1)), part(&mut model, ground, HalfSpace));
    let contact = Contact::between("floor", vec![i], vec![j], Given::default());
    let words = contact.laws_in_words();
    assert!(
        words.contains("stiffness") && words.contains("0.1 %") && words.contains("restitution 0.5") && words.contains("no friction"),
        "{words}"
    );
    let mistake = |material: Material| contact.clone().made_of(|_| Some(material)).mistake().unwrap_or_default();
    assert!(mistake(Material::elastic(-1.0, 0.3)).contains("modulus"));
    assert!(mistake(STEEL.restitution(1.5)).contains("restitution"));
    assert!(mistake(STEEL.friction(Friction::coulomb(0.3, 0.0))).contains("transition"));
}

/// What is deep in each other at the start is said, with names and depth.
#[test]
fn deep_overlaps_at_the_start_are_warnings() {
    for (height, warned) in [(0.08, true), (0.095, false)] {
        let mut model = Model::new("sunk");
        let body = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, 0.1)).at([0.0, 0.0, height]));
        let own = Part { marker: model.add_marker(Marker::on(body).named("surface")), shape: sphere(0.1) };
        let floor = Part { marker: model.add_marker(Marker::on(BodyId::GROUND).named("floor")), shape: HalfSpace.into() };
        model.add_force(Contact::between("lawn", vec![own], vec![floor], Given::default()));
        let warnings = assemble(&System::new(&model).unwrap()).unwrap().warnings.join("; ");
        let said = ["lawn", "ball.surface", "ground.floor", "2.000e-2"].iter().all(|word| warnings.contains(word));
        assert_eq!(said, warned, "{warnings}");
    }
}
