use cardan::integrators::*;
use cardan::prelude::*;
use std::sync::Arc;
pub fn heavy_top() -> Model {
    let mut m = Model::new("heavy top");
    m.set_gravity([0.0, 0.0, -9.81]);
    let top = m.add_body(Body::rigid("top", 15.0, Inertia::principal(0.234375, 0.46875, 0.234375)).at([0.0, 1.0, 0.0]).moving([4.61538, 0.0, 0.0]).spinning([0.0, 150.0, -4.61538]));
    let i = m.add_marker(Marker::on(top).at([0.0, -1.0, 0.0]));
    let j = m.add_marker(Marker::on(BodyId::GROUND));
    m.add_joint(Joint::new("tip", Spherical, i, j));
    m
}
#[test]
fn top() {
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string("/work/shared/reference/tops.json").unwrap()).unwrap();
    let st = &json["cases"]["heavy_top_wz_4.61538"]["states"][10];
    let r: Vec<f64> = st.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let s = System::new(&heavy_top()).unwrap();
    for f in [Formulation::Index3, Formulation::Index2] {
    for m in all() {
        println!("{m:?} {f:?}");
        for k in 0..5 {
            let h = 1e-3 * 0.5f64.powi(k);
            let mut stp = Stepper::new(&s, m.clone(), Options { formulation: f, ..Default::default() }, &assemble(&s).unwrap().state, &[]);
            let x0 = assemble(&s).unwrap().state;
            stp.start(&x0, h).unwrap();
            let n = (1.0 / h).round() as usize;
            for _ in 0..n {
                stp.attempt(h, None).unwrap();
                stp.accept();
            }
            let raw = stp.now.x.clone();
            let mut x = raw.clone();
            stp.consistent(&mut x).unwrap();
            let n = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            let sg = if x.q[3] * r[9] < 0.0 { -1.0 } else { 1.0 };
            let quat: Vec<f64> = x.q[3..7].iter().map(|x| x * sg).collect();
            // lambda: force on i is -lambda
            let lam: Vec<f64> = raw.lambda.iter().map(|l| -l).collect();
            let lamc: Vec<f64> = x.lambda.iter().map(|l| -l).collect();
            println!("h {h:.2e} r {:.3e} quat {:.3e} v {:.3e} w {:.3e} | raw a {:.3e} al {:.3e} lam {:.3e} | a {:.3e} lam {:.3e} viol {:?} newton {:.2}", n(&x.q[..3], &r[..3]), n(&quat, &r[9..13]), n(&x.v[..3], &r[3..6]), n(&x.v[3..], &r[6..9]), n(&raw.a[..3], &r[13..16]), n(&raw.a[3..], &r[19..22]), n(&lam, &r[16..19]), n(&x.a[..3], &r[13..16]), n(&lamc, &r[16..19]), stp.violation(), stp.statistics().newton_iterations as f64 / stp.statistics().steps as f64);
        }
    }
    }
}
