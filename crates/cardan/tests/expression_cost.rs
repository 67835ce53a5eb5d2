//! A force written as an expression costs at most 1.5 times the same force built in. The quickest of many short measurements
//! counts, taken in turns, so that what else the machine does matters little; several attempts are allowed.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/twins.rs"]
#[allow(dead_code, reason = "the benchmark times more")]
mod twins;

use twins::{PAIRS, Pair, Task, rigs, times};

const BAR: f64 = 1.5;
const ATTEMPTS: usize = 8;

/// The time of written forces against that of built-in ones, without that of the chain: of residual or tangent, whichever is worse.
fn ratio(pair: &Pair) -> f64 {
    let mut rigs = rigs(pair, 8);
    let alone = |task: Task| {
        let [none, built_in, written] = times(&mut rigs, task, 4, 60).map(|t| t[0]);
        (written - none) / (built_in - none)
    };
    [Task::Residual, Task::Tangent].map(alone).into_iter().fold(0.0, f64::max)
}

#[test]
fn an_expression_costs_little_more_than_its_built_in_twin() {
    for pair in PAIRS.iter().filter(|pair| !pair.name.contains("closure")) {
        let mut best = f64::INFINITY;
        for _ in 0..ATTEMPTS {
            if best > BAR {
                best = best.min(ratio(pair));
            }
        }
        assert!(best <= BAR, "{}: {best:.2}", pair.name);
    }
}
