//! What functions ask of the dimensions of their arguments, and the dimension of their value, after their definitions (`formulas.rs`):
//!
//! ```text
//! SIN, EXP, ASIN, …          a pure number or an angle
//! MIN, MAX, MOD, DIM, IF     alike                                  ABS, SIGN, AINT   that of the first
//! STEP, STEP5, HAVSIN        x, x₀, x₁ alike;  h₀, h₁ alike: that of the value
//! IMPACT, BISTOP             x, x₁, x₂, d alike;  ẋ is x per time;  k xᵉ and c_max ẋ alike: that of the value
//! SHF, FORCOS, FORSIN        x, x₀ alike;  ω x pure;  a, b alike: that of the value
//! POLY                       x, x₀ alike;  a_j xʲ alike: that of the value
//! AKISPL, …                  x and y as in the table, if it has units;  the derivative of order n is y per xⁿ
//! DIF1                       that of the state, per time                                                        (1)
//! ```

use super::ast::{Expr, Node};
use super::dimension::Inference;
use super::functions::{FunctionKind, find};
use super::known::{Known, PURE, alike};
use super::scope::Signal;
use crate::units::Dimension;

impl Inference<'_> {
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr]) -> Known {
        let Some(function) = find(name) else { return Known::Nothing };
        if let Some(dimension) = function.dimension {
            return if function.kind() == FunctionKind::Time { Known::Number(dimension) } else { Known::Quantity(dimension) };
        }
        let fits = (function.arguments.0..=function.arguments.1).contains(&arguments.len());
        if fits { self.rule(function.name, arguments) } else { Known::Nothing }
    }

    /// The rules (1); the number of arguments is right.
    fn rule(&mut self, name: &str, a: &[Expr]) -> Known {
        let all = || a.iter().collect::<Vec<_>>();
        let what = format!("the arguments of {name}");
        match name {
            "PI" | "RTOD" | "DTOR" => PURE,
            "SIN" | "COS" | "TAN" => self.of_pure(name, "an angle or a pure number", a),
            "SINH" | "COSH" | "TANH" | "EXP" | "LOG" | "LOG10" => self.of_pure(name, "a pure number", a),
            "ASIN" | "ACOS" | "ATAN" => {
                self.of_pure(name, "a pure number", a);
                Known::Quantity(Dimension::ANGLE)
            }
            "ATAN2" => {
                self.same(&what, &all());
                Known::Quantity(Dimension::ANGLE)
            }
            "ABS" | "AINT" | "ANINT" => self.known(&a[0]),
            "SIGN" => {
                self.known(&a[1]);
                self.known(&a[0])
            }
            "MIN" | "MAX" | "DIM" | "MOD" => self.same(&what, &all()),
            "SQRT" => self.known(&a[0]).map(|d| d.root(2)),
            "IF" => {
                self.known(&a[0]);
                self.same("the cases of IF", &[&a[1], &a[2]])
            }
            "STEP" | "STEP5" | "HAVSIN" => {
                self.same(&format!("x, x0 and x1 of {name}"), &[&a[0], &a[1], &a[3]]);
                self.same(&format!("h0 and h1 of {name}"), &[&a[2], &a[4]])
            }
            "IMPACT" => self.stop(name, &[&a[0], &a[2], &a[6]], [&a[1], &a[3], &a[4], &a[5]]),
            "BISTOP" => self.stop(name, &[&a[0], &a[2], &a[3], &a[7]], [&a[1], &a[4], &a[5], &a[6]]),
            "SHF" => self.harmonic(a),
            "POLY" => self.polynomial(a),
            "CHEBY" => self.chebyshev(a),
            "FORCOS" | "FORSIN" => {
                self.wave(name, a, &a[2]);
                self.same(&format!("the coefficients of {name}"), &a[3..].iter().collect::<Vec<_>>())
            }
            "AKISPL" | "CUBSPL" | "LINSPL" => self.table(a),
            _ => self.reading(name, a),
        }
    }

    /// A pure number of a pure number.
    fn of_pure(&mut self, name: &str, takes: &str, a: &[Expr]) -> Known {
        let x = self.known(&a[0]);
        self.pure(x, a[0].span, &format!("the argument of {name}"), takes);
        PURE
    }

    /// Force of a stop: the lengths x, x₁, …, d first; then ẋ, k, e, c_max.
    fn stop(&mut self, name: &str, lengths: &[&Expr], [rate, stiffness, exponent, damping]: [&Expr; 4]) -> Known {
        let x = self.same(&format!("x, its limits and d of {name}"), lengths);
        let [x_dot, k, e, c] = [rate, stiffness, exponent, damping].map(|a| self.known(a));
        self.pure(e, exponent.span, &format!("the exponent of {name}"), "a pure number");
        let per_time = |x: Dimension| x.times(Dimension::TIME.to_the(-1));
        let wanted = if let Known::Quantity(x) = x { Known::Quantity(per_time(x)) } else { x.map(|x| Some(per_time(x))) };
        self.sum((wanted, x_dot), rate.span, |b, a| format!("xdot of {name} is the rate of x, {a}, but this is {b}"));
        let e = if let Node::Number(e) = exponent.node { Some(e).filter(|e| e.fract() == 0.0 && e.abs() < 10.0) } else { None };
        let elastic = e.map_or(Known::Nothing, |e| k.product(x, e as i8));
        self.sum((elastic, c.product(x_dot, 1)), damping.span, |b, a| {
            format!("cmax*xdot of {name} must be of the dimension of k*x**e, but with this it is {b} beside {a}")
        })
    }

    /// x − x₀; a plain x₀ is of the dimension of x.
    fn difference(&mut self, name: &str, a: &[Expr]) -> Known {
        match (self.same(&format!("x and x0 of {name}"), &[&a[0], &a[1]]), &a[1].node) {
            (_, Node::Number(_)) => self.known(&a[0]),
            (u, _) => u,
        }
    }

    /// x − x₀ of a wave; its product with ω is pure.
    fn wave(&mut self, name: &str, a: &[Expr], frequency: &Expr) -> Known {
        let u = self.difference(name, a);
        let turned = self.known(frequency).product(u, 1);
        self.pure(turned, frequency.span, &format!("w*(x - x0) of {name}"), "an angle or a pure number");
        turned
    }

    fn harmonic(&mut self, a: &[Expr]) -> Known {
        self.wave("SHF", a, &a[3]);
        let phase = self.known(&a[4]);
        self.pure(phase, a[4].span, "phi of SHF", "an angle or a pure number");
        self.same("a and b of SHF", &[&a[2], &a[5]])
    }

    fn polynomial(&mut self, a: &[Expr]) -> Known {
        let u = self.difference("POLY", a);
        let mut all = self.known(&a[2]);
        for (j, coefficient) in a[3..].iter().enumerate() {
            let term = self.known(coefficient).product(u, j as i8 + 1);
            all = self.sum((all, term), coefficient.span, |b, a| {
                format!("the terms of POLY must be of one dimension, but that of this coefficient is {b} beside {a}")
            });
        }
        all
    }

    /// Powers of x are mixed: only of a pure number does that make sense.
    fn chebyshev(&mut self, a: &[Expr]) -> Known {
        let u = self.difference("CHEBY", a);
        let all = self.same("the coefficients of CHEBY", &a[2..].iter().collect::<Vec<_>>());
        if u.told().is_some_and(|u| alike(u, Dimension::NONE)) { all } else { Known::Nothing }
    }

    /// (x, spline), (x, z, spline) or (x, z, spline, order).
    fn table(&mut self, a: &[Expr]) -> Known {
        let at = self.known(&a[0]);
        let name = if a.len() == 2 { &a[1] } else { &a[2] };
        let Node::Name(name) = &name.node else { return Known::Nothing };
        let Some([x, y]) = self.scope.spline(name).map(|spline| spline.dimensions()) else { return Known::Nothing };
        if let Some(x) = x {
            self.sum((Known::Sure(x), at), a[0].span, |b, a| format!("x of the spline {name} is {a}, but this is {b}"));
        }
        let order = match a.get(3).map(|order| &order.node) {
            None => 0,
            Some(Node::Number(order)) => *order as i8,
            Some(_) => return Known::Nothing,
        };
        match (x, y) {
            (_, Some(y)) if order == 0 => Known::Sure(y),
            (Some(x), Some(y)) => Known::Sure(y.times(x.to_the(-order))),
            _ => Known::Nothing,
        }
    }

    /// Variables, states and inputs.
    fn reading(&mut self, name: &str, a: &[Expr]) -> Known {
        let argument = match &a[0].node {
            Node::Name(name) => name.clone(),
            Node::Number(number) => number.to_string(),
            _ => return Known::Nothing,
        };
        match name {
            "VARVAL" => self.signal(Signal::Variable, &argument),
            "ARYVAL" => self.scope.element(&a[0], &a[1]).map_or(Known::Nothing, |element| self.signal(Signal::Variable, &element)),
            "DIF" => self.signal(Signal::State, &argument),
            "DIF1" => self.signal(Signal::State, &argument).map(|x| Some(x.times(Dimension::TIME.to_the(-1)))),
            "INPUT" => self.signal(Signal::Input, &argument),
            _ => Known::Nothing,
        }
    }
}
