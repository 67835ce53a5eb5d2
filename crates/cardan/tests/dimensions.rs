//! Dimensions of expressions: what is known of them, and what the compiler of a model refuses.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::expr::{Known, Scope, infer, parse};
use cardan::model::ModelError;
use cardan::prelude::*;
use cardan::units::Dimension;

#[test]
fn what_is_known_depends_on_units_quantities_and_plain_numbers() {
    let scope = Scope { parameters: vec![("k".into(), 2.0)], ..Scope::default() };
    let of = |text: &str| infer(&parse(text).unwrap(), &scope);
    for (text, known) in [
        ("3 kg*DX(a)", Known::Sure(Dimension([1, 1, 0, 0, 0, 0]))),
        ("60 rpm*TIME", Known::Sure(Dimension::ANGLE)),
        ("-ABS(DX(a))", Known::Quantity(Dimension::LENGTH)),
        ("DX(a) - 0.3", Known::Quantity(Dimension::LENGTH)),
        ("DX(a)*VX(a)", Known::Likely(Dimension([2, 0, -1, 0, 0, 0]))),
        ("200*DX(a)", Known::Likely(Dimension::LENGTH)),
        ("200*DX(a) + 3 N", Known::Sure(Dimension::FORCE)),
        ("3 m*SIN(TIME)", Known::Sure(Dimension::LENGTH)),
        ("1 - COS(TIME)", Known::Number(Dimension::NONE)),
        ("TIME**2", Known::Number(Dimension([0, 0, 2, 0, 0, 0]))),
        ("1 + TIME", Known::Likely(Dimension::TIME)),
        ("k*DX(a)", Known::Nothing),
        ("k*DX(a) + 3 N", Known::Sure(Dimension::FORCE)),
        ("2 m*AZ(a) + DX(a)", Known::Sure(Dimension::LENGTH)),
        ("SQRT((3 m/s)**2)", Known::Sure(Dimension::VELOCITY)),
    ] {
        let (found, mistakes) = of(text);
        assert_eq!((found, mistakes.len()), (known, 0), "{text}: {mistakes:?}");
    }
    let (_, mistakes) = of("(DX(a) + 3 s)*SIN(2 kg) + MAX(1 m, 2 N)");
    let messages: Vec<&str> = mistakes.iter().map(|e| e.message.as_str()).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(messages[0], "a time (s) cannot be added to a length (m)");
}

/// A slider pushed by a force that is this text.
fn pushed(function: &str) -> Result<System, ModelError> {
    let mut model = Model::new("slider");
    let body = model.add_body(Body::point("cart", 2.0));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.set_quantity("stiffness", 200.0, Dimension::STIFFNESS);
    model.set_quantity("gain", 1.0, Dimension::MASS);
    model.set_parameter("gain", 3.0);
    model.add_state(Differential::new("way", "VX(cart) + 0 m/s", 0.0));
    model.add_state(Differential::new("lag", "VX(cart) - DIF(lag)", 0.0));
    model.add_variable(Variable::new("elastic", "-stiffness*DIF(way)"));
    model.add_force(ExpressionForce::vector("push", i, j, j, [function, "0", "0"]));
    System::new(&model)
}

#[test]
fn a_model_with_a_mistake_is_refused_with_its_place() {
    for right in ["VARVAL(elastic)", "gain*DIF(way)", "-stiffness*DX(cart) - gain*VX(cart)", "DIF(lag)", "-DX(cart)", "3 N + DIF(lag)"] {
        pushed(right).unwrap_or_else(|e| panic!("{right}: {e}"));
    }
    for (wrong, place) in [("stiffness*VX(cart)", 0..18), ("VARVAL(elastic) + DIF(way)", 18..26), ("0.1 m", 0..5)] {
        let ModelError::Expression(problem) = pushed(wrong).unwrap_err() else { panic!("{wrong}") };
        assert_eq!((problem.what, problem.element.as_str(), problem.component), ("force", "push", "x"), "{wrong}");
        assert_eq!(problem.error.span.start..problem.error.span.end, place, "{problem}");
    }
}

#[test]
fn a_motion_that_is_a_speed_suggests_the_angle() {
    let mut model = Model::new("motor");
    let body = model.add_body(Body::planar("wheel", 1.0, 0.1));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    let with = |motion: Motion| {
        let mut model = model.clone();
        model.add_constraint(motion);
        System::new(&model)
    };
    let drive = |text: &str| Motion::rotation("drive", hinge, TimeFunction::expression(text));
    let text = with(drive("60 rpm")).unwrap_err().to_string();
    assert!(text.contains("a motion of a rotation is an angle (rad)") && text.contains("did you mean 60 rpm * TIME?"), "{text}");
    assert!(with(drive("1 rpm + 2 rpm")).unwrap_err().to_string().contains("did you mean (1 rpm + 2 rpm) * TIME?"));
    assert!(with(drive("60 rpm").of_velocity()).is_ok() && with(drive("60 rpm * TIME")).is_ok());
}

/// Its dimension once grew by a time in every pass: "a length (m) cannot be added to a value in m*s^100".
#[test]
fn a_state_that_is_added_to_its_own_rate_is_a_mistake_in_plain_words() {
    let mut model = Model::new("state");
    model.add_state(Differential::new("q", "DIF(q) + 3 m", 0.0));
    let text = System::new(&model).unwrap_err().to_string();
    assert!(text.contains("a length (m) cannot be added to a value in m*s") && !text.contains("s^"), "{text}");
}
