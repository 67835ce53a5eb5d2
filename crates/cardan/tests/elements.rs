//! The battery over every joint, constraint and force: exact derivatives against differences, action and reaction, energy.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::constraints::{Constraint, Element, Level};
use cardan::forces::{ForceLaw, KINDS};
use cardan::math::{Vec6, angular, linear, stack};
use cardan::measures::{Context, Measure};
use cardan::prelude::*;
use cardan::system::{Jacobian, Kkt, KktError, Placement, Weights, Work};
use common::differences::{assert_close, derivative, moved};
use common::{Fixture, Side, Style, cases, fixtures, random_state, random_vector};
use std::collections::{BTreeMap, BTreeSet};

const TOLERANCE: f64 = 2e-9;

fn context<'a>(x: &'a State, work: &'a Work) -> Context<'a> {
    Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch }
}

#[test]
fn every_kind_is_covered_on_the_pairs_that_matter() {
    let mut pairs: BTreeMap<&str, Vec<[Side; 2]>> = BTreeMap::new();
    let mut kinds = BTreeSet::new();
    for fixture in fixtures() {
        pairs.entry(fixture.case).or_default().push(fixture.sides);
        kinds.extend(fixture.system.forces().iter().map(|f| f.kind_name()));
    }
    for case in cases::cases() {
        let covered = pairs.get(case.name).cloned().unwrap_or_default();
        for sides in [[Side::Rigid, Side::Rigid], [Side::Rigid, Side::Ground], [Side::Ground, Side::Rigid], [Side::Planar, Side::Planar]] {
            assert!(covered.contains(&sides), "{} is not tested on {sides:?}", case.name);
        }
    }
    for (kind, _) in KINDS {
        assert!(kinds.contains(kind), "force {kind} is not tested");
    }
}

/// The scaled residual as a function of the Newton unknown (u, λ): see `system/tangent.rs`.
struct Newton<'a> {
    system: &'a System,
    base: &'a State,
    delta: &'a [f64],
    x: &'a State,
    w: Weights<'a>,
}

impl Newton<'_> {
    fn residual(&self, direction: usize, s: f64) -> Vec<f64> {
        let (system, w, nv) = (self.system, &self.w, self.system.nv());
        let mut x = self.x.clone();
        let mut u = vec![0.0; nv];
        if direction < nv {
            u[direction] = s
        } else {
            x.lambda[direction - nv] += s
        }
        match w.placed {
            Some(_) => {
                let total: Vec<f64> = self.delta.iter().zip(&u).map(|(d, u)| d + w.position * u).collect();
                system.retract(&self.base.q, &total, &mut x.q);
            }
            None => {
                let total: Vec<f64> = u.iter().map(|u| w.position * u).collect();
                system.retract(&self.x.q, &total, &mut x.q);
            }
        }
        for k in 0..nv {
            x.v[k] += w.velocity * u[k];
            x.a[k] += w.acceleration * u[k];
        }
        let mut work = Work::new(system);
        let at = system.evaluate(&x, &mut work);
        let mut out = at.f().to_vec();
        system.add_mass_times(&x.q, &x.a, 1.0, &mut out);
        for (row, level) in system.levels().iter().enumerate() {
            let scale = if *level == Level::Position { w.position } else { w.velocity };
            out.push(at.phi()[row] / scale - w.regularization[row] * x.lambda[row]);
        }
        out
    }

    fn check(&self, label: &str) {
        let (system, n) = (self.system, self.system.nv() + self.system.rows());
        let (mut work, mut jacobian) = (Work::new(system), Jacobian::new(system));
        let mut at = system.evaluate(self.x, &mut work);
        at.tangent(&self.w, &mut jacobian);
        let mut dense = vec![0.0; n * n];
        jacobian.matrix().to_dense(&mut dense);
        for column in 0..n {
            let numeric = derivative(|s| self.residual(column, s));
            assert_close(&dense[column * n..(column + 1) * n], &numeric, TOLERANCE, &format!("{label}, column {column}"));
        }
    }
}

#[test]
fn tangents_match_differences_of_the_residual() {
    for Fixture { label, system, mut random, .. } in fixtures() {
        let base = random_state(&system, &mut random);
        let delta = random_vector(&mut random, system.nv(), 0.9);
        let mut x = random_state(&system, &mut random);
        system.retract(&base.q, &delta, &mut x.q);
        system.remember(&mut x, &mut Work::new(&system));
        let regularization = random_vector(&mut random, system.rows(), 0.5);
        let mut weight = || random.range(0.3, 1.5);
        let c_a = weight();
        let mut w = Weights {
            mass: c_a,
            acceleration: c_a,
            velocity: weight(),
            position: weight(),
            placed: Some(Placement::by(Chart::Exponential, &delta)),
            ..Weights::accelerations(&regularization)
        };
        Newton { system: &system, base: &base, delta: &delta, x: &x, w }.check(&format!("{label}, increment"));
        w.placed = None;
        Newton { system: &system, base: &base, delta: &delta, x: &x, w }.check(&format!("{label}, in place"));
    }
}

#[test]
fn constraint_rates_are_time_derivatives() {
    for Fixture { label, system, mut random, .. } in fixtures() {
        let x = random_state(&system, &mut random);
        let mut work = Work::new(&system);
        let constraints = |s: f64| {
            let mut work = Work::new(&system);
            let y = moved(&system, &x, s);
            let at = system.evaluate(&y, &mut work);
            [at.phi().to_vec(), at.phi_dot().to_vec()]
        };
        let mut at = system.evaluate(&x, &mut work);
        let rate = derivative(|s| constraints(s)[0].clone());
        let velocity_level = system.levels().iter().map(|l| *l == Level::Velocity);
        let mut bias = vec![0.0; system.rows()];
        at.acceleration_bias(&mut bias);
        for (row, nonholonomic) in velocity_level.enumerate() {
            let exact = if nonholonomic { bias[row] } else { at.phi_dot()[row] };
            assert_close(&[exact], &[rate[row]], TOLERANCE, &format!("{label}, rate of row {row}"));
        }
        assert_close(&bias, &derivative(|s| constraints(s)[1].clone()), TOLERANCE, &format!("{label}, bias"));
    }
}

#[test]
fn rates_of_forces_are_derivatives_by_time_alone() {
    let mut checked = 0;
    for Fixture { label, system, mut random, .. } in fixtures() {
        let x = random_state(&system, &mut random);
        let mut work = Work::new(&system);
        system.kinematics(&x.q, &x.v, &mut work);
        let ctx = context(&x, &work);
        for force in system.forces() {
            let flat = |w: [Vec6; 2]| w.iter().flat_map(|w| w.iter().copied().collect::<Vec<_>>()).collect::<Vec<f64>>();
            let rate = flat(force.rate(&ctx));
            let numeric = derivative(|s| flat(force.wrench(&Context { t: ctx.t + s, ..ctx })));
            assert_close(&rate, &numeric, TOLERANCE, &format!("{label}, rate"));
            checked += usize::from(rate.iter().any(|r| *r != 0.0));
        }
    }
    assert!(checked > 10);
}

#[test]
fn forces_are_balanced_by_their_reactions() {
    let mut checked = 0;
    for Fixture { label, system, mut random, style, .. } in fixtures() {
        let x = random_state(&system, &mut random);
        let mut work = Work::new(&system);
        system.kinematics(&x.q, &x.v, &mut work);
        let ctx = context(&x, &work);
        for force in system.forces() {
            let wrench = force.wrench(&ctx);
            assert!(wrench[0].norm() > 1e-6 || style != Style::Any, "{label} does nothing");
            assert!(total(&ctx, &force.markers(), &wrench).norm() < 1e-12 * (1.0 + wrench[1].norm()), "{label}");
            checked += 1;
        }
    }
    assert!(checked > 100);
}

/// The sum of wrenches about the world's origin.
fn total(ctx: &Context, markers: &[MarkerId], wrenches: &[Vec6]) -> Vec6 {
    let at_origin = |(m, w): (&MarkerId, &Vec6)| stack(linear(w), angular(w) + ctx.marker(*m).p.cross(&linear(w)));
    markers.iter().zip(wrenches).map(at_origin).sum()
}

/// Rows that depend on the relative pose alone are balanced anywhere; rows along world axes only where the origins meet:
/// elsewhere their moment is d × e.
#[test]
fn constraint_rows_are_balanced() {
    for Fixture { label, system, mut random, .. } in fixtures() {
        let x = random_state(&system, &mut random);
        let mut work = Work::new(&system);
        system.kinematics(&x.q, &x.v, &mut work);
        let ctx = context(&x, &work);
        for element in system.constraints().iter().map(|c| &c.element).filter(|e| !matches!(e, Element::UserConstraint(_))) {
            let n = element.markers().len();
            for row in 0..element.rows() {
                let (mut g, mut gt) = (vec![Vec6::zeros(); n], vec![Vec6::zeros(); n]);
                element.evaluate(&ctx, row, &mut g, &mut gt);
                let mut sum = total(&ctx, element.markers(), &g);
                if along_world(element, row) {
                    let d = ctx.marker(element.markers()[0]).p - ctx.marker(element.markers()[1]).p;
                    sum -= stack(Vec3::zeros(), d.cross(&linear(&g[0])));
                }
                assert!(sum.norm() < 1e-12 * (1.0 + g[0].norm()), "{label}, row {row}: {sum}");
            }
        }
    }
}

fn along_world(element: &Element, row: usize) -> bool {
    matches!(element, Element::Rows(rows) if matches!(rows.rows[row].terms[0].measure, Measure::World(_)))
}

/// What a passive force gives to the bodies is what its potential loses less what it dissipates.
#[test]
fn passive_forces_balance_their_power() {
    let passive = ["SpringDamper", "RotationalSpringDamper", "Bushing", "Beam", "JointFriction"];
    for Fixture { label, system, mut random, .. } in fixtures() {
        for force in system.forces().iter().filter(|f| passive.contains(&f.kind_name())) {
            let x = random_state(&system, &mut random);
            let (power, dissipation) = power(&system, force, &x);
            let potential = |s: f64| {
                let (y, mut work) = (moved(&system, &x, s), Work::new(&system));
                system.evaluate(&y, &mut work);
                vec![force.potential(&context(&y, &work))]
            };
            assert_close(&[power], &[-derivative(potential)[0] - dissipation], TOLERANCE, &label);
            assert!(dissipation >= 0.0, "{label} creates energy");
        }
    }
}

fn power(system: &System, force: &Force, x: &State) -> (f64, f64) {
    let mut work = Work::new(system);
    system.evaluate(x, &mut work);
    let ctx = context(x, &work);
    let pairs = force.markers().into_iter().zip(force.wrench(&ctx));
    (pairs.map(|(m, w)| w.dot(&ctx.marker(m).twist())).sum(), force.dissipation(&ctx))
}

#[test]
fn no_row_is_identically_zero() {
    for Fixture { label, system, mut random, .. } in fixtures() {
        let x = random_state(&system, &mut random);
        let (mut work, mut jacobian) = (Work::new(&system), Jacobian::new(&system));
        let mut at = system.evaluate(&x, &mut work);
        at.tangent(&Weights::mass_only(&[]), &mut jacobian);
        let n = system.nv() + system.rows();
        let mut dense = vec![0.0; n * n];
        jacobian.matrix().to_dense(&mut dense);
        for row in 0..system.rows() {
            let size = (0..system.nv()).map(|c| dense[c * n + system.nv() + row].abs()).fold(0.0, f64::max);
            assert!(size > 1e-9, "{label}: row {:?} is zero", system.row_name(row));
        }
    }
}

/// M a + Gᵀλ − Q = 0, and Φ̇ stays constant along the accelerated motion.
#[test]
fn accelerations_satisfy_the_equations_of_motion() {
    let mut solved = 0;
    for Fixture { label, system, mut random, style, .. } in fixtures() {
        let (mut x, mut work) = (random_state(&system, &mut random), Work::new(&system));
        match Kkt::new(&system).accelerate(&system, &mut x, &mut work) {
            Ok(_) => solved += 1,
            // Markers that cannot be brought together at a random state leave dependent rows on bodies that do not tilt.
            Err(KktError::Singular { .. }) if style != Style::Any => continue,
            Err(error) => panic!("{label}: {error}"),
        }
        let at = system.evaluate(&x, &mut work);
        let (size, mut residual) = (at.f().iter().fold(1.0_f64, |m, f| m.max(f.abs())), at.f().to_vec());
        system.add_mass_times(&x.q, &x.a, 1.0, &mut residual);
        assert!(residual.iter().all(|r| r.abs() < 1e-9 * size), "{label}: residual {residual:?}");
        let rate = derivative(|s| {
            let mut y = x.clone();
            let delta: Vec<f64> = x.v.iter().zip(&x.a).map(|(v, a)| s * v + 0.5 * s * s * a).collect();
            system.retract(&x.q, &delta, &mut y.q);
            y.v.iter_mut().zip(&x.a).for_each(|(v, a)| *v += s * a);
            y.t += s;
            let mut work = Work::new(&system);
            let at = system.evaluate(&y, &mut work);
            at.phi_dot().to_vec()
        });
        let speed = x.a.iter().fold(1.0_f64, |m, a| m.max(a.abs()));
        assert!(rate.iter().all(|r| r.abs() < 1e-7 * speed), "{label}: {rate:?}");
    }
    assert!(solved > 1000, "only {solved} solved");
}

/// d(T + V)/dt is the sum of the powers of motions, applied forces and dampers, at any velocities that satisfy the constraints.
#[test]
fn powers_balance_the_change_of_energy() {
    let mut checked = [0; 4];
    for Fixture { label, system, mut random, style, .. } in fixtures() {
        let (mut x, mut work) = (random_state(&system, &mut random), Work::new(&system));
        match Kkt::new(&system).project_and_accelerate(&system, &mut x, &mut work) {
            Ok(_) => checked[3] += 1,
            Err(_) if style != Style::Any => continue,
            Err(error) => panic!("{label}: {error}"),
        }
        let exchangers = system.exchangers();
        let mut powers = vec![0.0; exchangers.len()];
        system.powers(&exchangers, &x, &mut work, &mut powers);
        exchangers.iter().for_each(|e| checked[e.through as usize] += 1);
        let energy = |s: f64| {
            let mut y = moved(&system, &x, s);
            y.v.iter_mut().zip(&x.a).for_each(|(v, a)| *v += s * a);
            vec![system.energy(&y, &mut Work::new(&system)).total()]
        };
        let mut force = vec![0.0; system.nv()];
        system.add_mass_times(&x.q, &x.a, 1.0, &mut force);
        let terms: Vec<f64> = force.iter().zip(&x.v).map(|(f, v)| f * v).collect();
        let size = terms.iter().chain(&powers).fold(1.0_f64, |m, p| m.max(p.abs()));
        let change = derivative(energy)[0];
        let sum: f64 = powers.iter().sum();
        assert!((sum - change).abs() < 1e-8 * size, "{label}: powers {powers:?}, the energy changes by {change:.12e}");
    }
    assert!(checked.iter().all(|c| *c > 30), "{checked:?}");
}
