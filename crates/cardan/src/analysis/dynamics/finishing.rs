//! What is left to do for a sample: a state of the dense output is brought to the constraints, accelerations and reactions are recomputed
//! from q and v (`docs/decisions/0007-reported-accelerations.md`), energies and momenta follow. The steps need none of it, so it may be done
//! beside them, in a thread of its own: the same operations in the same order, whoever does them.

use crate::analysis::redundancy::Redundancy;
use crate::integrators::Speeds;
use crate::results::Sample;
use crate::system::{Kkt, KktError, Matrix, State, System, Work};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

/// Interpolated velocities may be off by this part of the mechanism's speed.
const SMALL: f64 = 0.2;
/// Systems with fewer unknowns take less time to finish a sample than to hand it over.
const WORTH_A_THREAD: usize = 500;

/// A state to be recorded.
pub(super) struct Unfinished {
    pub state: State,
    pub origin: Origin,
}

/// Where a state comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// The end of a step.
    Step,
    /// The dense output within a step, at this speed of the mechanism.
    Between { speed: f64 },
}

/// A sample, the violations that were left of a state of the dense output, and what was wrong.
pub(super) struct Finished {
    pub sample: Sample,
    pub violation: Option<(f64, f64)>,
    pub warnings: Vec<String>,
}

/// Finishes samples.
#[derive(Debug)]
pub(super) struct Finisher<'s> {
    system: &'s System,
    kkt: Kkt,
    work: Work,
    speeds: Speeds,
    velocities: Vec<f64>,
    /// Whether the smallest reactions have to be chosen.
    ambiguous: bool,
    /// Factorisations of the assembly.
    before: usize,
}

impl<'s> Finisher<'s> {
    /// With the work arrays of the assembly.
    pub fn new(system: &'s System, kkt: Kkt, speeds: Speeds, non_unique: &[usize]) -> Self {
        let ambiguous = !non_unique.is_empty() && !system.forces_feel_reactions();
        let (before, velocities) = (kkt.factorizations(), vec![0.0; system.nv()]);
        Self { system, kkt, work: Work::new(system), speeds, velocities, ambiguous, before }
    }

    fn finish(&mut self, Unfinished { state: mut x, origin }: Unfinished) -> Finished {
        let (mut warnings, mut violation, mut matrix) = (Vec::new(), None, None);
        if let Origin::Between { speed } = origin {
            match self.project(&mut x, speed) {
                Ok((left, found)) => (violation, matrix) = (Some(left), found),
                Err(error) => warnings.push(format!("the output at t = {} s does not satisfy the constraints: {error}", x.t)),
            }
        }
        if let Err(error) = self.accelerate(&mut x, matrix) {
            warnings.push(format!("reactions at t = {} s could not be computed: {error}", x.t));
        }
        let Self { system, work, .. } = self;
        if self.ambiguous {
            Redundancy::new(system, &x, work).minimize(&mut x.lambda);
        }
        let (energy, momentum) = (system.energy(&x, work), system.momentum(&x));
        Finished { sample: Sample { state: x, energy, momentum }, violation, warnings }
    }

    /// Projects an interpolated state onto the constraints. Beside a singular configuration, where that takes more than a small change, its
    /// velocities are left as they are. Gives the largest violations that are left, and what is known of the matrix at a state on the constraints.
    fn project(&mut self, x: &mut State, speed: f64) -> Result<((f64, f64), Option<Matrix>), KktError> {
        let Self { system, kkt, work, speeds, velocities, .. } = self;
        kkt.project_positions(system, x, work)?;
        velocities.copy_from_slice(&x.v);
        let projected = kkt.projected_velocities(system, x, work, Matrix::Missing);
        velocities.iter_mut().zip(&x.v).for_each(|(old, new)| *old -= new);
        let change = speeds.largest_in(velocities);
        match projected {
            Ok((matrix, violation)) if change <= SMALL * speed => Ok((violation, Some(matrix))),
            _ => {
                x.v.iter_mut().zip(velocities).for_each(|(v, change)| *v += *change);
                Ok((system.violation(x, work), None))
            }
        }
    }

    /// Accelerations and reactions, with the matrix that a projection left; without one with the part of v that violates the constraints taken
    /// out for as long.
    fn accelerate(&mut self, x: &mut State, matrix: Option<Matrix>) -> Result<(), KktError> {
        let Self { system, kkt, work, velocities, .. } = self;
        if let Some(matrix) = matrix {
            return kkt.accelerate_with(system, x, work, matrix).map(|_| ());
        }
        velocities.copy_from_slice(&x.v);
        let solved = kkt.project_and_accelerate(system, x, work);
        x.v.copy_from_slice(velocities);
        solved.map(|_| ())
    }
}

/// Where samples are finished.
pub(super) enum Finishing<'scope, 's> {
    /// At once.
    Here(Box<Finisher<'s>>),
    /// In a thread of its own, of which so many may be under way.
    Beside {
        queue: SyncSender<Unfinished>,
        done: Receiver<Finished>,
        lag: usize,
        under_way: usize,
        thread: ScopedJoinHandle<'scope, Finisher<'s>>,
    },
}

impl<'scope, 's> Finishing<'scope, 's> {
    /// Beside the steps where so many samples may be under way and the system is large enough for that to pay.
    pub fn new<'env>(finisher: Finisher<'s>, lag: usize, scope: &'scope Scope<'scope, 'env>) -> Self
    where
        's: 'scope,
    {
        if lag == 0 || finisher.system.unknowns() < WORTH_A_THREAD {
            return Self::Here(Box::new(finisher));
        }
        let (queue, states) = sync_channel(lag + 1);
        let (samples, done) = sync_channel(lag + 1);
        let thread = scope.spawn(move || all_of(finisher, &states, &samples));
        Self::Beside { queue, done, lag, under_way: 0, thread }
    }

    /// Takes a state; gives the sample whose turn it is: this one, or the one so many before.
    pub fn take(&mut self, state: Unfinished) -> Option<Finished> {
        match self {
            Self::Here(finisher) => Some(finisher.finish(state)),
            Self::Beside { queue, lag, under_way, .. } => {
                // Where the thread is gone, there are no samples to wait for either.
                let _ = queue.send(state);
                *under_way += 1;
                if *under_way > *lag { self.next() } else { None }
            }
        }
    }

    /// The next of the samples under way, if there is one.
    pub fn next(&mut self) -> Option<Finished> {
        match self {
            Self::Here(_) => None,
            Self::Beside { under_way: 0, .. } => None,
            Self::Beside { done, under_way, .. } => {
                *under_way -= 1;
                done.recv().ok()
            }
        }
    }

    /// Number of factorisations, at the end.
    pub fn factorizations(self) -> usize {
        let finisher = match self {
            Self::Here(finisher) => *finisher,
            Self::Beside { queue, thread, .. } => {
                drop(queue);
                thread.join().unwrap_or_else(|panic| resume_unwind(panic))
            }
        };
        finisher.kkt.factorizations() - finisher.before
    }
}

/// Finishes samples until there are no more.
fn all_of<'s>(mut finisher: Finisher<'s>, states: &Receiver<Unfinished>, samples: &SyncSender<Finished>) -> Finisher<'s> {
    for state in states {
        if samples.send(finisher.finish(state)).is_err() {
            break;
        }
    }
    finisher
}
