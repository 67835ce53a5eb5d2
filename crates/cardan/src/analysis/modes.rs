//! Modes: eigenvalues λ and eigenvectors of the linear equations ż = A z at a state ([`LinearDynamics`]),
//!
//! ```text
//! frequency |Im λ|/2π,    damping ratio −Re λ/|λ|,    time constant −1/Re λ                                 (1)
//! q(t) = q ⊕ Re(s e^{λt}),    s = N z_q                                                                    (2)
//! ```
//!
//! A is balanced before it is decomposed. Of a conjugate pair the mode with Im λ > 0 is given.

use super::linear_dynamics::{LinearDynamics, Steadiness};
use super::linearize::LinearizeError;
use crate::linear::decompositions::eigen;
use crate::results::{Results, Sample};
use crate::system::{State, System, Work};
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DVector};
use std::f64::consts::TAU;

/// Amplitude of a swing that can be seen, against the extent of the model.
const VISIBLE: f64 = 0.1;

/// Modes slower than this, 1/s, are round-off: their swing takes a second.
const STILL: f64 = 1e-6;

/// One mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// λ, 1/s.
    pub eigenvalue: Complex<f64>,
    /// s: displacements of all bodies as their velocities have them, the largest of them (or turn times the size of its body) one metre.
    pub shape: Vec<Complex<f64>>,
    /// The part of the differential states.
    pub states: Vec<Complex<f64>>,
}

impl Mode {
    /// Oscillations per second.
    pub fn frequency(&self) -> f64 {
        self.eigenvalue.im.abs() / TAU
    }

    /// Part of critical damping; negative for modes that grow, `None` where λ = 0.
    pub fn damping_ratio(&self) -> Option<f64> {
        let size = self.eigenvalue.norm();
        (size > 0.0).then(|| -self.eigenvalue.re / size)
    }

    /// Time to fall to 1/e, s; negative for modes that grow, `None` for those that stay.
    pub fn time_constant(&self) -> Option<f64> {
        (self.eigenvalue.re != 0.0).then(|| -1.0 / self.eigenvalue.re)
    }

    /// One swing of the mode about the state (2), damping left out, the largest displacement being `amplitude`, m. A mode that does not
    /// oscillate is shown going to and fro.
    pub fn swing(&self, system: &System, about: &State, amplitude: f64, samples: usize) -> Results {
        let mut work = Work::new(system);
        let mut results = Results::default();
        let rate = if self.eigenvalue.im == 0.0 { self.eigenvalue.norm() } else { self.eigenvalue.im.abs() };
        let rate = if rate > STILL { rate } else { TAU };
        for k in 0..=samples {
            let angle = TAU * k as f64 / samples as f64;
            let phase = Complex::from_polar(amplitude, angle);
            let part = |s: &Complex<f64>| (s * phase).re;
            let mut x = about.clone();
            let delta: Vec<f64> = self.shape.iter().map(part).collect();
            system.retract(&about.q, &delta, &mut x.q);
            x.t = angle / rate;
            x.v.iter_mut().zip(&self.shape).for_each(|(v, s)| *v = -(s * phase).im * rate);
            x.x.iter_mut().zip(&self.states).for_each(|(x, s)| *x += part(s));
            let (energy, momentum) = (system.energy(&x, &mut work), system.momentum(&x));
            results.samples.push(Sample { state: x, energy, momentum });
        }
        results
    }

    /// How far each body moves and turns, complex amplitudes left aside: name, displacement, turn; the largest first.
    pub fn movements(&self, system: &System) -> Vec<(String, f64, f64)> {
        let sizes: Vec<f64> = self.shape.iter().map(|s| s.norm()).collect();
        let lengths = system.lengths();
        let parts = system.bodies().iter().map(|body| body.shape.split_norms(&sizes[body.v()]));
        let mut all: Vec<_> = system.bodies().iter().zip(parts).zip(lengths).map(|((b, (d, r)), l)| (b.name.clone(), d, r, l)).collect();
        all.sort_by(|a, b| (b.1.max(b.2 * b.3)).total_cmp(&a.1.max(a.2 * a.3)));
        all.into_iter().map(|(name, d, r, _)| (name, d, r)).collect()
    }
}

/// The modes of a state.
#[derive(Debug, Clone)]
pub struct Modes {
    /// In order of |λ|.
    pub modes: Vec<Mode>,
    /// Whether the state is an equilibrium.
    pub steadiness: Steadiness,
    /// The state.
    pub state: State,
}

impl Modes {
    /// One swing of a mode ([`Mode::swing`]) that can be seen: the largest displacement is a tenth of the extent of the model.
    pub fn swing(&self, system: &System, mode: &Mode, samples: usize) -> Results {
        let mut work = Work::new(system);
        mode.swing(system, &self.state, VISIBLE * system.extent(&self.state, &mut work), samples)
    }
}

/// The modes of small motions about a state.
pub fn modes(system: &System, at: &State) -> Result<Modes, LinearizeError> {
    let dynamics = LinearDynamics::new(system, at)?;
    let mut a = dynamics.a.clone();
    let n = a.nrows();
    let scale: DVector<f64> = if n > 0 { balance_parlett_reinsch(&mut a) } else { DVector::zeros(0) };
    let (values, vectors) = eigen(&a).ok_or(LinearizeError::Decomposition)?;
    let mut modes = Vec::new();
    for k in 0..n {
        if values[k].im >= 0.0 {
            let z: Vec<Complex<f64>> = (0..n).map(|i| vectors[(i, k)] * scale[i]).collect();
            modes.push(mode(system, &dynamics, values[k], &z));
        }
    }
    modes.sort_by(|a, b| a.eigenvalue.norm().total_cmp(&b.eigenvalue.norm()).then(a.eigenvalue.re.total_cmp(&b.eigenvalue.re)));
    Ok(Modes { modes, steadiness: dynamics.steadiness, state: dynamics.state })
}

/// The mode of an eigenvector, scaled.
fn mode(system: &System, dynamics: &LinearDynamics, eigenvalue: Complex<f64>, z: &[Complex<f64>]) -> Mode {
    let n = &dynamics.positions;
    let entry = |row: usize| (0..n.ncols()).map(|c| z[c] * n[(row, c)]).sum::<Complex<f64>>();
    let mut shape: Vec<Complex<f64>> = (0..n.nrows()).map(entry).collect();
    let mut states = vec![Complex::new(0.0, 0.0); system.nx()];
    dynamics.states.iter().zip(&z[n.ncols() + dynamics.velocities..]).for_each(|(k, z)| states[*k] = *z);
    let mut largest = Complex::new(0.0, 0.0);
    for size in shape.iter().zip(system.displacements()).map(|(s, by)| s * by) {
        if size.norm() > largest.norm() * (1.0 + 1e-9) {
            largest = size;
        }
    }
    if largest.norm() > 0.0 {
        shape.iter_mut().chain(&mut states).for_each(|s| *s /= largest);
    }
    Mode { eigenvalue, shape, states }
}
