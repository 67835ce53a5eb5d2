//! Reference solutions (`benches/reference.json`): each computed in two independent ways. Fixed-step runs are extrapolated,
//!
//! ```text
//! x = x_{h/2} + (x_{h/2} − x_h)/(2^p − 1),      accuracy |x_{h/2} − x_h| / (2^p − 1)
//! ```
//!
//! with the order p of the method, so that the accuracy told is that of x_{h/2} and on the safe side. Of runs with error control the one at
//! the tighter of two tolerances is taken, and the accuracy told is that of the other.

use crate::cases::CASES;
use crate::launch::{LaunchError, Launcher};
use crate::plan::{Case, Fineness, Planned, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The reference of a case.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reference {
    /// The observed numbers.
    pub observed: Vec<f64>,
    /// Where they are from.
    pub source: String,
    /// Their estimated accuracy.
    pub accuracy: f64,
    /// What they were checked with.
    pub check: String,
    /// How far that is away.
    pub difference: f64,
}

/// All references by the keys of their cases.
pub type References = BTreeMap<String, Reference>;

/// A way to a solution.
#[derive(Clone, Copy)]
enum Way {
    /// Equations of motion in the fewest coordinates.
    Exact,
    /// The published solution of Andrews' squeezer, the angles of its bodies.
    Published,
    /// Two runs of a program with the order of its method, extrapolated.
    Extrapolated { program: Program, settings: &'static str, h: f64, order: i32 },
    /// A run of a program at a tolerance, beside one at ten times the tolerance.
    Controlled { program: Program, settings: &'static str, tolerance: f64 },
}

/// A solution with its estimated accuracy.
struct Solution {
    observed: Vec<f64>,
    accuracy: f64,
    source: String,
}

/// Seven angles of the test set for initial value problem solvers (Mazzia, Magherini), as sums of the published ones.
const SQUEEZER: [f64; 7] = [
    15.81077119629904,
    0.05440013645606001,
    0.04082224013073101,
    -0.0103201504421645,
    0.5244099658805303,
    1.582810857364958,
    1.048080741042263,
];

/// Cardan with a step so small that the extrapolated solution is a reference.
const fn cardan(h: f64) -> Way {
    Way::Extrapolated { program: Program::Cardan, settings: "--method gen-alpha --index2", h, order: 2 }
}

/// The same with position constraints only, for mechanisms that pass singular positions.
const fn index3(h: f64) -> Way {
    Way::Extrapolated { program: Program::Cardan, settings: "--method gen-alpha", h, order: 2 }
}

/// MuJoCo's joint coordinates are exact on trees.
const fn mujoco(h: f64) -> Way {
    Way::Extrapolated { program: Program::Mujoco, settings: "--integrator RK4", h, order: 4 }
}

const fn exudyn(h: f64) -> Way {
    Way::Extrapolated { program: Program::Exudyn, settings: "--solver sparse", h, order: 2 }
}

/// With a Newton method that does not end in round-off where forces are stiff.
const fn loose(h: f64) -> Way {
    Way::Extrapolated { program: Program::Exudyn, settings: "--solver sparse --tolerance 1e-5", h, order: 2 }
}

/// Methods for [`controlled`].
const BDF: &str = "--method bdf";
const RADAU: &str = "--method radau";
const LINEARIZED: &str = "--method local-linearization";
const EXPLICIT: &str = "--method dormand-prince";

/// Cardan with error control and a method of higher order.
const fn controlled(settings: &'static str, tolerance: f64) -> Way {
    Way::Controlled { program: Program::Cardan, settings, tolerance }
}

/// Exudyn through contacts.
const fn verlet(h: f64) -> Way {
    Way::Extrapolated { program: Program::Exudyn, settings: "--method verlet", h, order: 2 }
}

/// Simbody's recursive equations are those of another program.
const fn simbody(tolerance: f64) -> Way {
    Way::Controlled { program: Program::Simbody, settings: "--integrator RungeKuttaMerson", tolerance }
}

/// The way to the reference of a case, and the way to check it.
fn ways(case: &Case) -> (Way, Way) {
    match (case.family, case.n) {
        ("squeezer", _) => (Way::Published, cardan(1e-6)),
        ("pendulum" | "stiff-double-pendulum", _) => (Way::Exact, cardan(1e-4)),
        ("spatial-four-bar", _) => (Way::Exact, cardan(5e-4)),
        ("n-four-bar", _) => (Way::Exact, index3(5e-4)),
        ("spheres", 500) => (controlled(EXPLICIT, 1e-10), verlet(4e-6)),
        ("spheres", _) => (controlled(EXPLICIT, 1e-11), verlet(2e-6)),
        ("bouncing", _) => (controlled(EXPLICIT, 1e-12), controlled(LINEARIZED, 1e-12)),
        ("cradle", _) => (controlled(RADAU, 1e-11), controlled(EXPLICIT, 1e-10)),
        ("bowling", _) => (controlled(RADAU, 1e-10), controlled(BDF, 1e-9)),
        ("grid", 1000) => (cardan(2.5e-4), exudyn(1e-3)),
        ("grid", _) => (cardan(5e-5), exudyn(2e-4)),
        ("chain-parallel", 1000) => (cardan(2e-4), loose(1e-3)),
        ("frame", _) => (cardan(1e-4), loose(5e-4)),
        ("suspension", _) => (controlled(BDF, 1e-10), exudyn(1e-4)),
        ("net", _) => (mujoco(5e-4), cardan(1e-4)),
        ("chain-bushing" | "chain-expression", _) => (cardan(1e-4), exudyn(5e-4)),
        ("chain-universal" | "chain-fixed" | "ladder", 100) => (cardan(1e-4), exudyn(5e-4)),
        (_, 10000) => (cardan(5e-4), exudyn(1e-3)),
        ("chain-revolute-1s", _) => (controlled(BDF, 1e-11), simbody(1e-9)),
        (_, 1000) => (cardan(2e-4), exudyn(1e-3)),
        ("chain-spherical", 100) => (cardan(2e-4), mujoco(1e-3)),
        _ => (mujoco(2e-4), cardan(2e-4)),
    }
}

/// Computes the references of all cases, or of those of one family.
pub fn compute(launcher: &Launcher, only: Option<&str>) -> Result<References, LaunchError> {
    let mut all = References::new();
    for case in CASES.iter().filter(|c| only.is_none_or(|name| c.family == name)) {
        let (way, check) = ways(case);
        let (solution, check) = (solve(launcher, case, way)?, solve(launcher, case, check)?);
        let difference = distance(&solution.observed, &check.observed);
        println!("{}: accuracy {:.1e} ({}), {:.1e} from {}", case.key(), solution.accuracy, solution.source, difference, check.source);
        let Solution { observed, accuracy, source } = solution;
        if !(accuracy.is_finite() && difference.is_finite()) {
            println!("  not taken: a run failed");
            continue;
        }
        all.insert(case.key(), Reference { observed, source, accuracy, check: check.source, difference });
    }
    Ok(all)
}

fn solve(launcher: &Launcher, case: &Case, way: Way) -> Result<Solution, LaunchError> {
    let description = launcher.describe(case.family, case.n)?;
    let run = |program, settings, fineness| {
        let planned = Planned::new(program, "", fineness, settings, 1);
        let outcome = launcher.run(case.family, case.n, &description, &planned);
        if outcome.failure.is_none() { outcome.observed } else { Vec::new() }
    };
    Ok(match way {
        Way::Published => Solution { observed: SQUEEZER.to_vec(), accuracy: 2e-9, source: "published (IVP test set)".into() },
        Way::Exact => {
            let observed = launcher.exact(case.family, &description).observed;
            Solution { observed, accuracy: 1e-11, source: "equations in the fewest coordinates, scipy".into() }
        }
        Way::Extrapolated { program, settings, h, order } => {
            let [coarse, fine] = [h, h / 2.0].map(|h| run(program, settings, Fineness::Step(h)));
            let gain = f64::from(2_i32.pow(order as u32) - 1);
            let observed = coarse.iter().zip(&fine).map(|(c, f)| f + (f - c) / gain).collect();
            let source = format!("{} {settings} at h = {h:e} and half of it, extrapolated", program.name());
            Solution { observed, accuracy: distance(&coarse, &fine) / gain, source }
        }
        Way::Controlled { program, settings, tolerance } => {
            let [coarse, fine] = [10.0 * tolerance, tolerance].map(|e| run(program, settings, Fineness::Tolerance(e)));
            let source = format!("{} {settings} at a tolerance of {tolerance:e}", program.name());
            Solution { accuracy: distance(&coarse, &fine), observed: fine, source }
        }
    })
}

/// Euclidean distance; infinite where there is no result.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || a.len() != b.len() {
        return f64::INFINITY;
    }
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
