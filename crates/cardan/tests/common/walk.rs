//! A run with step sizes given one by one.

use cardan::integrators::{Method, Stepper};
use cardan::prelude::*;
use std::sync::Arc;

/// Runs to `t_end` with the given step sizes; returns the method's own end and the one reported to users.
pub fn walk(system: &System, method: Arc<dyn Method>, formulation: Formulation, t_end: f64, mut size: impl FnMut() -> f64) -> [State; 2] {
    let options = Options { formulation, ..Options::default() };
    let start = assemble(system).unwrap().state;
    let mut stepper = Stepper::new(system, method, options, &start, &[]);
    let mut h = size();
    stepper.start(&start, h).unwrap();
    loop {
        let left = t_end - stepper.now().t;
        let last = h > left * (1.0 - 1e-9);
        stepper.attempt(if last { left } else { h }, None).unwrap();
        stepper.accept();
        let (position, velocity) = stepper.violation();
        assert!(position < 1e-13, "position constraints at round-off, not {position:e}");
        assert!(formulation == Formulation::Index3 || velocity < 1e-10, "velocity constraints at round-off, not {velocity:e}");
        if last {
            break;
        }
        h = size();
    }
    let own = stepper.now().clone();
    let mut reported = own.clone();
    stepper.consistent(&mut reported).unwrap();
    [own, reported]
}
