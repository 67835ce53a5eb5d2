//! Expressions: functions written as text, compiled to a flat program with exact derivatives.
//!
//! Text such as `STEP(TIME, 0, 0, 1, 5) * DX(crank.tip, ground.pin)` is read into a tree ([`Expr`]), the tree is lowered
//! to a list of elementary operations ([`Program`]). Operation k writes the value w_k and uses only values before it; the
//! inputs x are the time and the quantities of the model that the text names. The last value is the result:
//!
//! ```text
//! w_k = φ_k(w_a, w_b),   a, b < k,          f(x) = w_n                                             (1)
//! w̄_n = 1,   w̄_a += ∂φ_k/∂w_a w̄_k   for k = n … 1,          ∂f/∂x = w̄ of the inputs              (2)
//! ```
//!
//! (2) is the reverse sweep that gives all first derivatives at once. Second derivatives follow from (1) with hyper-dual
//! numbers. Where an expression chooses (IF, MIN, MAX, …), derivatives are those of the side that was chosen; the other
//! side may be undefined without harm.
//!
//! The names, arguments and definitions of the functions are those of Adams' function expressions; all are in one table
//! ([`FUNCTIONS`]). The grammar, from weak to strong binding:
//!
//! ```text
//! ||     &&     < > <= >= == !=     + -     * /     unary - + !     ** ^ (right to left)
//! ```
//!
//! so −2**2 is −4 and 2**3**2 is 2⁹. Comparisons and logic give 1 or 0; any number but 0 counts as true. A comparison
//! with an undefined number (NaN) is undefined, so that mistakes are not hidden by a choice. A number may carry a unit
//! (`3 kN/mm`), and stands for its value in SI then.

mod affine;
mod ast;
mod builder;
mod diagnose;
mod dimension;
mod dimension_of_call;
mod error;
mod formulas;
mod functions;
mod interval;
mod known;
mod lexer;
mod lower;
mod parser;
mod primitives;
mod program;
mod scope;
mod sides;
mod spline;
mod time_part;

pub use ast::{Expr, Node, Operator, Span};
pub use builder::Input;
pub use diagnose::Fault;
pub use dimension::{dimension, infer, unlike};
pub use error::ExprError;
pub(crate) use error::closest;
pub use functions::{FUNCTIONS, Function, FunctionKind, find};
pub use known::{Known, alike, in_words};
pub use parser::parse;
pub use program::{Program, Scratch};
pub use scope::{Dimensions, Scope, Signal, element_name, same_name};
pub use sides::Side;
pub use spline::{Curve, Extrapolation, Method, Spline, SplineError};
pub use time_part::{Break, TimePart};
