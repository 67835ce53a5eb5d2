//! The table of functions: everything that may be called or named in an expression.
//!
//! To add a mathematical function write a line here, with a formula made of elementary operations (see `formulas.rs`); its
//! derivatives follow.

use super::builder::{Builder, Slot};
use super::formulas::*;
use super::primitives::{Binary, Unary};
use super::spline::Method;
use crate::units::Dimension;

/// What sort of function it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// A function of numbers.
    Mathematics,
    /// A number with a name.
    Constant,
    /// The time.
    Time,
    /// A quantity of the model; its arguments are names of markers or elements.
    Quantity,
    /// A tabulated function, by name.
    Spline,
}

/// What a function means to the compiler.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Formula(fn(&mut Builder, &[Slot]) -> Slot),
    Constant(f64),
    Time,
    Quantity,
    Spline(Method),
}

/// A function of the table.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name, in capitals; case does not matter in expressions.
    pub name: &'static str,
    /// The least and the largest number of arguments.
    pub arguments: (usize, usize),
    /// What it gives, in a line.
    pub summary: &'static str,
    /// The dimension of its value, where it is always the same.
    pub dimension: Option<Dimension>,
    pub(super) meaning: Meaning,
}

impl Function {
    /// What sort of function it is.
    pub fn kind(&self) -> FunctionKind {
        match self.meaning {
            Meaning::Formula(_) => FunctionKind::Mathematics,
            Meaning::Constant(_) => FunctionKind::Constant,
            Meaning::Time => FunctionKind::Time,
            Meaning::Quantity => FunctionKind::Quantity,
            Meaning::Spline(_) => FunctionKind::Spline,
        }
    }
}

/// The function of that name, in any case.
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name.eq_ignore_ascii_case(name))
}

const fn entry(name: &'static str, least: usize, most: usize, summary: &'static str, meaning: Meaning) -> Function {
    Function { name, arguments: (least, most), summary, dimension: None, meaning }
}

macro_rules! unary {
    ($name:literal, $f:ident, $summary:literal) => {
        entry($name, 1, 1, $summary, Meaning::Formula(|b, a| b.unary(Unary::$f, a[0])))
    };
}

macro_rules! formula {
    ($name:literal, $least:literal, $most:literal, $f:expr, $summary:literal) => {
        entry($name, $least, $most, $summary, Meaning::Formula($f))
    };
}

macro_rules! quantity {
    ($name:literal, $most:literal, $dimension:ident, $summary:literal) => {
        Function { dimension: Some(Dimension::$dimension), ..entry($name, 1, $most, $summary, Meaning::Quantity) }
    };
}

/// All functions.
pub static FUNCTIONS: &[Function] = &[
    entry("PI", 0, 0, "π", Meaning::Constant(std::f64::consts::PI)),
    entry("RTOD", 0, 0, "degrees in a radian, 180/π", Meaning::Constant(180.0 / std::f64::consts::PI)),
    entry("DTOR", 0, 0, "radians in a degree, π/180", Meaning::Constant(std::f64::consts::PI / 180.0)),
    Function { dimension: Some(Dimension::TIME), ..entry("TIME", 0, 0, "the time", Meaning::Time) },
    unary!("SIN", Sin, "sine"),
    unary!("COS", Cos, "cosine"),
    unary!("TAN", Tan, "tangent"),
    unary!("ASIN", Asin, "angle in [−π/2, π/2] of a sine"),
    unary!("ACOS", Acos, "angle in [0, π] of a cosine"),
    unary!("ATAN", Atan, "angle in (−π/2, π/2) of a tangent"),
    formula!("ATAN2", 2, 2, |b, a| b.binary(Binary::Atan2, a[0], a[1]), "(y, x): angle of the point (x, y)"),
    unary!("SINH", Sinh, "hyperbolic sine"),
    unary!("COSH", Cosh, "hyperbolic cosine"),
    unary!("TANH", Tanh, "hyperbolic tangent"),
    unary!("EXP", Exp, "exponential"),
    unary!("LOG", Ln, "natural logarithm"),
    unary!("LOG10", Log10, "logarithm to base 10"),
    unary!("SQRT", Sqrt, "square root"),
    unary!("ABS", Abs, "absolute value"),
    unary!("AINT", Aint, "integer part, towards zero"),
    unary!("ANINT", Anint, "nearest integer, halves away from zero"),
    formula!("MOD", 2, 2, |b, a| b.binary(Binary::Rem, a[0], a[1]), "(a, b): a − b AINT(a/b)"),
    formula!("SIGN", 2, 2, sign, "(a, b): |a| with the sign of b"),
    formula!("MIN", 2, 32, |b, a| fold(b, a, Binary::Min), "smallest argument"),
    formula!("MAX", 2, 32, |b, a| fold(b, a, Binary::Max), "largest argument"),
    formula!("DIM", 2, 2, dim, "(a, b): a − b where positive, else 0"),
    formula!("IF", 3, 3, choose, "(condition, then, else), or (value: negative, zero, positive)"),
    formula!("STEP", 5, 5, step, "(x, x0, h0, x1, h1): cubic transition from h0 to h1"),
    formula!("STEP5", 5, 5, step5, "(x, x0, h0, x1, h1): quintic transition from h0 to h1"),
    formula!("HAVSIN", 5, 5, havsin, "(x, x0, h0, x1, h1): haversine transition from h0 to h1"),
    formula!("IMPACT", 7, 7, impact, "(x, xdot, x1, k, e, cmax, d): force of a stop below x1"),
    formula!("BISTOP", 8, 8, bistop, "(x, xdot, x1, x2, k, e, cmax, d): force of stops below x1 and above x2"),
    formula!("SHF", 6, 6, harmonic, "(x, x0, a, w, phi, b): a sin(w (x − x0) − phi) + b"),
    formula!("POLY", 3, 33, poly, "(x, x0, a0, …, a30): sum of a_j (x − x0)^j"),
    formula!("CHEBY", 3, 33, cheby, "(x, x0, a0, …, a30): sum of a_j T_j(x − x0), Chebyshev polynomials"),
    formula!("FORCOS", 4, 34, |b, a| fourier(b, a, Unary::Cos), "(x, x0, w, a0, …, a30): a0 + sum of a_j cos(j w (x − x0))"),
    formula!("FORSIN", 4, 34, |b, a| fourier(b, a, Unary::Sin), "(x, x0, w, a0, …, a30): a0 + sum of a_j sin(j w (x − x0))"),
    entry("AKISPL", 2, 4, "(x, 0, spline, order): Akima spline or its derivative", Meaning::Spline(Method::Akima)),
    entry("CUBSPL", 2, 4, "(x, 0, spline, order): natural cubic spline or its derivative", Meaning::Spline(Method::Cubic)),
    entry("LINSPL", 2, 4, "(x, 0, spline, order): linear interpolation or its derivative", Meaning::Spline(Method::Linear)),
    quantity!("DM", 2, LENGTH, "(i, j): distance of marker i from j"),
    quantity!("DX", 3, LENGTH, "(i, j, k): displacement of i from j along x of k (default: ground)"),
    quantity!("DY", 3, LENGTH, "(i, j, k): displacement of i from j along y of k (default: ground)"),
    quantity!("DZ", 3, LENGTH, "(i, j, k): displacement of i from j along z of k (default: ground)"),
    quantity!("AX", 2, ANGLE, "(i, j): rotation of i about x of j (default: ground), turns counted"),
    quantity!("AY", 2, ANGLE, "(i, j): rotation of i about y of j (default: ground), turns counted"),
    quantity!("AZ", 2, ANGLE, "(i, j): rotation of i about z of j (default: ground), turns counted"),
    quantity!("PSI", 2, ANGLE, "(i, j): first angle of the body 3-1-3 rotation from j to i"),
    quantity!("THETA", 2, ANGLE, "(i, j): second angle of the body 3-1-3 rotation from j to i"),
    quantity!("PHI", 2, ANGLE, "(i, j): third angle of the body 3-1-3 rotation from j to i"),
    quantity!("YAW", 2, ANGLE, "(i, j): first angle of the body 3-2-1 rotation from j to i"),
    quantity!("PITCH", 2, ANGLE, "(i, j): second angle, with opposite sign, of the body 3-2-1 rotation from j to i"),
    quantity!("ROLL", 2, ANGLE, "(i, j): third angle of the body 3-2-1 rotation from j to i"),
    quantity!("VM", 3, VELOCITY, "(i, j, l): speed of i relative to j, derivative seen from l (default: ground)"),
    quantity!("VR", 3, VELOCITY, "(i, j, l): rate of the distance of i from j"),
    quantity!(
        "VX",
        4,
        VELOCITY,
        "(i, j, k, l): velocity of i relative to j along x of k, derivative seen from l (default of both: ground)"
    ),
    quantity!(
        "VY",
        4,
        VELOCITY,
        "(i, j, k, l): velocity of i relative to j along y of k, derivative seen from l (default of both: ground)"
    ),
    quantity!(
        "VZ",
        4,
        VELOCITY,
        "(i, j, k, l): velocity of i relative to j along z of k, derivative seen from l (default of both: ground)"
    ),
    quantity!("WM", 2, ANGULAR_VELOCITY, "(i, j): size of the angular velocity of i relative to j"),
    quantity!("WX", 3, ANGULAR_VELOCITY, "(i, j, k): angular velocity of i relative to j about x of k (default: ground)"),
    quantity!("WY", 3, ANGULAR_VELOCITY, "(i, j, k): angular velocity of i relative to j about y of k (default: ground)"),
    quantity!("WZ", 3, ANGULAR_VELOCITY, "(i, j, k): angular velocity of i relative to j about z of k (default: ground)"),
    quantity!("ACCM", 3, ACCELERATION, "(i, j, l): size of the acceleration of i relative to j, derivatives seen from l (default: ground)"),
    quantity!(
        "ACCX",
        4,
        ACCELERATION,
        "(i, j, k, l): acceleration of i relative to j along x of k, derivatives seen from l (default of both: ground)"
    ),
    quantity!(
        "ACCY",
        4,
        ACCELERATION,
        "(i, j, k, l): acceleration of i relative to j along y of k, derivatives seen from l (default of both: ground)"
    ),
    quantity!(
        "ACCZ",
        4,
        ACCELERATION,
        "(i, j, k, l): acceleration of i relative to j along z of k, derivatives seen from l (default of both: ground)"
    ),
    quantity!(
        "WDTM",
        3,
        ANGULAR_ACCELERATION,
        "(i, j, l): size of the angular acceleration of i relative to j, derivative seen from l (default: ground)"
    ),
    quantity!(
        "WDTX",
        4,
        ANGULAR_ACCELERATION,
        "(i, j, k, l): angular acceleration of i relative to j about x of k, derivative seen from l (default of both: ground)"
    ),
    quantity!(
        "WDTY",
        4,
        ANGULAR_ACCELERATION,
        "(i, j, k, l): angular acceleration of i relative to j about y of k, derivative seen from l (default of both: ground)"
    ),
    quantity!(
        "WDTZ",
        4,
        ANGULAR_ACCELERATION,
        "(i, j, k, l): angular acceleration of i relative to j about z of k, derivative seen from l (default of both: ground)"
    ),
    quantity!("FM", 1, FORCE, "(element): size of the force that a joint, constraint or force exerts on its marker i"),
    quantity!(
        "FX",
        2,
        FORCE,
        "(element, k): force that a joint, constraint or force exerts on its marker i, along x of k (default: ground)"
    ),
    quantity!(
        "FY",
        2,
        FORCE,
        "(element, k): force that a joint, constraint or force exerts on its marker i, along y of k (default: ground)"
    ),
    quantity!(
        "FZ",
        2,
        FORCE,
        "(element, k): force that a joint, constraint or force exerts on its marker i, along z of k (default: ground)"
    ),
    quantity!("TM", 1, TORQUE, "(element): size of the torque that a joint, constraint or force exerts on its marker i"),
    quantity!(
        "TX",
        2,
        TORQUE,
        "(element, k): torque that a joint, constraint or force exerts on its marker i, about x of k (default: ground)"
    ),
    quantity!(
        "TY",
        2,
        TORQUE,
        "(element, k): torque that a joint, constraint or force exerts on its marker i, about y of k (default: ground)"
    ),
    quantity!(
        "TZ",
        2,
        TORQUE,
        "(element, k): torque that a joint, constraint or force exerts on its marker i, about z of k (default: ground)"
    ),
    entry("VARVAL", 1, 1, "(name): value of a variable", Meaning::Quantity),
    entry("ARYVAL", 2, 2, "(name, k): element k of an array, counted from 1", Meaning::Quantity),
    entry("DIF", 1, 1, "(name): value of a user-defined differential variable", Meaning::Quantity),
    entry("DIF1", 1, 1, "(name): rate of a user-defined differential variable", Meaning::Quantity),
    entry("INPUT", 1, 1, "(name): value of an input, set between the steps of a real-time run", Meaning::Quantity),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_in_the_table_once_and_in_capitals() {
        for (k, f) in FUNCTIONS.iter().enumerate() {
            assert_eq!(f.name, f.name.to_ascii_uppercase());
            assert!(FUNCTIONS[..k].iter().all(|other| other.name != f.name), "{} is there twice", f.name);
            assert!(f.arguments.0 <= f.arguments.1 && !f.summary.is_empty(), "{}", f.name);
        }
    }
}
