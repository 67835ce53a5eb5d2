//! Order of the methods on constrained bodies in space.

use crate::*;
use cardan::math::random::Random;

#[test]
fn all_have_their_order_on_constrained_bodies_in_space() {
    for model in [slow_top(), spatial_four_bar()] {
        let system = System::new(&model).unwrap();
        let (t_end, expected) = (0.25, exact_end(&system, 0.25));
        let error = |x: &State| distance(&x.q, &expected.q) + 0.1 * distance(&x.v, &expected.v) + distance(&x.x, &expected.x);
        for (name, method) in all() {
            let run = |h: f64| error(&walk(&system, method.clone(), t_end, || h));
            let (coarse, fine) = (run(1e-3), run(5e-4));
            let order = (coarse / fine).log2();
            let symplectic = name.starts_with("symplectic");
            let expected = if symplectic && model.name() == "slow top" { 2.0 } else { 1.0 };
            // Dampers alone make a symplectic step one of order 1.
            assert!(
                (order - expected).abs() < 0.2 || symplectic && expected == 1.0 && (1.0..2.0).contains(&order),
                "{}, {name}: order {order} ({coarse:e} → {fine:e})",
                model.name()
            );
        }
    }
}

#[test]
fn varying_steps_keep_order_1() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let (t_end, expected) = (0.25, exact_end(&system, 0.25));
    for (name, method) in all() {
        let run = |h: f64| {
            let mut random = Random::new(3);
            let end = walk(&system, method.clone(), t_end, || h * random.range(0.6, 1.4));
            distance(&end.q, &expected.q) + 0.1 * distance(&end.v, &expected.v)
        };
        let (coarse, fine) = (run(1e-3), run(1.25e-4));
        let order = (coarse / fine).log2() / 3.0;
        assert!(
            (order - 1.0).abs() < 0.2 || name.starts_with("symplectic") && (1.0..2.0).contains(&order),
            "{name}: order {order} ({coarse:e} → {fine:e})"
        );
    }
}
