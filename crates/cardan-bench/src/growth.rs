//! How the cost of a step grows with the size of a problem.
//!
//! A run of a hundred bodies is over within milliseconds, one of ten thousand takes seconds. The shortest of many short runs falls into a
//! moment in which nobody else uses the machine's memory; no run of seconds does. So both sizes run in turn, for each run of the large
//! problem as many of the small one as have the same number of bodies together, and their times are compared round by round:
//!
//! ```text
//! growth = middle of   t_large / Σ t_small,      t: CPU time of all steps but the first                        (1)
//! ```

use crate::measure::{MeasureError, Outcome, Prepared, Settings, shorter};
use crate::problems::Problem;
use serde::{Deserialize, Serialize};

/// A problem beside a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Equation (1).
    pub time: f64,
    /// The smallest and the largest of the rounds.
    pub range: [f64; 2],
    /// The same of iterations and Jacobians ([`Outcome::work`]).
    pub work: f64,
}

/// Runs both problems in turn, as many rounds as asked for; the small one so often in each.
pub fn measure_growth(large: &Problem, small: &Problem, times: usize, settings: &Settings) -> Result<Outcome, MeasureError> {
    let [large, small] = [Prepared::new(large, settings)?, Prepared::new(small, settings)?];
    let (mut best, mut rounds, mut work) = (None, Vec::new(), 1.0);
    for _ in 0..settings.repeat.max(1) {
        let mut together = 0.0;
        let mut beside = Outcome::default();
        for _ in 0..times {
            beside = small.run(settings)?;
            together += beside.step_s();
        }
        let outcome = large.run(settings)?;
        rounds.push(outcome.step_s() / together);
        work = outcome.work().zip(beside.work()).map_or(f64::NAN, |(large, small)| large / small);
        best = Some(shorter(best, outcome));
    }
    rounds.sort_by(f64::total_cmp);
    let (time, range) = (rounds[rounds.len() / 2], [rounds[0], rounds[rounds.len() - 1]]);
    Ok(Outcome { growth: Some(Growth { time, range, work }), ..large.finish(best) })
}
