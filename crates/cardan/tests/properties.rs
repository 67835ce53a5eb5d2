//! Properties that hold for every mechanism: random trees of random joints, shrunk by proptest when one fails.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/builder.rs"]
#[allow(dead_code, reason = "every test program uses a part")]
mod builder;

use builder::Builder;
use cardan::bodies::BodyId;
use cardan::constraints::joints::{self, JointType};
use cardan::prelude::*;
use cardan::system::{Kkt, Work};
use proptest::prelude::*;
use std::sync::Arc;

/// Joints that fit between any two bodies (the rotation about z needs parallel axes to be defined).
fn fitting() -> Vec<Arc<dyn JointType>> {
    joints::all().into_iter().filter(|j| j.name() != "angle").collect()
}

/// A tree: body k hangs by joint kind `links[k].0` on one of the bodies before it.
fn tree(seed: u64, links: &[(usize, usize)]) -> Model {
    let mut m = Builder::new(seed);
    let kinds = fitting();
    let mut bodies = vec![BodyId::GROUND];
    for (k, (kind, parent)) in links.iter().enumerate() {
        let body = m.body();
        let parent = bodies[parent % bodies.len()];
        m.joint(&format!("joint {k}"), kinds[kind % kinds.len()].clone(), body, parent);
        bodies.push(body);
    }
    m.passive_forces(bodies[bodies.len() - 1], BodyId::GROUND);
    m.model
}

fn links() -> impl Strategy<Value = Vec<(usize, usize)>> {
    proptest::collection::vec((0_usize..15, 0_usize..8), 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Trees are never redundant, and assembly meets the constraints at all levels.
    #[test]
    fn trees_assemble_to_round_off(seed in 0_u64..1_000_000, links in links()) {
        let system = System::new(&tree(seed, &links)).unwrap();
        let assembly = assemble(&system).unwrap();
        let (position, velocity) = system.violation(&assembly.state, &mut Work::new(&system));
        prop_assert!(assembly.redundancy.redundant.is_empty());
        prop_assert_eq!(assembly.redundancy.degrees_of_freedom, system.nv() - system.rows());
        prop_assert!(position < 1e-12 && velocity < 1e-11, "{:e} {:e}", position, velocity);
    }

    /// Energy changes only by what is dissipated: vᵀ M a + V̇ + dissipation = 0 with a from the equations of motion.
    #[test]
    fn power_is_balanced(seed in 0_u64..1_000_000, links in links()) {
        let system = System::new(&tree(seed, &links)).unwrap();
        let (x, mut work) = (assemble(&system).unwrap().state, Work::new(&system));
        let mut momentum_rate = vec![0.0; system.nv()];
        system.add_mass_times(&x.q, &x.a, 1.0, &mut momentum_rate);
        let kinetic: f64 = momentum_rate.iter().zip(&x.v).map(|(p, v)| p * v).sum();
        let mut potential_at = |h: f64| {
            let (mut y, delta) = (x.clone(), x.v.iter().map(|v| h * v).collect::<Vec<_>>());
            system.retract(&x.q, &delta, &mut y.q);
            system.energy(&y, &mut work).potential
        };
        let potential = (potential_at(1e-5) - potential_at(-1e-5)) / 2e-5;
        let dissipation = system.energy(&x, &mut Work::new(&system)).dissipation;
        let size = kinetic.abs() + potential.abs() + dissipation.abs() + 1.0;
        prop_assert!((kinetic + potential + dissipation).abs() < 1e-7 * size, "{} {} {}", kinetic, potential, dissipation);
    }

    /// A projection changes nothing that is already where it belongs.
    #[test]
    fn projections_are_idempotent(seed in 0_u64..1_000_000, links in links()) {
        let system = System::new(&tree(seed, &links)).unwrap();
        let (start, mut work, mut kkt) = (assemble(&system).unwrap().state, Work::new(&system), Kkt::new(&system));
        let mut x = start.clone();
        kkt.project_positions(&system, &mut x, &mut work).unwrap();
        kkt.project_velocities(&system, &mut x, &mut work).unwrap();
        let moved = x.q.iter().zip(&start.q).chain(x.v.iter().zip(&start.v)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        prop_assert!(moved < 1e-10, "{:e}", moved);
    }
}
