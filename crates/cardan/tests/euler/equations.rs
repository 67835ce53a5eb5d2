//! What one step solves: equations with derivatives by differences, marked and stiff forces, friction.

use crate::*;
use cardan::system::{Kkt, Work};

/// Two bodies in the air that feel everything but constraints, with a differential state.
fn floating() -> Model {
    let mut model = Model::new("floating");
    model.set_gravity([0.0, 0.0, -9.81]);
    let a = model.add_body(Body::rigid("a", 1.0, Inertia::cuboid(1.0, 0.6, 0.3, 0.2)).spinning([1.0, 2.0, 3.0]));
    let b = Body::rigid("b", 2.0, Inertia::cuboid(2.0, 0.2, 0.5, 0.4)).at([0.4, 0.7, 0.2]).moving([0.3, -0.2, 0.1]);
    let b = model.add_body(b.spinning([-1.0, 0.5, 0.2]));
    let p = model.add_body(Body::planar("p", 1.0, 0.1).at([0.0, -1.0, 0.0]).spinning([0.0, 0.0, 2.0]));
    let (i, j) = (model.add_marker(Marker::on(a).at([0.1, 0.2, 0.0]).named("i")), model.add_marker(Marker::on(b).at([0.0, -0.1, 0.1])));
    let (k, g) = (model.add_marker(Marker::on(p).at([0.2, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(400.0).damping(10.0).free_length(0.5));
    model.add_force(Bushing::new("bushing", k, g).stiffness(cardan::math::Mat6::identity() * 50.0));
    model.add_force(ExpressionForce::single("pull", i, g, Line::Between, "-20*VR(i)*DM(i) - DIF(s) + TIME**2"));
    model.add_state(Differential::new("s", "3*VM(b) - 4*DIF(s)**2 + SIN(5*TIME)", 0.7));
    model
}

/// v̇ and ẋ at q ⊕ δ, v + δv, x + δx, t + δt.
fn rates(system: &System, at: &State, change: &[f64], kkt: &mut Kkt, work: &mut Work) -> Vec<f64> {
    let (nv, mut x) = (system.nv(), at.clone());
    system.retract(&at.q, &change[..nv], &mut x.q);
    x.v.iter_mut().zip(&change[nv..]).for_each(|(v, d)| *v += d);
    x.x.iter_mut().zip(&change[2 * nv..]).for_each(|(x, d)| *x += d);
    x.t += change[2 * nv + system.nx()];
    kkt.accelerate(system, &mut x, work).unwrap();
    x.a.iter().chain(&x.x_dot).copied().collect()
}

/// Solves by Gaussian elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        a.swap(k, p);
        b.swap(k, p);
        for r in k + 1..n {
            let f = a[r][k] / a[k][k];
            (k..n).for_each(|c| a[r][c] -= f * a[k][c]);
            b[r] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|c| a[k][c] * b[c]).sum::<f64>()) / a[k][k];
    }
    b
}

#[test]
fn a_step_is_that_of_the_equations_with_differences_for_derivatives() {
    let system = System::new(&floating()).unwrap();
    let start = assemble(&system).unwrap().state;
    let (nv, nx, h) = (system.nv(), system.nx(), 0.02);
    let n = 2 * nv + nx;
    let (mut kkt, mut work) = (Kkt::new(&system), Work::new(&system));
    let f0 = rates(&system, &start, &vec![0.0; n + 1], &mut kkt, &mut work);
    let column = |k: usize, kkt: &mut Kkt, work: &mut Work| -> Vec<f64> {
        let mut at = |e: f64| {
            let mut change = vec![0.0; n + 1];
            change[k] = e;
            rates(&system, &start, &change, kkt, work)
        };
        let (plus, minus) = (at(1e-5), at(-1e-5));
        plus.iter().zip(&minus).map(|(p, m)| (p - m) / 2e-5).collect()
    };
    let columns: Vec<Vec<f64>> = (0..=n).map(|k| column(k, &mut kkt, &mut work)).collect();
    for (jacobian, upper, by_q, by_v) in [("exact", 1.0, 0.0, 1.0), ("J1", 0.0, 0.0, 1.0), ("J2", 0.0, h, 1.0), ("J3", 0.0, 0.0, 0.0)] {
        // (I − h J)(k_q, k_v, k_x) = (v, v̇, ẋ) + h ∂/∂t
        let mut matrix = vec![vec![0.0; n]; n];
        for r in 0..n {
            matrix[r][r] = 1.0;
            if r < nv {
                matrix[r][nv + r] -= h * upper;
                continue;
            }
            for c in 0..nv {
                matrix[r][c] -= h * columns[c][r - nv];
                matrix[r][nv + c] -= h * (by_v * columns[nv + c][r - nv] + by_q * columns[c][r - nv]);
            }
            (2 * nv..n).for_each(|c| matrix[r][c] -= h * columns[c][r - nv]);
        }
        let right = start.v.iter().copied().chain(f0.iter().zip(&columns[n]).map(|(f, t)| f + h * t)).collect();
        let k = solve(matrix, right);
        let method = set(linear_implicit(), &[("jacobian", jacobian), ("constraints", "index1")]);
        let end = walk(&system, method, h, || h);
        let mut q = start.q.clone();
        system.retract(&start.q, &k[..nv].iter().map(|k| h * k).collect::<Vec<_>>(), &mut q);
        let v: Vec<f64> = start.v.iter().zip(&k[nv..]).map(|(v, k)| v + h * k).collect();
        assert!(distance(&end.q, &q) < 1e-8, "{jacobian}: {:e}", distance(&end.q, &q));
        assert!(distance(&end.v, &v) < 1e-7, "{jacobian}: {:e}", distance(&end.v, &v));
        assert!((end.x[0] - start.x[0] - h * k[2 * nv]).abs() < 1e-8, "{jacobian}: state");
    }
}

#[test]
fn marked_forces_are_all_or_nothing_of_the_difference() {
    let mut model = stiff_double_pendulum();
    let end = |model: &Model, parameters: &[(&str, &str)]| {
        let system = System::new(model).unwrap();
        walk(&system, set(linear_implicit(), parameters), 1e-5, || 1e-6)
    };
    let half = walk(&System::new(&model).unwrap(), Arc::new(HalfExplicitEuler::default()), 1e-5, || 1e-6);
    assert!(distance(&end(&model, &[("jacobian", "marked")]).v, &half.v) < 1e-12);
    model.mark_implicit("spring 1");
    model.mark_implicit("spring 2");
    let (marked, all) = (end(&model, &[("jacobian", "marked")]), end(&model, &[("jacobian", "J2")]));
    assert!(distance(&marked.v, &all.v) < 1e-12 && distance(&half.v, &all.v) > 1e-6);
}

#[test]
fn stiff_forces_are_stable_where_they_are_implicit() {
    let mut model = stiff_double_pendulum();
    model.mark_implicit("spring 2");
    let system = System::new(&model).unwrap();
    let expected = exact_end(&system, 2.0);
    for (jacobian, constraints) in [("J2", "ggl"), ("marked", "ggl"), ("exact", "projection")] {
        let method = set(linear_implicit(), &[("jacobian", jacobian), ("constraints", constraints)]);
        let end = walk(&system, method, 2.0, || 1e-3);
        assert!(distance(&end.q, &expected.q) < 0.1, "{jacobian}, {constraints}: {:e}", distance(&end.q, &expected.q));
    }
}

#[test]
fn friction_and_forces_that_read_accelerations_and_reactions_are_linearised() {
    let mut model = Model::new("slope");
    model.set_gravity([4.0, -9.0, 0.0]);
    let block = model.add_body(Body::planar("block", 1.0, 0.1));
    let (i, j) = (model.add_marker(Marker::on(block)), model.add_marker(Marker::on(BodyId::GROUND)));
    let slide = |m: Marker| m.z_along([1.0, 0.0, 0.0]);
    let (a, b) = (model.add_marker(slide(Marker::on(block))), model.add_marker(slide(Marker::on(BodyId::GROUND))));
    let guide = model.add_joint(Joint::new("guide", Translational, a, b));
    model.add_force(JointFriction::sliding("friction", guide, 0.2, 0.2));
    model.add_force(ExpressionForce::vector("added mass", i, j, j, ["-3*ACCX(block) - 0.1*FY(guide)", "0", "0"]));
    let system = System::new(&model).unwrap();
    // 4 m/s² down the slope, friction 0.2 · 9, a tenth of the reaction, and four times the mass to move.
    let expected = (4.0 - 0.2 * 9.0 - 0.1 * 9.0) / 4.0;
    for (name, method) in all() {
        let end = walk(&system, method, 1.0, || 1e-3);
        assert!((end.v[0] / expected - 1.0).abs() < 0.02, "{name}: {} instead of {expected}", end.v[0]);
    }
}
