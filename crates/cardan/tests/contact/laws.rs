//! Normal forces and friction by themselves.

use cardan::contact::{Friction, Material, Normal, NormalLaw, Resistance, Stroke, damping_for};
use cardan::expr::Scope;

fn at(law: &NormalLaw, depth: f64, rate: f64, arrival: Option<f64>) -> Normal {
    law.at(&Stroke { depth, rate, arrival }, &Default::default())
}

/// A body of mass 1 kg that comes in with a speed against the law alone; Runge–Kutta steps, the last ones halved towards the end of the contact.
fn leaves_with(law: &NormalLaw, speed: f64) -> f64 {
    let (mut x, mut v) = (0.0_f64, speed);
    let force = |x: f64, v: f64| -at(law, x, v, Some(speed)).force;
    let mut h = 1e-6;
    while h > 1e-18 {
        let (k1x, k1v) = (v, force(x, v));
        let (k2x, k2v) = (v + 0.5 * h * k1v, force(x + 0.5 * h * k1x, v + 0.5 * h * k1v));
        let (k3x, k3v) = (v + 0.5 * h * k2v, force(x + 0.5 * h * k2x, v + 0.5 * h * k2v));
        let (k4x, k4v) = (v + h * k3v, force(x + h * k3x, v + h * k3v));
        let next = (x + h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x), v + h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v));
        if next.0 > 0.0 { (x, v) = next } else { h *= 0.5 }
    }
    -v
}

#[test]
fn restitution_is_what_was_asked_for() {
    for exponent in [1.0, 1.5, 2.2] {
        for asked in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0] {
            let law = NormalLaw::elastic(1e6, exponent).restitution(asked, 1.0);
            let got = leaves_with(&law, 1.0);
            assert!((got - asked).abs() < 1e-6, "exponent {exponent}: asked {asked}, got {got}");
        }
    }
}

/// Values of the root computed with many digits.
#[test]
fn damping_solves_its_equation() {
    let known = [(0.9, 0.166481951), (0.8, 0.373146203), (0.7, 0.634828281), (0.5, 1.43275053), (0.3, 3.08708198), (0.1, 9.9981594)];
    for (restitution, d) in known {
        assert!((damping_for(restitution) / d - 1.0).abs() < 1e-8, "{restitution}: {}", damping_for(restitution));
    }
}

/// Points of a force by depth.
const POINTS: [[f64; 2]; 4] = [[4e-3, 100.0], [1e-2, 150.0], [2e-2, 150.0], [2.5e-2, 600.0]];

/// One of every sort.
fn laws() -> Vec<NormalLaw> {
    let scope = Scope { parameters: vec![("k".into(), 2e5)], ..Scope::default() };
    vec![
        NormalLaw::elastic(1e4, 1.0),
        NormalLaw::elastic(1e5, 1.5).restitution(0.4, 1.0),
        NormalLaw::elastic(1e5, 1.5).restitution_at_every_speed(0.4),
        NormalLaw::impact(1e5, 2.2, 30.0, 1e-2),
        NormalLaw::table(&POINTS),
        NormalLaw::table(&POINTS).restitution_at_every_speed(0.7),
        NormalLaw::function("k*depth**1.5*(1 + 0.3*rate) + 10*SIN(depth)*rate", &scope).unwrap(),
        NormalLaw::function("k*depth**1.5", &scope).unwrap().restitution_at_every_speed(0.3),
        NormalLaw::function("1e4*depth", &scope).unwrap().stepped(20.0, 1e-2),
    ]
}

#[test]
fn laws_have_their_derivatives() {
    for law in laws() {
        for (depth, rate) in [(5e-3, 0.3), (1.9e-2, -0.2), (8e-3, -0.1), (3e-2, 1.0)] {
            for arrival in [None, Some(0.7)] {
                let (h, dv) = (1e-7, 1e-5);
                let exact = at(&law, depth, rate, arrival);
                let force = |depth: f64, rate: f64| at(&law, depth, rate, arrival).force;
                let by_depth = (force(depth + h, rate) - force(depth - h, rate)) / (2.0 * h);
                let by_rate = (force(depth, rate + dv) - force(depth, rate - dv)) / (2.0 * dv);
                let stored = |depth: f64| law.potential(depth, &Default::default());
                let elastic = (stored(depth + h) - stored(depth - h)) / (2.0 * h);
                for (exact, numeric) in [(exact.by_depth, by_depth), (exact.by_rate, by_rate), (exact.elastic, elastic)] {
                    assert!((exact - numeric).abs() < 1e-6 * (1.0 + exact.abs()), "{law:?} at {depth}, {rate}: {exact} {numeric}");
                }
            }
        }
    }
}

/// Any law returns what it is asked for, at any speed.
#[test]
fn restitution_holds_for_every_speed_and_every_force_by_depth() {
    let scope = Scope::default();
    let elastic =
        [NormalLaw::elastic(1e6, 1.5), NormalLaw::table(&POINTS), NormalLaw::function("3e5*depth + 1e7*depth**2", &scope).unwrap()];
    for law in elastic {
        for (asked, speed) in [(0.1, 0.01), (0.5, 0.1), (0.9, 3.0), (1.0, 0.3)] {
            let got = leaves_with(&law.clone().restitution_at_every_speed(asked), speed) / speed;
            assert!((got - asked).abs() < 1e-5, "{law:?}: asked {asked}, got {got}");
        }
    }
}

#[test]
fn tables_pass_their_points_and_do_not_overshoot() {
    let law = NormalLaw::table(&POINTS);
    let force = |depth: f64| at(&law, depth, 0.0, None).force;
    POINTS.iter().for_each(|[depth, expected]| assert!((force(*depth) - expected).abs() < 1e-10));
    let depths = (1..400).map(|k| 1e-4 * f64::from(k));
    for (a, b) in depths.clone().zip(depths.skip(1)) {
        assert!(force(b) >= force(a) - 1e-10, "{a}: {} {}", force(a), force(b));
    }
    assert!((force(3.5e-2) - 600.0 - 90.0 * 10.0).abs() < 1e-9, "{}", force(3.5e-2));
}

#[test]
fn friction_has_its_derivatives_and_is_odd() {
    for friction in [
        Friction::coulomb(0.3, 1e-2),
        Friction::coulomb(0.3, 1e-2).with_static(0.5).with_viscous(0.1),
        Friction::stepped(0.6, 0.4, 1e-2, 3e-2),
    ] {
        for s in [1e-4, 5e-3, 1.5e-2, 2.5e-2, 1.0] {
            let h = 1e-8;
            let (mu, slope) = friction.coefficient(s);
            let numeric = (friction.coefficient(s + h).0 - friction.coefficient(s - h).0) / (2.0 * h);
            assert!((slope - numeric).abs() < 1e-5 * (1.0 + slope.abs()), "{friction:?} at {s}: {slope} {numeric}");
            let (phi, bend) = friction.at(s);
            assert!((phi * s - mu).abs() < 1e-14);
            let numeric = (friction.at(s + h).0 - friction.at(s - h).0) / (2.0 * h) / s;
            assert!((bend - numeric).abs() < 1e-4 * (1.0 + bend.abs()), "{friction:?} at {s}: {bend} {numeric}");
        }
        assert_eq!(friction.coefficient(0.0).0, 0.0);
    }
}

#[test]
fn hertz_has_the_stiffness_of_the_books() {
    let steel = Material::elastic(210e9, 0.3);
    let law = NormalLaw::hertz([steel; 2], 1.0 / 10e-3);
    let stiffness = at(&law, 1.0, 0.0, None).force;
    assert!((stiffness / 1.53846153846e10 - 1.0).abs() < 1e-11, "{stiffness}");
    let soft = Material::elastic(2e5, 0.3);
    let stiffness = at(&NormalLaw::hertz([soft; 2], 2.0 / 0.5), 1.0, 0.0, None).force;
    assert!((stiffness / 73260.0732601 - 1.0).abs() < 1e-11, "{stiffness}");
}

#[test]
fn parameters_without_sense_are_mistakes() {
    let mistake = |law: NormalLaw| law.mistake().unwrap_or_default();
    assert!(mistake(NormalLaw::elastic(0.0, 1.5)).contains("stiffness"));
    assert!(mistake(NormalLaw::elastic(1e5, 0.5)).contains("exponent"));
    assert!(mistake(NormalLaw::impact(1e5, 1.5, 10.0, 0.0)).contains("depth"));
    for restitution in [0.0, 0.0009, 1.1, -0.5, f64::NAN] {
        assert!(mistake(NormalLaw::elastic(1e5, 1.5).restitution(restitution, 1.0)).contains("restitution"));
        assert!(mistake(NormalLaw::elastic(1e5, 1.5).restitution_at_every_speed(restitution)).contains("restitution"));
    }
    assert!(mistake(NormalLaw::elastic(1e5, 1.5).restitution(0.5, 0.0)).contains("speed"));
    for points in [&[][..], &[[0.0, 1.0], [1.0, 2.0]], &[[1.0, 2.0], [0.5, 3.0]], &[[1.0, 2.0], [2.0, 1.0]], &[[1.0, f64::NAN]]] {
        assert!(mistake(NormalLaw::table(points)).contains("table"), "{points:?}");
    }
    assert!(NormalLaw::function("depth*TIME", &Scope::default()).is_err() && NormalLaw::function("dept", &Scope::default()).is_err());
    assert!(Resistance { rolling: -1.0, spinning: 0.0, transition: 1.0 }.mistake().is_some());
    assert!(Resistance { rolling: 1.0, spinning: 0.0, transition: 0.0 }.mistake().is_some());
    assert!(Material::elastic(0.0, 0.3).mistake().is_some() && Material::elastic(1.0, 0.6).mistake().is_some());
    assert!(Friction::coulomb(0.3, 0.0).mistake().is_some());
    assert!(Friction::coulomb(0.5, 1e-3).with_static(0.3).mistake().is_some());
    assert!(Friction::stepped(0.5, 0.3, 1e-2, 1e-3).mistake().is_some());
}
