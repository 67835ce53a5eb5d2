//! Radau IIA.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::prelude::*;
use models::*;

#[test]
fn explore() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"]);
    for formulation in [Formulation::Index3, Formulation::Index2] {
        for h in [4e-3, 2e-3, 1e-3, 5e-4] {
            let run = Simulation::new(&system).method(Radau).formulation(formulation).step(h).record(Record::Ends).run(1.0);
            match run {
                Ok(run) => println!("{formulation:?} {h} {:?} {:?} {:e}", top_errors(run.last().unwrap(), &expected), run.statistics, run.position_violation),
                Err(e) => println!("{formulation:?} {h} {e}"),
            }
        }
        for tol in [1e-3, 1e-6, 1e-9, 1e-12] {
            let run = Simulation::new(&system).method(Radau).formulation(formulation).tolerance(tol).record(Record::Ends).run(1.0);
            match run {
                Ok(run) => println!("{formulation:?} {tol:e} {:?} {:?} {:e}", top_errors(run.last().unwrap(), &expected), run.statistics, run.position_violation),
                Err(e) => println!("{formulation:?} {tol:e} {e}"),
            }
        }
    }
    for h in [2e-3, 1e-3, 5e-4] {
        let run = Simulation::new(&system).method(DormandPrince).step(h).record(Record::Ends).run(1.0).unwrap();
        println!("dp {h} {:?} {:?} {:e}", top_errors(run.last().unwrap(), &expected), run.statistics, run.position_violation);
    }
    for tol in [1e-6, 1e-9, 1e-12] {
        let run = Simulation::new(&system).method(DormandPrince).tolerance(tol).record(Record::Ends).run(1.0).unwrap();
        println!("dp {tol:e} {:?} {:?} {:e}", top_errors(run.last().unwrap(), &expected), run.statistics, run.position_violation);
    }
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let (q, v) = stiff_double_pendulum_end();
    for formulation in [Formulation::Index3, Formulation::Index2] {
        for tol in [1e-3, 1e-6, 1e-9, 1e-12] {
            let run = Simulation::new(&system).method(Radau).formulation(formulation).tolerance(tol).record(Record::Ends).run(2.0);
            match run {
                Ok(run) => println!("{formulation:?} {tol:e} {:e} {:e} {:?} {:e}", distance(&run.last().unwrap().q, &q),distance(&run.last().unwrap().v, &v), run.statistics, run.position_violation),
                Err(e) => println!("{formulation:?} {tol:e} {e}"),
            }
        }
    }
}
