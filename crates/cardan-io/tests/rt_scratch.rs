//! All gallery models in real time (scratch harness).
#![allow(clippy::unwrap_used, reason = "test")]
use cardan::analysis::RealTime;
use cardan::integrators::*;
use cardan::system::{System, Work};
use std::path::Path;

#[test]
fn table() {
    let only = std::env::var("ONLY").ok();
    let t_end: f64 = std::env::var("T").map_or(10.0, |t| t.parse().unwrap());
    let h: f64 = std::env::var("H").map_or(1e-3, |t| t.parse().unwrap());
    let jac = std::env::var("JAC").ok();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    names.sort();
    for p in names {
        let name = p.file_name().unwrap().to_string_lossy().to_string();
        if only.as_ref().is_some_and(|o| !o.split(',').any(|o| name == o)) { continue; }
        let document = cardan_io::model_file::load(&p.join("model.toml"), &Default::default()).unwrap();
        let system = System::new(&document.model).unwrap();
        let mut m: std::sync::Arc<dyn Method> = std::sync::Arc::new(LinearImplicitEuler::default());
        if let Some(j) = &jac { m = m.with("jacobian", Parameter::Word(j)).unwrap(); }
        use std::sync::atomic::Ordering::Relaxed; RATIO.store(0, Relaxed); LOW.store(0, Relaxed);
        let begun = std::time::Instant::now();
        let mut run = match RealTime::shared(&system, m, h) { Ok(r) => r, Err(e) => { println!("{name:24} START {e}"); continue } };
        let mut work = Work::new(&system);
        let e0 = system.energy(run.state(), &mut work);
        let (mut lo, mut hi, mut kmax) = (e0.total(), e0.total(), e0.kinetic);
        let (mut klo,mut khi)=(e0.kinetic,e0.kinetic);
        let (mut pv, mut vv) = (0.0f64, 0.0f64);
        let mut out = vec![0.0; system.sensors().len()];
        let inputs = vec![0.0; system.inputs().len()];
        let mut err = String::new();
        let mut turn = 0.0f64;
        for k in 0..(t_end / h).round() as usize {
            if let Err(e) = run.step(&inputs, &mut out) { err = e.to_string(); break; }
            let v = run.violation();
            pv = pv.max(v.0); vv = vv.max(v.1);
            for b in system.bodies() { let v=&run.state().v[b.v()]; let w: f64 = v.iter().zip(b.shape.columns()).filter(|(_,c)| **c>=3).map(|(x,_)| x*x).sum(); turn = turn.max(h*w.sqrt()); }
            if k % 10 == 0 { let e = system.energy(run.state(), &mut work); lo = lo.min(e.total()); hi = hi.max(e.total()); kmax = kmax.max(e.kinetic); klo=klo.min(e.kinetic); khi=khi.max(e.kinetic); }
        }
        let e = system.energy(run.state(), &mut work);
        println!("{name:24} t {:7.3} viol {pv:8.1e} {vv:8.1e} turn {turn:8.1e} | K {klo:9.3e}..{khi:9.3e} E0 {:11.4e} end {:11.4e} min {:11.4e} max {:11.4e} | gain {:8.4} max gain {:8.4} of K range unpl {} created {:.4} {:.4} {:.1} s {}", run.state().t, e0.total(), e.total(), lo, hi, (e.total()-e0.total())/(khi-klo), (hi-e0.total())/(khi-klo), run.statistics().unplanned, f64::from_bits(RATIO.load(Relaxed)), f64::from_bits(LOW.load(Relaxed)), begun.elapsed().as_secs_f64(), err);
    }
}
