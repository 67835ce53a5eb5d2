//! Which runs are made: the problems and sizes, and for each the steps and tolerances of Cardan and of its peers.

use cardan::integrators::implicit;
use serde::{Deserialize, Serialize};

/// A program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// This one.
    Cardan,
    /// Exudyn.
    Exudyn,
    /// MuJoCo.
    Mujoco,
    /// SUNDIALS IDA.
    Ida,
}

impl Program {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Program::Cardan => "Cardan",
            Program::Exudyn => "Exudyn",
            Program::Mujoco => "MuJoCo",
            Program::Ida => "IDA",
        }
    }
}

/// A problem of one size and the runs it gets.
pub struct Case {
    /// The family of the problem.
    pub family: &'static str,
    /// Its size.
    pub n: usize,
    /// Whether a quick comparison has it.
    pub quick: bool,
    /// How often short runs are repeated.
    pub repeat: usize,
    /// Fixed steps of generalized-α, in Cardan and in Exudyn, s.
    pub steps: &'static [f64],
    /// Tolerances of Cardan's methods with error control.
    pub tolerances: &'static [f64],
    /// Settings of Exudyn, each run with all steps.
    pub exudyn: &'static [&'static str],
    /// Integrators of MuJoCo.
    pub mujoco: &'static [&'static str],
    /// Steps of MuJoCo, s.
    pub mujoco_steps: &'static [f64],
    /// Tolerances of IDA.
    pub ida: &'static [f64],
    /// How many steps of [`GROWTH_STEP`] Cardan makes to be compared with other sizes of the problem.
    pub first: usize,
}

/// Steps by which sizes of a problem are compared, s.
pub const GROWTH_STEP: f64 = 1e-3;
/// So many of them.
pub const FIRST: usize = 250;

/// Nothing to run yet.
const NONE: Case = Case {
    family: "",
    n: 1,
    quick: false,
    repeat: 1,
    steps: &[],
    tolerances: &[],
    exudyn: &[],
    mujoco: &[],
    mujoco_steps: &[],
    ida: &[],
    first: 0,
};

const DENSE: &str = "--solver dense --newton modified";
const SPARSE: &str = "--solver sparse --newton modified";
/// Trapezoidal rule with index-2 constraints, Exudyn's other implicit method.
const TRAPEZOIDAL: &str = "--solver sparse --newton modified --method trapezoidal";
const SINGULAR: &str = "--solver eigen --newton modified --redundant";
const INTEGRATORS: &[&str] = &["Euler", "RK4", "implicit", "implicitfast"];
const HUNDRED: Case = Case {
    n: 100,
    steps: &[2e-3, 1e-3, 5e-4],
    tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
    exudyn: &[SPARSE, TRAPEZOIDAL],
    mujoco: INTEGRATORS,
    mujoco_steps: &[1e-3, 1e-4],
    ..NONE
};
const THOUSAND: Case = Case {
    n: 1000,
    steps: &[2e-3, 1e-3, 5e-4],
    tolerances: &[1e-4, 1e-5, 1e-6, 1e-7],
    exudyn: &[SPARSE],
    mujoco: &["Euler"],
    mujoco_steps: &[1e-3],
    ..NONE
};
const TEN_THOUSAND: Case = Case { n: 10000, steps: &[1e-3], exudyn: &[SPARSE], first: FIRST, ..NONE };

/// All cases.
pub const CASES: &[Case] = &[
    Case {
        family: "pendulum",
        quick: true,
        repeat: 7,
        steps: &[1e-2, 1e-3, 1e-4],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        exudyn: &[DENSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-2, 1e-3],
        ida: &[1e-4, 1e-6, 1e-8, 1e-10],
        ..NONE
    },
    Case {
        family: "stiff-double-pendulum",
        quick: true,
        repeat: 7,
        steps: &[1e-3, 1e-4, 2e-5],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        exudyn: &[DENSE],
        mujoco: &["Euler", "implicit", "implicitfast"],
        mujoco_steps: &[1e-3, 1e-4],
        ida: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        ..NONE
    },
    Case {
        family: "squeezer",
        quick: true,
        repeat: 3,
        steps: &[1e-4, 3e-5, 1e-5, 2e-6],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        exudyn: &[DENSE, SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-5, 1e-6],
        ida: &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 1,
        repeat: 3,
        steps: &[1e-2, 1e-3, 2e-4],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7],
        exudyn: &[DENSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3, 1e-4],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 40,
        quick: true,
        steps: &[1e-2, 1e-3, 5e-4],
        tolerances: &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        exudyn: &[SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3, 5e-4],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 400,
        steps: &[1e-2, 1e-3],
        tolerances: &[1e-4, 1e-5, 1e-6],
        exudyn: &[SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3],
        ..NONE
    },
    Case {
        family: "spatial-four-bar",
        n: 40,
        quick: true,
        steps: &[2e-2, 1e-2],
        tolerances: &[1e-4, 1e-5],
        exudyn: &[SINGULAR],
        mujoco: &["Euler", "RK4"],
        mujoco_steps: &[1e-3, 5e-4],
        ..NONE
    },
    Case { family: "chain-revolute", n: 10, repeat: 3, ..HUNDRED },
    Case { family: "chain-revolute", quick: true, repeat: 3, first: FIRST, ..HUNDRED },
    Case { family: "chain-revolute", quick: true, repeat: 3, ..THOUSAND },
    Case { family: "chain-revolute", quick: true, ..TEN_THOUSAND },
    Case { family: "chain-spherical", n: 10, repeat: 3, ..HUNDRED },
    Case { family: "chain-spherical", repeat: 3, first: FIRST, ..HUNDRED },
    Case { family: "chain-spherical", ..THOUSAND },
    Case { family: "chain-spherical", ..TEN_THOUSAND },
    Case { family: "tree", repeat: 3, first: FIRST, ..HUNDRED },
    Case { family: "tree", ..THOUSAND },
    Case { family: "tree", ..TEN_THOUSAND },
    Case { family: "grid", ..HUNDRED },
    Case { family: "grid", ..THOUSAND },
];

/// A run to be made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Planned {
    /// The program.
    pub program: Program,
    /// Its method and settings, without the step.
    pub settings: String,
    /// The fixed step, s, or the tolerance.
    pub fineness: Fineness,
    /// Arguments of the program.
    pub arguments: Vec<String>,
}

/// How fine a run is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fineness {
    /// Fixed steps, s.
    Step(f64),
    /// Error control at a tolerance.
    Tolerance(f64),
    /// The first so many fixed steps of a run.
    First(usize),
}

impl Fineness {
    fn arguments(self) -> Vec<String> {
        let words = match self {
            Fineness::Step(h) => format!("--step {h}"),
            Fineness::Tolerance(e) => format!("--tol {e}"),
            Fineness::First(steps) => format!("--step {GROWTH_STEP} --end {}", GROWTH_STEP * steps as f64),
        };
        words.split_whitespace().map(String::from).collect()
    }
}

impl Planned {
    /// A run of a program with these settings.
    pub fn new(program: Program, settings: &str, fineness: Fineness, arguments: &str, repeat: usize) -> Self {
        let mut list: Vec<String> = arguments.split_whitespace().map(String::from).collect();
        list.extend(fineness.arguments());
        list.extend(["--repeat".into(), repeat.to_string()]);
        Self { program, settings: settings.into(), fineness, arguments: list }
    }
}

impl Case {
    /// Name and size, as in names of files.
    pub fn key(&self) -> String {
        format!("{}-{}", self.family, self.n)
    }

    /// All runs of the case, Cardan's first.
    pub fn runs(&self) -> Vec<Planned> {
        let new = |program, settings: &str, fineness, arguments: &str| Planned::new(program, settings, fineness, arguments, self.repeat);
        let mut runs = Vec::new();
        for h in self.steps {
            runs.push(new(Program::Cardan, "gen-alpha", Fineness::Step(*h), "--method gen-alpha"));
        }
        if self.first > 0 {
            // As many repetitions as make the times of small and large models equally certain.
            let repeat = (2000 / self.n).clamp(2, 20);
            runs.push(Planned::new(Program::Cardan, "gen-alpha", Fineness::First(self.first), "--method gen-alpha", repeat));
        }
        for method in implicit().iter().filter(|m| !m.undamped()) {
            let arguments = format!("--method {}", method.name());
            for tolerance in self.tolerances {
                runs.push(new(Program::Cardan, &format!("{}, controlled", method.name()), Fineness::Tolerance(*tolerance), &arguments));
            }
        }
        for (variant, h) in pairs(self.exudyn, self.steps) {
            let settings =
                variant.replace("--method ", "").replace("--newton ", "").replace("--redundant", "singular").replace("--solver ", "");
            runs.push(new(Program::Exudyn, &settings, Fineness::Step(h), variant));
        }
        for (integrator, h) in pairs(self.mujoco, self.mujoco_steps) {
            runs.push(new(Program::Mujoco, integrator, Fineness::Step(h), &format!("--integrator {integrator}")));
        }
        for tolerance in self.ida {
            runs.push(new(Program::Ida, "BDF 1–5", Fineness::Tolerance(*tolerance), ""));
        }
        runs
    }
}

fn pairs(variants: &'static [&'static str], steps: &'static [f64]) -> impl Iterator<Item = (&'static str, f64)> {
    variants.iter().flat_map(move |variant| steps.iter().map(move |h| (*variant, *h)))
}
