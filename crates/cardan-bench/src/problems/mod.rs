//! The problems: a model, what is looked at, and how long it runs. One file a family.

mod chain;
mod contacts;
mod elastic;
mod four_bars;
mod grid;
mod single;
mod suspension;
mod tree;

use cardan::bodies::{Kind, Shape};
use cardan::prelude::*;
use thiserror::Error;

/// A problem of one size.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The mechanism.
    pub model: Model,
    /// What errors are measured in.
    pub observed: Vec<Observed>,
    /// End of the run, s.
    pub t_end: f64,
    /// The same mechanism for peers that know no functions written as text, where the model has such.
    pub without_text: Option<Model>,
}

/// A quantity at the end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Observed {
    /// The centre of mass of a body, m: (x, y) of a body in the plane, (x, y, z) of one in space.
    Position(BodyId),
    /// The angle of a planar body, rad.
    Angle(BodyId),
}

/// A family of problems.
pub struct Family {
    /// Name on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The problem of size n.
    pub build: fn(usize) -> Result<Problem, ProblemError>,
}

/// A problem that cannot be made.
#[derive(Debug, Error)]
pub enum ProblemError {
    /// No family of this name.
    #[error("there is no problem '{name}'; there are: {}", known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The model file of the gallery is broken.
    #[error("gallery model '{name}' cannot be read: {reason}")]
    Gallery {
        /// The model.
        name: &'static str,
        /// Why.
        reason: String,
    },
}

/// All families, the smallest first.
pub const FAMILIES: &[Family] = &[
    Family { name: "pendulum", summary: "a point mass on a rod, 4 s", build: |_| Ok(single::pendulum()) },
    Family {
        name: "stiff-double-pendulum",
        summary: "two bars, stiff spring-dampers, 2 s",
        build: |_| Ok(single::stiff_double_pendulum()),
    },
    Family { name: "squeezer", summary: "Andrews' squeezing mechanism, 30 ms", build: |_| single::squeezer() },
    Family { name: "n-four-bar", summary: "N planar four-bar windows through a singular position", build: |n| Ok(four_bars::planar(n)) },
    Family { name: "spatial-four-bar", summary: "the same of spatial bodies: redundant constraints", build: |n| Ok(four_bars::spatial(n)) },
    Family { name: "chain-revolute", summary: "N links in space, hinges at ±45°", build: |n| Ok(chain::revolute(n)) },
    Family { name: "chain-revolute-1s", summary: "the same chain for a whole second", build: |n| Ok(chain::revolute_second(n)) },
    Family { name: "chain-parallel", summary: "N links in space, parallel hinges", build: |n| Ok(chain::parallel(n)) },
    Family { name: "chain-random", summary: "N links in space, hinges that stand anyhow", build: |n| Ok(chain::random(n)) },
    Family { name: "chain-universal", summary: "N links in space on universal joints", build: |n| Ok(chain::universal(n)) },
    Family { name: "chain-fixed", summary: "N links welded together, on one hinge", build: |n| Ok(chain::fixed(n)) },
    Family { name: "chain-bushing", summary: "N links in space on bushings", build: |n| Ok(chain::bushings(n)) },
    Family {
        name: "chain-expression",
        summary: "N links in space, held together by vector forces that are written as text",
        build: |n| Ok(chain::expressions(n)),
    },
    Family { name: "suspension", summary: "a corner of a car, six bushings in place of joints", build: |_| Ok(suspension::corner()) },
    Family { name: "frame", summary: "a frame of N nodes and steel beams, clamped and struck", build: |n| Ok(elastic::frame(n)) },
    Family { name: "net", summary: "a net of N masses and spring-dampers, let go", build: |n| Ok(elastic::net(n)) },
    Family { name: "chain-spherical", summary: "N links in space on ball joints, turning", build: |n| Ok(chain::spherical(n)) },
    Family { name: "tree", summary: "a binary tree of N links in space", build: |n| Ok(tree::tree(n)) },
    Family { name: "ladder", summary: "a ladder of about N links on ball joints", build: |n| Ok(grid::ladder(n)) },
    Family { name: "bouncing", summary: "N balls that bounce on a floor ten times, 20 s", build: |n| Ok(contacts::bouncing(n)) },
    Family { name: "cradle", summary: "N balls on strings in a row that touch", build: |n| Ok(contacts::cradle(n)) },
    Family {
        name: "spheres",
        summary: "N balls that fly into a bowl and strike each other, 0.1 s; of more than 300 balls 0.05 s",
        build: |n| Ok(contacts::spheres(n)),
    },
    Family { name: "bowling", summary: "a ball that slides onto a floor and rolls", build: |_| Ok(contacts::bowling()) },
    Family { name: "grid", summary: "a net of about N links on ball joints, all loops closed", build: |n| Ok(grid::grid(n)) },
];

/// The problem of this name and size.
pub fn problem(name: &str, n: usize) -> Result<Problem, ProblemError> {
    match FAMILIES.iter().find(|family| family.name == name) {
        Some(family) => (family.build)(n),
        None => Err(ProblemError::Unknown { name: name.into(), known: FAMILIES.iter().map(|f| f.name).collect() }),
    }
}

impl Problem {
    /// A mechanism that all programs get.
    fn new(model: Model, observed: Vec<Observed>, t_end: f64) -> Self {
        Self { model, observed, t_end, without_text: None }
    }

    /// What other programs get.
    pub fn for_peers(&self) -> &Model {
        self.without_text.as_ref().unwrap_or(&self.model)
    }

    /// The observed numbers of a state.
    pub fn observe(&self, system: &System, x: &State) -> Vec<f64> {
        self.observed.iter().flat_map(|o| o.values(system, x)).collect()
    }
}

impl Observed {
    /// The body that is looked at.
    pub fn body(&self) -> BodyId {
        match *self {
            Observed::Position(body) | Observed::Angle(body) => body,
        }
    }

    fn values(&self, system: &System, x: &State) -> Vec<f64> {
        // The ground is body 0 of the model and has no equations.
        let body = &system.bodies()[self.body().index() - 1];
        let q = &x.q[body.q()];
        match self {
            Observed::Angle(_) => vec![body.shape.turns(q)],
            Observed::Position(_) => body.shape.frame(q).1.as_slice()[..dimensions(&body.shape)].to_vec(),
        }
    }
}

/// 2 for bodies in the plane, 3 for bodies in space.
pub fn dimensions(shape: &Shape) -> usize {
    shape.translations().len()
}

/// A link of a chain, tree or net: a thin rod of 0.1 m and 0.1 kg along its x axis.
mod link {
    use cardan::prelude::*;

    pub const LENGTH: f64 = 0.1;
    pub const MASS: f64 = 0.1;

    pub fn new(name: &str) -> Body {
        let across = MASS * LENGTH * LENGTH / 12.0;
        Body::rigid(name, MASS, Inertia::principal(0.1 * across, across, across))
    }
}
