//! Normal forces and friction by themselves.

use cardan::contact::{Friction, Material, NormalLaw, damping_for};

/// A body of mass 1 kg that comes in with 1 m/s against the law alone; Runge–Kutta steps, the last ones halved towards the end of the contact.
fn leaves_with(law: &NormalLaw) -> f64 {
    let (mut x, mut v) = (0.0_f64, 1.0_f64);
    let force = |x: f64, v: f64| -law.at(x, v).force;
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
            let got = leaves_with(&law);
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

#[test]
fn laws_have_their_derivatives() {
    let laws = [NormalLaw::elastic(1e4, 1.0), NormalLaw::elastic(1e5, 1.5).restitution(0.4, 1.0), NormalLaw::impact(1e5, 2.2, 30.0, 1e-2)];
    for law in laws {
        for (depth, rate) in [(5e-3, 0.3), (2e-2, -0.2), (8e-3, -0.1), (3e-2, 1.0)] {
            let h = 1e-7;
            let at = law.at(depth, rate);
            let by_depth = (law.at(depth + h, rate).force - law.at(depth - h, rate).force) / (2.0 * h);
            let by_rate = (law.at(depth, rate + h).force - law.at(depth, rate - h).force) / (2.0 * h);
            let elastic = (law.at(depth + h, 0.0).potential - law.at(depth - h, 0.0).potential) / (2.0 * h);
            for (exact, numeric) in [(at.by_depth, by_depth), (at.by_rate, by_rate), (at.elastic, elastic)] {
                assert!((exact - numeric).abs() < 1e-6 * (1.0 + exact.abs()), "{law:?} at {depth}, {rate}: {exact} {numeric}");
            }
        }
    }
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
    let steel = Material { youngs_modulus: 210e9, poissons_ratio: 0.3 };
    let law = NormalLaw::hertz([steel; 2], 1.0 / 10e-3);
    assert!((law.stiffness / 1.53846153846e10 - 1.0).abs() < 1e-11, "{}", law.stiffness);
    let soft = Material { youngs_modulus: 2e5, poissons_ratio: 0.3 };
    let law = NormalLaw::hertz([soft; 2], 2.0 / 0.5);
    assert!((law.stiffness / 73260.0732601 - 1.0).abs() < 1e-11, "{}", law.stiffness);
}

#[test]
fn parameters_without_sense_are_mistakes() {
    let mistake = |law: NormalLaw| law.mistake().unwrap_or_default();
    assert!(mistake(NormalLaw::elastic(0.0, 1.5)).contains("stiffness"));
    assert!(mistake(NormalLaw::elastic(1e5, 0.5)).contains("exponent"));
    assert!(mistake(NormalLaw::impact(1e5, 1.5, 10.0, 0.0)).contains("depth"));
    assert!(mistake(NormalLaw::elastic(1e5, 1.5).restitution(0.0, 1.0)).contains("restitution"));
    assert!(Friction::coulomb(0.3, 0.0).mistake().is_some());
    assert!(Friction::coulomb(0.5, 1e-3).with_static(0.3).mistake().is_some());
    assert!(Friction::stepped(0.5, 0.3, 1e-2, 1e-3).mistake().is_some());
}
