//! No allocation in a step, and how much work a step is: counts that must not creep up.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![allow(unsafe_code, reason = "counting allocations needs an allocator of its own")]

#[path = "common/models.rs"]
mod models;

use cardan::integrators::{Statistics, Stepper};
use cardan::prelude::*;
use models::*;
use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { Heap.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { Heap.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn steps_of_small_models_do_not_allocate() {
    for model in [pendulum(), stiff_double_pendulum(), heavy_top()] {
        let system = System::new(&model).unwrap();
        let start = assemble(&system).unwrap().state;
        for method in [Hht::default().into_shared(), GeneralizedAlpha::default().into_shared(), Newmark::new(0.6).into_shared()] {
            for formulation in [Formulation::Index3, Formulation::Index2] {
                let options = Options { formulation, ..Options::default() };
                let mut stepper = Stepper::new(&system, method.clone(), options, &start, &[]);
                stepper.start(&start, 1e-4).unwrap();
                let before = COUNT.with(Cell::get);
                for k in 0..200 {
                    stepper.attempt(if k % 50 < 25 { 1e-4 } else { 2e-4 }, Some(1e-5)).unwrap();
                    stepper.accept();
                }
                assert_eq!(COUNT.with(Cell::get) - before, 0, "{} with {} {formulation:?}", model.name(), method.name());
            }
        }
    }
}

trait Shared {
    fn into_shared(self) -> std::sync::Arc<dyn cardan::integrators::Method>;
}

impl<M: cardan::integrators::Method + 'static> Shared for M {
    fn into_shared(self) -> std::sync::Arc<dyn cardan::integrators::Method> {
        std::sync::Arc::new(self)
    }
}

/// Steps, rejections, Newton iterations and Jacobians of a run.
fn counts(model: &Model, tolerance: f64, t_end: f64) -> [usize; 4] {
    let system = System::new(model).unwrap();
    let run = Simulation::new(&system).tolerance(tolerance).record(Record::Ends).run(t_end).unwrap();
    let Statistics { steps, rejected, newton_iterations, jacobians, .. } = run.statistics;
    [steps, rejected, newton_iterations, jacobians]
}

#[test]
fn the_work_of_known_runs_stays_what_it_was() {
    let found = [counts(&pendulum(), 1e-6, 4.0), counts(&stiff_double_pendulum(), 1e-6, 2.0), counts(&heavy_top(), 1e-7, 0.5)];
    let expected = [[782, 10, 2236, 225], [769, 1, 2102, 261], [2521, 3, 7271, 672]];
    for (found, expected) in found.iter().zip(expected) {
        for (f, e) in found.iter().zip(expected) {
            assert!(f.abs_diff(e) <= 2 + e / 50, "found {found:?}, expected {expected:?}");
        }
    }
}
