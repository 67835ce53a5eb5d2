//! Linear equations of small deviations from a state, in the fewest coordinates.
//!
//! Deviations δq, δv, δx stay on the constraints: G δq = 0 for rows of position level, and δ(G v + Φ_t) = 0 for all rows. With bases of
//! both, orthonormal in the mass metric, and the smallest δv that a displacement needs,
//!
//! ```text
//! δq = N z_q,    δv = V z_q + W z_v,    δx = z_x                                                          (1)
//! ż_q = Nᵀ M δv,    ż_v = Wᵀ M (δa + ω × δω),    ż_x = δẋ                                                  (2)
//! ```
//!
//! where δa and δẋ are linear in the deviations, exactly ([`Linearization`]), and rolling leaves fewer velocities than positions.
//! Deviations of rotations are counted in world axes (the term ω × δω), so that ż = A z has constant coefficients at an equilibrium and
//! along a steady straight motion, as of a bicycle with its wheels turning. Variables y that are solved for follow from them,
//!
//! ```text
//! ż = A z + B u,    y = C z + D u                                                                         (3)
//! ```
//!
//! Dense: for models of some hundred bodies.

use super::linearize::LinearizeError;
use super::redundancy::Redundancy;
use super::tangent_space::TangentSpace;
use crate::constraints::Level;
use crate::math::{Vec3, max_abs};
use crate::system::{Kkt, KktError, Linearization, State, System, Variation, Work};
use nalgebra::DMatrix;

/// What kind of motion a state belongs to.
#[derive(Debug, Clone, PartialEq)]
pub enum Steadiness {
    /// Nothing moves, and nothing begins to.
    Equilibrium,
    /// Bodies move without acceleration.
    SteadyMotion,
    /// Neither: linear equations hold for a short time only.
    Unsteady {
        /// The largest acceleration or rate of a state.
        acceleration: f64,
        /// The body or state that has it.
        of: String,
    },
}

/// Accelerations this small, against those that the forces would give to free bodies, are none.
const STEADY: f64 = 1e-7;
/// Velocities this small, m/s or rad/s, are none.
const STILL: f64 = 1e-9;

/// The linear equations at a state of a system (3).
#[derive(Debug, Clone)]
pub struct LinearDynamics {
    /// A; positions come first, then velocities, then differential states.
    pub a: DMatrix<f64>,
    /// B, for all inputs of the model.
    pub b: DMatrix<f64>,
    /// C, for the variables that are solved for.
    pub c: DMatrix<f64>,
    /// D.
    pub d: DMatrix<f64>,
    /// The places of the differential states, without variables that are solved for.
    pub states: Vec<usize>,
    /// N of equation 1, by which z_q displaces the bodies.
    pub positions: DMatrix<f64>,
    /// Number of free velocities.
    pub velocities: usize,
    /// What the state is.
    pub steadiness: Steadiness,
    /// The state, on the constraints and with its accelerations.
    pub state: State,
}

impl LinearDynamics {
    /// Linearises at a state.
    pub fn new(system: &System, at: &State) -> Result<Self, LinearizeError> {
        let (mut kkt, mut work, mut x) = (Kkt::new(system), Work::new(system), at.clone());
        kkt.regularization = Redundancy::new(system, &x, &mut work).regularization;
        kkt.project_positions(system, &mut x, &mut work)?;
        system.remember(&mut x, &mut work);
        kkt.project_velocities(system, &mut x, &mut work)?;
        kkt.accelerate(system, &mut x, &mut work)?;
        let steadiness = steadiness(system, &x, &mut work);
        let basis = Basis::new(system, &x, &mut work).ok_or(LinearizeError::Decomposition)?;
        let mut linearization = Linearization::new(system);
        linearization.update(system, &x, &kkt)?;
        let (n, inputs) = (basis.size(), x.inputs.len());
        let (mut a, mut b) = (DMatrix::zeros(n, n), DMatrix::zeros(n, inputs));
        for k in 0..n {
            a.column_mut(k).copy_from_slice(&column(&mut linearization, system, &basis, k)?);
        }
        for k in 0..inputs {
            b.column_mut(k).copy_from_slice(&input(&mut linearization, system, &basis, k)?);
        }
        let velocities = basis.velocities.basis.ncols();
        let bodies = basis.positions.ncols() + velocities;
        let solved: Vec<usize> = system.solved_variables().collect();
        let states: Vec<usize> = (0..system.nx()).filter(|k| !solved.contains(k)).collect();
        let kept: Vec<usize> = (0..bodies).chain(states.iter().map(|k| bodies + k)).collect();
        let values: Vec<usize> = solved.iter().map(|k| bodies + k).collect();
        let (a, c) = (a.select_columns(&kept).select_rows(&kept), a.select_columns(&kept).select_rows(&values));
        let (b, d) = (b.select_rows(&kept), b.select_rows(&values));
        Ok(Self { a, b, c, d, states, positions: basis.positions, velocities, steadiness, state: x })
    }
}

/// The bases of deviations (1).
struct Basis {
    /// N.
    positions: DMatrix<f64>,
    /// V.
    along: DMatrix<f64>,
    /// W.
    velocities: TangentSpace,
    /// M N and M W.
    projections: [DMatrix<f64>; 2],
    states: usize,
}

impl Basis {
    fn new(system: &System, x: &State, work: &mut Work) -> Option<Self> {
        let positions = TangentSpace::new(system, x, &[Level::Position], work)?.basis;
        let velocities = TangentSpace::new(system, x, &[Level::Position, Level::Velocity], work)?;
        let mut along = DMatrix::zeros(system.nv(), positions.ncols());
        let mut change = vec![0.0; system.rows()];
        for (k, column) in positions.column_iter().enumerate() {
            system.rate_change(x, column.as_slice(), work, &mut change);
            change.iter_mut().for_each(|c| *c = -*c);
            along.column_mut(k).copy_from_slice(&velocities.smallest(&change));
        }
        let projections = [&positions, &velocities.basis].map(|basis| mass_times(system, &x.q, basis));
        Some(Self { positions, along, velocities, projections, states: system.nx() })
    }

    fn size(&self) -> usize {
        self.positions.ncols() + self.velocities.basis.ncols() + self.states
    }

    /// δq, δv, δx of a unit deviation.
    fn deviation(&self, k: usize) -> [Vec<f64>; 3] {
        let (p, v) = (self.positions.ncols(), self.velocities.basis.ncols());
        let mut out = [vec![0.0; self.positions.nrows()], vec![0.0; self.positions.nrows()], vec![0.0; self.states]];
        if k < p {
            out[0].copy_from_slice(self.positions.column(k).as_slice());
            out[1].copy_from_slice(self.along.column(k).as_slice());
        } else if k < p + v {
            out[1].copy_from_slice(self.velocities.basis.column(k - p).as_slice());
        } else {
            out[2][k - p - v] = 1.0;
        }
        out
    }

    /// ż (2) of δv, δa + ω × δω and δẋ.
    fn rates(&self, [v, a, x_dot]: [&[f64]; 3]) -> Vec<f64> {
        let dot = |basis: &DMatrix<f64>, z: &[f64]| -> Vec<f64> {
            basis.column_iter().map(|c| c.iter().zip(z).map(|(c, z)| c * z).sum()).collect()
        };
        [dot(&self.projections[0], v), dot(&self.projections[1], a), x_dot.to_vec()].concat()
    }
}

fn mass_times(system: &System, q: &[f64], basis: &DMatrix<f64>) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(basis.nrows(), basis.ncols());
    for (from, mut to) in basis.column_iter().zip(out.column_iter_mut()) {
        system.add_mass_times(q, from.as_slice(), 1.0, to.as_mut_slice());
    }
    out
}

/// ż for a unit deviation.
fn column(linearization: &mut Linearization, system: &System, basis: &Basis, k: usize) -> Result<Vec<f64>, KktError> {
    let [q, v, x] = basis.deviation(k);
    let (mut a, mut x_dot) = (vec![0.0; v.len()], vec![0.0; x.len()]);
    linearization.change(system, &Variation { q: &q, v: &v, x: &x, t: 0.0 }, [&mut a, &mut x_dot])?;
    for at in system.attitudes() {
        let turned = vector(&linearization.state().v[at..]).cross(&vector(&v[at..]));
        (0..3).for_each(|c| a[at + c] += turned[c]);
    }
    Ok(basis.rates([&v, &a, &x_dot]))
}

/// ż for a unit of an input.
fn input(linearization: &mut Linearization, system: &System, basis: &Basis, k: usize) -> Result<Vec<f64>, KktError> {
    let still = vec![0.0; system.nv()];
    let (mut a, mut x_dot) = (still.clone(), vec![0.0; system.nx()]);
    linearization.input_change(system, k, [&mut a, &mut x_dot])?;
    Ok(basis.rates([&still, &a, &x_dot]))
}

fn vector(three: &[f64]) -> Vec3 {
    Vec3::new(three[0], three[1], three[2])
}

fn steadiness(system: &System, x: &State, work: &mut Work) -> Steadiness {
    let mut unloaded = x.clone();
    unloaded.lambda.fill(0.0);
    let free = system.free_acceleration(system.evaluate(&unloaded, work).f());
    let solved: Vec<usize> = system.solved_variables().collect();
    let states = || (0..system.nx()).filter(|k| !solved.contains(k));
    let scale = free + states().map(|k| x.x[k].abs()).fold(max_abs(&x.v), f64::max);
    let bodies = x.a.iter().enumerate().map(|(k, a)| (a.abs(), k));
    let rates = states().map(|k| (x.x_dot[k].abs(), system.nv() + k));
    let (acceleration, place) = bodies.chain(rates).fold((0.0, 0), |most, one| if one.0 > most.0 { one } else { most });
    if acceleration > STEADY * scale {
        let state = place.checked_sub(system.nv()).and_then(|k| system.state_names().nth(k).map(String::from));
        Steadiness::Unsteady { acceleration, of: state.unwrap_or_else(|| system.balance_name(place).0) }
    } else if max_abs(&x.v) > STILL {
        Steadiness::SteadyMotion
    } else {
        Steadiness::Equilibrium
    }
}
