//! Euler methods for real time: a fixed number of evaluations, factorisations and solutions a step, no iteration, no step control
//! (Burgermeister, Arnold, Esterl, DAE time integration for real-time applications in multi-body dynamics, ZAMM 86, 2006).
//!
//! # The symplectic step
//!
//! By default positions follow the *new* velocities, as in the industrial code of the paper's section 4.3, and constraints are met as in the
//! method of Ryckaert, Ciccotti and Berendsen (SHAKE; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1). With the velocities
//! v̂ = v_n + h a over the step, forces Q without the gyroscopic ones g(v) = ω × J ω, and all at t_n unless said,
//!
//! ```text
//! (M + h C + θ h² K) a + Gᵀλ = Q − g(v_n)/2,      C = −∂Q/∂v + g_v/2,   K = ∂(Gᵀλ_n − Q)/∂q,   θ = 1/3                   (5)
//! Φ(q_n ⊕ h v̂, t_{n+1}) = 0:      G(q̃) T h² a = −Φ(q̃),   q̃ = q_n ⊕ h v_n              solved with (5)                    (6)
//! q_{n+1} = q_n ⊕ h v̂,            the same matrix with −Φ(q_{n+1}) for a fixed number of corrections of a and λ          (7)
//! [M Gᵀ; G 0](v_{n+1} − v̂, h μ) = (−h g(v̂)/2, −G v̂ − Φ_t)     at t_{n+1};  λ_{n+1} = λ + μ                               (8)
//! ```
//!
//! Where M + θ h² K does not change, (5) and (7) are the symplectic Euler method with that mass: energy comes and goes by a part of order h and
//! neither grows nor decays, for oscillations of any frequency, those that reactions make (Gᵀλ_n in K) among them. Halves of the gyroscopic
//! force at both ends are those of the discrete Lagrangian of a rigid body, T is the tangent of the exponential map. (6) leaves Φ of order h⁴, and a
//! correction gains h². Rows of velocity level have A(q̃) v̂ + b = A(q̃) v_n/2 + b/2 in (6), which is A between both ends. There is no
//! derivative by time in it. Where forces read accelerations or reactions, the part that (8) adds is taken from the step before.
//!
//! # The methods of the paper
//!
//! With forces Q, q̇ = v, and J_q, J_v the chosen parts of ∂Q/∂q, ∂Q/∂v (none for the explicit methods), a step of size h is
//!
//! ```text
//! q_{n+1} = q_n ⊕ h v_n,      (M − h J_v)(v_{n+1} − v_n)/h = Q + h J_q v_n + h ∂Q/∂t − Gᵀλ        all at t_n         (1)
//! ```
//!
//! | Jacobian | J_q | J_v | |
//! |---|---|---|---|
//! | `symplectic` | 0 | Q_v + θ h Q_q | (5) to (8), only with `projection`; the default |
//! | `exact` | Q_q | Q_v + h Q_q | and q_{n+1} = q_n ⊕ h v_{n+1}: damps what it does not resolve |
//! | `J1` | Q_q | Q_v | stable for h²k ≤ 2hd + 4 of a unit mass on a spring k with damping d |
//! | `J2` | Q_q | Q_v + h Q_q | stable for all h, does not damp by itself |
//! | `J3` | Q_q | 0 | one derivative in the direction of the motion; stable for hd ≤ 2, h²k ≤ 4 − 2hd |
//! | `marked` | as `J2` | | of the forces that are marked only |
//!
//! Derivatives of Gᵀλ and functions of time written in Rust are left out, as the method may (it is a W-method). Differential states are
//! treated implicitly by all of them, with the Jacobian at hand.
//!
//! The multipliers come from constraints of accelerations (index 1, equation 2) or of velocities (index 2, equation 3), each plain or
//! stabilised after Baumgarte with the parts in brackets, α = 1/h (1/2h for `exact`) and β = 1/h² unless given: with these an error is gone
//! after two steps.
//!
//! ```text
//! [M Gᵀ; G 0](a, λ) = (Q, −Φ̈₀ − [2α Φ̇ + β Φ])_n             λ is put in (1); `exact` solves for both together         (2)
//! G(q_{n+1}) v_{n+1} + Φ_t = −[α Φ(q_{n+1})]                  solved with (1) for v_{n+1} and λ                       (3)
//! ```
//!
//! or q and v are kept near the constraints by so many steps of a projection with one matrix,
//!
//! ```text
//! [M Gᵀ; G 0](δ, μ) = (0, −Φ(q_{n+1})),    q_{n+1} ← q_{n+1} ⊕ δ        matrix at q_n or at the predicted q_{n+1}      (4)
//! ```
//!
//! after (2) with one more for the velocities (`projection`), or between the two parts of (3) (`ggl`: the equations of Gear, Gupta
//! and Leimkuhler). One step keeps |Φ| within C h³ for all times. Multipliers that are put in are those of explicit forces: where forces
//! are stiff use (3) or `exact`. Rows of velocity level take part as their rates do, with [α Φ̇] in (2).

/// An Euler method: its name, a line about it, its default settings, the ways it meets constraints.
macro_rules! euler {
    ($(#[$doc:meta])* $Method:ident, $name:literal, $summary:literal, $default:expr, $possible:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $Method(pub EulerSettings);

        impl Default for $Method {
            fn default() -> Self {
                Self($default)
            }
        }

        impl crate::integrators::Method for $Method {
            fn name(&self) -> &'static str {
                $name
            }
            fn summary(&self) -> &'static str {
                $summary
            }
            fn order(&self) -> usize {
                1
            }
            fn at_work(&self, system: &crate::system::System, options: &crate::integrators::Options) -> Box<dyn crate::integrators::Advance> {
                Box::new(super::at_work::AtWork::new(system, options, self.0))
            }
            fn formulations(&self) -> &'static [crate::integrators::Formulation] {
                use crate::integrators::Formulation::{Index1, Index2};
                if self.0.constraints.of_velocities() { &[Index2] } else { &[Index1] }
            }
            fn solves(&self) -> crate::integrators::Solves {
                if self.0.jacobian.is_some() { crate::integrators::Solves::Linear } else { crate::integrators::Solves::Accelerations }
            }
            fn damping(&self) -> String {
                match self.0.jacobian {
                    None => "none: steps are limited",
                    Some(crate::integrators::Jacobian::Exact) => "strong",
                    Some(_) => "little",
                }
                .into()
            }
            fn adaptive(&self) -> bool {
                false
            }
            fn operations(&self, system: &crate::system::System, regularization: &[f64]) -> Option<crate::integrators::Operations> {
                Some(super::operations::of(&self.0, system, regularization))
            }
            fn with(&self, parameter: &str, value: crate::integrators::Parameter) -> Option<std::sync::Arc<dyn crate::integrators::Method>> {
                Some(std::sync::Arc::new(Self(self.0.with(parameter, value)?)))
            }
            fn mistake(&self) -> Option<String> {
                self.0.mistake($name, $possible)
            }
        }
    };
}

mod at_work;
mod explicit;
mod guard;
mod half_explicit;
mod linear_implicit;
mod operations;
mod settings;
mod solution;
mod solver;
mod symplectic;

pub use explicit::ExplicitEuler;
pub use half_explicit::HalfExplicitEuler;
pub use linear_implicit::LinearImplicitEuler;
pub use settings::{Constraints, EulerSettings, Jacobian, ProjectionMatrix, Watch};
