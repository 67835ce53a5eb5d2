//! The bars that Cardan has to clear, and whether it does.

mod judge;
#[cfg(test)]
mod tests;
mod words;

use crate::plan::Program;

/// A bar.
pub struct Bar {
    /// The family it is about.
    pub family: &'static str,
    /// The size.
    pub n: usize,
    /// What is asked for.
    pub demand: Demand,
}

/// What a bar asks for.
#[derive(Debug, Clone, Copy)]
pub enum Demand {
    /// At a peer's fixed step: a step so many times faster, with the same error, or a whole run that is; or a run with at most a part of its
    /// error, however it is reached.
    Step { peer: Program, settings: Option<&'static str>, h: f64, times: f64, error: f64 },
    /// Where both are at or below this error: so many times faster.
    Error { peer: Program, error: f64, times: f64 },
    /// So many times faster than a program that was measured elsewhere.
    Elsewhere { peer: &'static str, cost: Cost, times: f64 },
    /// At a fixed step: a step takes at most so many times as long as one of another family of the same size.
    Like { family: &'static str, h: f64, most: f64 },
    /// CPU time of the first steps against those of the same problem of size 100, over the ratio of the sizes, at most this.
    Growth(f64),
    /// Memory in MB below this.
    Memory(f64),
    /// CPU time from the model to the end of the first step in s below this.
    Compile(f64),
}

/// What a run took a program that is not part of the comparison; its page lists these numbers.
#[derive(Debug, Clone, Copy)]
pub enum Cost {
    /// So many ms a step, at a fixed step in s.
    Step { h: f64, ms: f64 },
    /// So many seconds, with at most this error.
    Run { error: f64, seconds: f64 },
}

/// A verdict on a bar.
pub struct Verdict {
    /// The bar in words.
    pub bar: String,
    /// What was measured.
    pub measured: String,
    /// Whether it is cleared; `None` if it was not measured.
    pub cleared: Option<bool>,
}

const fn faster(family: &'static str, n: usize, peer: Program, h: f64, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Step { peer, settings: None, h, times, error: 1.0 } }
}

const fn at_error(family: &'static str, n: usize, peer: Program, error: f64, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Error { peer, error, times } }
}

const fn elsewhere(family: &'static str, n: usize, peer: &'static str, cost: Cost, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Elsewhere { peer, cost, times } }
}

/// The same chain with hinges in other directions costs the same.
const fn as_slanted(family: &'static str, n: usize) -> Bar {
    Bar { family, n, demand: Demand::Like { family: "chain-revolute", h: 1e-3, most: 1.5 } }
}

const fn grows(family: &'static str, n: usize) -> Bar {
    Bar { family, n, demand: Demand::Growth(1.3) }
}

/// All bars.
pub const BARS: &[Bar] = &[
    faster("pendulum", 1, Program::Exudyn, 1e-3, 8.0),
    at_error("stiff-double-pendulum", 1, Program::Ida, 1e-6, 1.0),
    at_error("stiff-double-pendulum", 1, Program::Exudyn, 1e-6, 30.0),
    at_error("n-four-bar", 40, Program::Exudyn, 4e-5, 25.0),
    at_error("n-four-bar", 40, Program::Mujoco, 4e-5, 1.0),
    faster("spatial-four-bar", 40, Program::Exudyn, 1e-2, 1000.0),
    faster("chain-revolute", 100, Program::Exudyn, 1e-3, 30.0),
    Bar {
        family: "chain-revolute",
        n: 100,
        demand: Demand::Step { peer: Program::Mujoco, settings: Some("Euler"), h: 1e-3, times: 1.0, error: 0.01 },
    },
    faster("chain-revolute", 1000, Program::Exudyn, 1e-3, 30.0),
    faster("chain-revolute", 1000, Program::Mujoco, 1e-3, 1.0),
    elsewhere("chain-revolute", 100, "MBDyn", Cost::Step { h: 1e-3, ms: 0.9 }, 8.0),
    elsewhere("chain-revolute", 100, "Simbody", Cost::Run { error: 1e-6, seconds: 0.41 }, 1.0),
    at_error("chain-revolute", 100, Program::Simbody, 1e-6, 1.0),
    elsewhere("chain-revolute-1s", 1000, "MBDyn", Cost::Step { h: 1e-3, ms: 14.0 }, 10.0),
    elsewhere("chain-revolute-1s", 1000, "Simbody", Cost::Run { error: 1e-6, seconds: 8.8 }, 1.0),
    at_error("chain-revolute-1s", 1000, Program::Simbody, 1e-6, 1.0),
    faster("chain-revolute-1s", 1000, Program::Drake, 1e-3, 10.0),
    faster("chain-parallel", 100, Program::Exudyn, 1e-3, 30.0),
    faster("chain-parallel", 1000, Program::Exudyn, 1e-3, 30.0),
    faster("chain-spherical", 100, Program::Exudyn, 1e-3, 30.0),
    faster("chain-spherical", 1000, Program::Exudyn, 1e-3, 30.0),
    faster("tree", 100, Program::Exudyn, 1e-3, 30.0),
    faster("tree", 1000, Program::Exudyn, 1e-3, 30.0),
    faster("chain-bushing", 100, Program::Exudyn, 1e-3, 20.0),
    faster("chain-bushing", 1000, Program::Exudyn, 1e-3, 20.0),
    faster("frame", 200, Program::Exudyn, 1e-3, 20.0),
    faster("net", 900, Program::Exudyn, 1e-3, 10.0),
    at_error("net", 900, Program::Mujoco, 1e-4, 1.0),
    at_error("bouncing", 49, Program::Exudyn, 1e-3, 10.0),
    at_error("cradle", 5, Program::Exudyn, 1e-3, 10.0),
    at_error("bowling", 1, Program::Exudyn, 1e-3, 10.0),
    at_error("spheres", 500, Program::Exudyn, 1e-3, 10.0),
    at_error("spheres", 500, Program::Mujoco, 1e-3, 1.0),
    at_error("spheres", 500, Program::Drake, 1e-3, 1.0),
    as_slanted("chain-parallel", 100),
    as_slanted("chain-parallel", 1000),
    as_slanted("chain-random", 100),
    as_slanted("chain-random", 1000),
    grows("chain-revolute", 1000),
    grows("chain-parallel", 1000),
    grows("chain-random", 1000),
    grows("chain-spherical", 1000),
    grows("chain-universal", 1000),
    grows("chain-fixed", 1000),
    grows("ladder", 1000),
    grows("tree", 1000),
    grows("chain-revolute", 10000),
    grows("chain-spherical", 10000),
    grows("tree", 10000),
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Memory(200.0) },
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Compile(1.0) },
];
