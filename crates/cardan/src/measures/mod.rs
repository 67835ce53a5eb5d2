//! Measures: scalar functions s of the poses of two markers, with exact first and second derivatives.
//!
//! Joints are made of measures held at a value, spring-dampers of forces along them, sensors read them. With the pose
//! variations x = (δp_i, δθ_i, δp_j, δθ_j) in the world frame (R → exp(δθ) R) and the twist ξ of the two markers:
//!
//! ```text
//! g_a = ∂s/∂x_a,      H_ab = ∂g_a/∂x_b                                                          (1)
//! ṡ = g·ξ,   ∂ṡ/∂x = Hᵀ ξ,   s̈ = g·ξ̇ + ξᵀ H ξ                                                   (2)
//! ```
//!
//! What expressions read of the motion, up to accelerations, are quantities ([`Quantity`]).
//!
//! H is not symmetric where rotations are concerned; only (2) uses it, and the tangent of a force along g.

mod approach;
mod context;
mod function;
mod integral;
mod memory;
mod quantity;
mod scalar;

pub use approach::{Approach, TouchId};
pub use context::{Context, Frame};
pub use function::TimeFunction;
pub use memory::{Memory, Past};
pub use quantity::{Angle, Component, Depth, Gradients, MarkerGradient, Motion, Quantity, QuantityKind, Vector};
pub(crate) use scalar::across;
pub use scalar::{Bend, Measure};
