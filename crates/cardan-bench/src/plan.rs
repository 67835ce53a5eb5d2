//! What a comparison is made of: programs, cases, and the runs of a case.

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
    /// Simbody.
    Simbody,
    /// Drake.
    Drake,
    /// Rapier.
    Rapier,
}

impl Program {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Program::Cardan => "Cardan",
            Program::Exudyn => "Exudyn",
            Program::Mujoco => "MuJoCo",
            Program::Ida => "IDA",
            Program::Simbody => "Simbody",
            Program::Drake => "Drake",
            Program::Rapier => "Rapier",
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
    /// Tolerances of Cardan's damped methods of one unknown, with error control.
    pub tolerances: &'static [f64],
    /// Its methods of high order, and their tolerances.
    pub precise: &'static [(&'static str, &'static [f64])],
    /// Settings of Exudyn, each run with all steps.
    pub exudyn: &'static [&'static str],
    /// Its own steps, where they are not those of generalized-α, s.
    pub exudyn_steps: &'static [f64],
    /// Integrators of MuJoCo.
    pub mujoco: &'static [&'static str],
    /// Steps of MuJoCo, s.
    pub mujoco_steps: &'static [f64],
    /// Tolerances of IDA.
    pub ida: &'static [f64],
    /// Integrators of programs with joint coordinates, which solve chains and trees, and of those that are made for contact.
    pub recursive: &'static [Recursive],
    /// How many steps of [`GROWTH_STEP`] Cardan makes to be compared with the problem of size [`SMALL`].
    pub first: usize,
}

/// An integrator of such a program, and its runs.
pub struct Recursive {
    /// The program.
    pub program: Program,
    /// Its name for the integrator.
    pub integrator: &'static str,
    /// Fixed steps, s.
    pub steps: &'static [f64],
    /// Tolerances of error control.
    pub tolerances: &'static [f64],
}

impl Recursive {
    fn finenesses(&self) -> impl Iterator<Item = Fineness> {
        let fixed = self.steps.iter().map(|h| Fineness::Step(*h));
        fixed.chain(self.tolerances.iter().map(|e| Fineness::Tolerance(*e)))
    }
}

/// Steps by which sizes of a problem are compared, s.
pub const GROWTH_STEP: f64 = 1e-3;
/// So many of them,
pub const FIRST: usize = 250;
/// beside the problem of this size,
pub const SMALL: usize = 100;
/// and so many times.
const ROUNDS: usize = 5;

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
            let arguments = format!("--method gen-alpha --beside {SMALL}");
            runs.push(Planned::new(Program::Cardan, "gen-alpha", Fineness::First(self.first), &arguments, ROUNDS));
        }
        let methods = implicit().into_iter().filter(|m| !m.undamped()).map(|m| m.name());
        for (method, tolerances) in methods.map(|name| (name, self.tolerances)).chain(self.precise.iter().copied()) {
            for tolerance in tolerances {
                let (settings, arguments) = (format!("{method}, controlled"), format!("--method {method}"));
                runs.push(new(Program::Cardan, &settings, Fineness::Tolerance(*tolerance), &arguments));
            }
        }
        for (variant, h) in pairs(self.exudyn, if self.exudyn_steps.is_empty() { self.steps } else { self.exudyn_steps }) {
            let settings = variant.replace("--redundant", "singular").replace("--tolerance", "tol");
            let settings = ["--method ", "--newton ", "--solver "].iter().fold(settings, |text, option| text.replace(option, ""));
            runs.push(new(Program::Exudyn, &settings, Fineness::Step(h), variant));
        }
        for (integrator, h) in pairs(self.mujoco, self.mujoco_steps) {
            runs.push(new(Program::Mujoco, integrator, Fineness::Step(h), &format!("--integrator {integrator}")));
        }
        for tolerance in self.ida {
            runs.push(new(Program::Ida, "BDF 1–5", Fineness::Tolerance(*tolerance), ""));
        }
        for peer in self.recursive {
            let arguments = format!("--integrator {}", peer.integrator);
            runs.extend(peer.finenesses().map(|fineness| new(peer.program, peer.integrator, fineness, &arguments)));
        }
        runs
    }
}

fn pairs(variants: &'static [&'static str], steps: &'static [f64]) -> impl Iterator<Item = (&'static str, f64)> {
    variants.iter().flat_map(move |variant| steps.iter().map(move |h| (*variant, *h)))
}
