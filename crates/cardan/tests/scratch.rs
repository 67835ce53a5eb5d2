use cardan::integrators::*;
use cardan::prelude::*;
use std::sync::Arc;
fn pendulum() -> Model {
    let mut m = Model::new("pendulum");
    m.set_gravity([0.0, -9.81, 0.0]);
    let a = std::f64::consts::PI / 3.0;
    let bob = m.add_body(Body::point_2d("bob", 1.0).at([a.sin(), -0.5, 0.0]));
    let i = m.add_marker(Marker::on(bob));
    let j = m.add_marker(Marker::on(BodyId::GROUND));
    m.add_joint(Joint::new("rod", Rod { length: 1.0 }, i, j));
    m
}
fn dp() -> Model {
    let mut m = Model::new("sdp");
    m.set_gravity([0.0, -9.81, 0.0]);
    let pi = std::f64::consts::PI;
    let (t1, t2) = (2.0 * pi, 23.0 * pi / 12.0);
    let (l1, l2) = (1.0, 1.5);
    let x2 = 2.0 * l1 + l2 * t2.cos();
    let b1 = m.add_body(Body::planar("b1", 3.0, 3.0 * l1 * l1 / 3.0).at([1.0, 0.0, 0.0]).turned(t1));
    let b2 = m.add_body(
        Body::planar("b2", 0.3, 0.3 * l2 * l2 / 3.0).at([x2, l2 * t2.sin(), 0.0]).turned(t2).moving([-l2 * t2.sin() * 10.0, l2 * t2.cos() * 10.0, 0.0]).spinning([0.0, 0.0, 10.0]),
    );
    let g = m.add_marker(Marker::on(BodyId::GROUND));
    let a1 = m.add_marker(Marker::on(b1).at([-l1, 0.0, 0.0]));
    let e1 = m.add_marker(Marker::on(b1).at([l1, 0.0, 0.0]));
    let a2 = m.add_marker(Marker::on(b2).at([-l2, 0.0, 0.0]));
    m.add_joint(Joint::new("j1", Revolute, a1, g));
    m.add_joint(Joint::new("j2", Revolute, a2, e1));
    m.add_force(RotationalSpringDamper::new("s1", a1, g).stiffness(400.0).damping(15.0).free_angle(1.5 * pi));
    m.add_force(RotationalSpringDamper::new("s2", a2, e1).stiffness(3e5).damping(5e4));
    m
}
#[test]
fn tables() {
    for gamma in [0.5, 0.75] {
        for k in 4..=11 {
            let s = System::new(&pendulum()).unwrap();
            let h = 0.5f64.powi(k);
            let mut st = Stepper::new(&s, Arc::new(Newmark::new(gamma)), Options { iterations: Iterations::Fixed(1), predictor_degree: 0, ..Default::default() }, s.initial(), &[]);
            let x = s.initial().clone();
            st.start(&x, h).unwrap();
            for _ in 0..(4.0 / h) as usize {
                st.attempt(h, None).unwrap();
                st.accept();
            }
            let q = &st.now.x.q;
            let v = &st.now.x.v;
            let r = [0.6185801137750822, -0.7857217337213006, 1.8603296423332882, 1.4645934717415676];
            println!("{gamma} 2^-{k} {:.3e} {:.3e}", (q[0] - r[0]).hypot(q[1] - r[1]), (v[0] - r[2]).hypot(v[1] - r[3]));
        }
    }
    let t0 = std::time::Instant::now();
    for k in 9..=14 {
        let s = System::new(&dp()).unwrap();
        let h = 0.5f64.powi(k);
        let mut st = Stepper::new(&s, Arc::new(Newmark::new(0.75)), Options { iterations: Iterations::Fixed(3), predictor_degree: 0, ..Default::default() }, s.initial(), &[]);
        let x = s.initial().clone();
        st.start(&x, h).unwrap();
        for _ in 0..(2.0 / h) as usize {
            st.attempt(h, None).unwrap();
            st.accept();
        }
        let q = &st.now.x.q;
        let v = &st.now.x.v;
        let (t1, t2, w1, w2) = (4.640478183221331_f64, 4.640496701688532_f64, -1.6298924540837665_f64, -1.6302527153802555_f64);
        let qr = [t1.cos(), t1.sin(), t1, 2.0 * t1.cos() + 1.5 * t2.cos(), 2.0 * t1.sin() + 1.5 * t2.sin(), t2];
        let vr = [-t1.sin() * w1, t1.cos() * w1, w1, -2.0 * t1.sin() * w1 - 1.5 * t2.sin() * w2, 2.0 * t1.cos() * w1 + 1.5 * t2.cos() * w2, w2];
        let n = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        println!("2^-{k} {:.4e} {:.4e}", n(q, &qr), n(v, &vr));
    }
    println!("{:?}", t0.elapsed());
}
#[test]
fn adaptive() {
    let s = System::new(&dp()).unwrap();
    let (t1, t2, w1, w2) = (4.640478183221331_f64, 4.640496701688532_f64, -1.6298924540837665_f64, -1.6302527153802555_f64);
    let qr = [t1.cos(), t1.sin(), t1, 2.0 * t1.cos() + 1.5 * t2.cos(), 2.0 * t1.sin() + 1.5 * t2.sin(), t2];
    let vr = [-t1.sin() * w1, t1.cos() * w1, w1, -2.0 * t1.sin() * w1 - 1.5 * t2.sin() * w2, 2.0 * t1.cos() * w1 + 1.5 * t2.cos() * w2, w2];
    let n = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    let ms: Vec<Arc<dyn Method>> = vec![Arc::new(Newmark::new(0.6)), Arc::new(Newmark::new(0.51)), Arc::new(Newmark::default())];
    for m in ms {
        for f in [Formulation::Index2, Formulation::Index3] {
            println!("{m:?} {f:?}");
            for k in 0..=6 {
                let tol = 10f64.powf(-3.0 - 1.0 * k as f64);
                let t0 = std::time::Instant::now();
                let r = match Simulation::new(&s).shared_method(m.clone()).formulation(f).tolerance(tol).record(Record::Ends).run(2.0) {
                    Ok(r) => r,
                    Err(e) => {
                        println!("{tol:.1e} {e}");
                        continue;
                    }
                };
                let x = r.last().unwrap();
                let st = r.statistics;
                println!("{tol:.1e} q {:.2e} ({:.2}) v {:.2e} steps {} rej {} fail {} newton {:.2} jac {} viol {:.1e} {:.1e} {:?}", n(&x.q, &qr), n(&x.q, &qr) / tol.powf(2.0 / 3.0), n(&x.v, &vr), st.steps, st.rejected, st.failed, st.newton_iterations as f64 / st.steps as f64, st.jacobians, r.position_violation, r.velocity_violation, t0.elapsed());
            }
        }
    }
}
#[test]
fn nm() {
    for st in [Startup::Consistent, Startup::Corrected] {
        for k in 0..=4 {
            let tol = 10f64.powf(-3.0 - 1.0 * k as f64);
            let s = System::new(&pendulum()).unwrap();
            let r = Simulation::new(&s).method(Newmark::default()).options(Options { startup: st, ..Default::default() }).tolerance(tol).record(Record::Ends).run(4.0);
            match r {
                Ok(r) => println!("{st:?} {tol} {:?} {:?}", r.statistics, r.last().unwrap().q),
                Err(e) => println!("{e}"),
            }
        }
    }
}
