//! What a contact gives back: E(δ), the force at rest.
//!
//! ```text
//! power      k δᵉ
//! table      cubics between points, C¹ and monotone wherever the points are (Fritsch, Carlson); beyond the last point straight on        (1)
//! function   N = f(δ, δ̇) with E(δ) = f(δ, 0)                                                                                          (2)
//! ```
//!
//! Reference: Fritsch, Butland, SIAM J. Sci. Stat. Comput. 5 (1984), doi:10.1137/0905021: slopes are weighted harmonic means of those of the chords.

use crate::expr::{ExprError, Input, Program, Scope, Scratch};
use std::cell::RefCell;
use std::sync::Arc;

/// The names that a function reads.
pub const ARGUMENTS: [&str; 2] = ["depth", "rate"];

/// Depths of tables and functions are looked for between these, m, at last by so many halvings.
const SHALLOW: f64 = 1e-12;
const DEEP: f64 = 1e3;
const HALVINGS: usize = 4;

/// The elastic part of a normal force.
#[derive(Debug, Clone, PartialEq)]
pub enum Elastic {
    /// k δᵉ.
    Power {
        /// k, N/mᵉ.
        stiffness: f64,
        /// e.
        exponent: f64,
    },
    /// (1).
    Table(Arc<Table>),
    /// (2).
    Function(Arc<Function>),
}

/// A force by depth and rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// f, N.
    pub force: f64,
    /// ∂f/∂δ, N/m.
    pub by_depth: f64,
    /// ∂f/∂δ̇, N s/m.
    pub by_rate: f64,
    /// E, N.
    pub elastic: f64,
    /// Its slope, N/m.
    pub slope: f64,
}

impl Push {
    fn of_depth(elastic: f64, slope: f64) -> Self {
        Self { force: elastic, by_depth: slope, by_rate: 0.0, elastic, slope }
    }
}

impl Elastic {
    /// Through these points, depth and force, and the origin.
    pub fn table(points: &[[f64; 2]]) -> Self {
        Self::Table(Arc::new(Table::new(points)))
    }

    /// A function of depth and rate.
    pub fn function(text: &str, scope: &Scope) -> Result<Self, ExprError> {
        Function::new(text, scope).map(|f| Self::Function(Arc::new(f)))
    }

    /// The force and its derivatives.
    #[inline]
    pub fn at(&self, depth: f64, rate: f64, scratch: &RefCell<Scratch>) -> Push {
        match self {
            Self::Power { stiffness, exponent } => {
                let elastic = stiffness * depth.powf(*exponent);
                Push::of_depth(elastic, exponent * elastic / depth)
            }
            Self::Table(table) => {
                let [elastic, slope, _] = table.at(depth);
                Push::of_depth(elastic, slope)
            }
            Self::Function(function) => function.at(depth, rate, &mut scratch.borrow_mut()),
        }
    }

    /// ∫E, J.
    pub fn potential(&self, depth: f64, scratch: &RefCell<Scratch>) -> f64 {
        match self {
            Self::Power { stiffness, exponent } => stiffness * depth.powf(exponent + 1.0) / (exponent + 1.0),
            Self::Table(table) => table.at(depth)[2],
            Self::Function(function) => function.potential(depth, &mut scratch.borrow_mut()),
        }
    }

    /// The depth at which this energy, J, is stored; but for powers to a few per cent.
    pub fn depth_of(&self, energy: f64, scratch: &RefCell<Scratch>) -> f64 {
        if let Self::Power { stiffness, exponent } = self {
            return ((exponent + 1.0) * energy / stiffness).powf(1.0 / (exponent + 1.0));
        }
        depth_where(|depth| self.potential(depth, scratch) < energy)
    }

    /// The depth at which it carries this force, N, at rest; but for powers to a few per cent.
    pub fn depth_under(&self, force: f64, scratch: &RefCell<Scratch>) -> f64 {
        if let Self::Power { stiffness, exponent } = self {
            return (force / stiffness).powf(1.0 / exponent);
        }
        depth_where(|depth| self.at(depth, 0.0, scratch).elastic < force)
    }

    /// Whether all that goes in comes out again.
    pub fn is_conservative(&self) -> bool {
        match self {
            Self::Power { .. } | Self::Table(_) => true,
            Self::Function(function) => function.places[1].is_none(),
        }
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        match self {
            Self::Power { stiffness, .. } if !(*stiffness > 0.0 && stiffness.is_finite()) => {
                Some(format!("the stiffness must be positive, it is {stiffness}"))
            }
            Self::Power { exponent, .. } if !(*exponent >= 1.0 && exponent.is_finite()) => {
                Some(format!("the exponent must be at least 1, it is {exponent}"))
            }
            Self::Table(table) => table.mistake(),
            Self::Power { .. } | Self::Function(_) => None,
        }
    }
}

/// The depth up to which something is too shallow.
fn depth_where(too_shallow: impl Fn(f64) -> bool) -> f64 {
    let mut low = SHALLOW;
    while too_shallow(2.0 * low) && low < DEEP {
        low *= 2.0;
    }
    let mut span = low;
    for _ in 0..HALVINGS {
        span *= 0.5;
        if too_shallow(low + span) {
            low += span;
        }
    }
    low
}

/// A force by depth (1).
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Depth and force, as given.
    points: Vec<[f64; 2]>,
    /// Depth, E, its slope and ∫E, from the origin on.
    knots: Vec<[f64; 4]>,
}

impl Table {
    fn new(points: &[[f64; 2]]) -> Self {
        let origin = [[0.0; 2]].into_iter().filter(|_| points.first().is_none_or(|p| p[0] != 0.0));
        let all: Vec<[f64; 2]> = origin.chain(points.iter().copied()).collect();
        let chords: Vec<[f64; 2]> = all.windows(2).map(|p| [p[1][0] - p[0][0], (p[1][1] - p[0][1]) / (p[1][0] - p[0][0])]).collect();
        let mut knots: Vec<[f64; 4]> = Vec::with_capacity(all.len());
        for (k, [depth, force]) in all.iter().enumerate() {
            let slope = match (k.checked_sub(1).map(|k| chords[k]), chords.get(k)) {
                (Some([h, s]), Some([g, t])) if s * t > 0.0 => {
                    let (a, b) = (h + 2.0 * g, 2.0 * h + g);
                    (a + b) / (a / s + b / t)
                }
                (Some(_), Some(_)) | (None, None) => 0.0,
                (Some([_, s]), None) => s,
                (None, Some([_, t])) => *t,
            };
            let stored = knots.last().map_or(0.0, |last| last[3] + piece(last, &[*depth, *force, slope, 0.0], *depth)[2]);
            knots.push([*depth, *force, slope, stored]);
        }
        Self { points: points.to_vec(), knots }
    }

    /// Depth and force, as given.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// E, its slope and ∫E.
    fn at(&self, depth: f64) -> [f64; 3] {
        let k = self.knots.partition_point(|knot| knot[0] <= depth).max(1);
        let from = &self.knots[k - 1];
        let [force, slope, stored] = match self.knots.get(k) {
            Some(to) => piece(from, to, depth),
            None => {
                let s = depth - from[0];
                [from[1] + from[2] * s, from[2], (from[1] + 0.5 * from[2] * s) * s]
            }
        };
        [force, slope, from[3] + stored]
    }

    fn mistake(&self) -> Option<String> {
        let rises = |p: &[[f64; 2]]| p[1][0] > p[0][0] && p[1][1] >= p[0][1];
        let fine = self.points.iter().flatten().all(|x| x.is_finite() && *x >= 0.0);
        let first = self.knots.first().is_some_and(|knot| knot[1] == 0.0);
        let wrong = self.knots.len() < 2 || !fine || !first || !self.points.windows(2).all(rises);
        wrong.then(|| "a table needs depths that increase, and forces that do not decrease, from 0 on".into())
    }
}

/// The cubic between two knots: E, its slope, and ∫E from the first on.
fn piece(from: &[f64; 4], to: &[f64; 4], depth: f64) -> [f64; 3] {
    let (h, x) = (to[0] - from[0], (depth - from[0]) / (to[0] - from[0]));
    let (rise, a, b) = (to[1] - from[1], h * from[2], h * to[2]);
    let (c, d) = (3.0 * rise - 2.0 * a - b, a + b - 2.0 * rise);
    let force = from[1] + x * (a + x * (c + x * d));
    let slope = (a + x * (2.0 * c + x * 3.0 * d)) / h;
    [force, slope, h * x * (from[1] + x * (a / 2.0 + x * (c / 3.0 + x * d / 4.0)))]
}

/// A force by depth and rate (2).
#[derive(Debug, Clone)]
pub struct Function {
    text: String,
    program: Program,
    /// Where depth and rate are among the inputs.
    places: [Option<usize>; 2],
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Half of the places and weights of Gauss' formula with eight of them, on [−1, 1].
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_48],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_26],
];
/// An integral is taken in so many parts.
const PARTS: usize = 4;

impl Function {
    fn new(text: &str, scope: &Scope) -> Result<Self, ExprError> {
        let mut scope = scope.clone();
        scope.arguments = ARGUMENTS.map(String::from).to_vec();
        let program = Program::new(text, &scope)?;
        let argument = |k: usize| program.inputs().iter().position(|input| *input == Input::Argument(k));
        let places = [argument(0), argument(1)];
        match program.inputs().iter().find(|input| !matches!(input, Input::Argument(_))) {
            None => Ok(Self { text: text.into(), program, places }),
            Some(_) => Err(ExprError::new(Default::default(), "a law of contact is a function of depth and rate, and of nothing else")),
        }
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn inputs(&self, depth: f64, rate: f64) -> [f64; 2] {
        let mut inputs = [0.0; 2];
        for (place, value) in self.places.iter().zip([depth, rate]) {
            if let Some(place) = place {
                inputs[*place] = value;
            }
        }
        inputs
    }

    fn at(&self, depth: f64, rate: f64, scratch: &mut Scratch) -> Push {
        let count = self.program.inputs().len();
        let mut gradient = [0.0; 2];
        let mut values = |rate: f64| {
            let force = self.program.gradient(&self.inputs(depth, rate)[..count], scratch, &mut gradient[..count]);
            (force, self.places.map(|place| place.map_or(0.0, |place| gradient[place])))
        };
        let (force, [by_depth, by_rate]) = values(rate);
        let (elastic, [slope, _]) = if self.places[1].is_some() { values(0.0) } else { (force, [by_depth, 0.0]) };
        Push { force, by_depth, by_rate, elastic, slope }
    }

    /// ∫f(s, 0) ds with s = δ u², which makes powers smooth.
    fn potential(&self, depth: f64, scratch: &mut Scratch) -> f64 {
        let count = self.program.inputs().len();
        let mut at = |u: f64| 2.0 * depth * u * self.program.value(&self.inputs(depth * u * u, 0.0)[..count], scratch);
        let half = 0.5 / PARTS as f64;
        let part = |k: usize| (2 * k + 1) as f64 * half;
        let mut sum = 0.0;
        for middle in (0..PARTS).map(part) {
            for [x, weight] in GAUSS {
                sum += half * weight * (at(middle - half * x) + at(middle + half * x));
            }
        }
        sum
    }
}
