//! An integrator, with limits and a reset.
//!
//! ```text
//! ẋ = u + (y − x)/τ,     y = x between the limits                                            (1)
//! ```
//!
//! Without limits the second term vanishes. With them x leaves the limits by u τ at most, so that it is back at once when u turns.

use super::writer::{Target, clamped, number};
use super::{BlockKind, Sort, key};
use crate::units::Dimension;

pub const INTEGRATOR: BlockKind = BlockKind {
    name: "integrator",
    summary: "the integral of a signal, with limits and a reset",
    keys: &[
        key("input", Sort::Signal, "the signal"),
        key("initial", Sort::Number, "value at the start; default 0").optional(),
        key("lower", Sort::Number, "lower limit of the output; default: none").optional(),
        key("upper", Sort::Number, "upper limit of the output; default: none").optional(),
        key("recovery_time", Sort::Number, "τ of the limits, s; default 0.01").of(Dimension::TIME).optional(),
        key("reset", Sort::Signal, "the integral is set to 'initial' where this signal becomes positive").optional(),
    ],
    write: |w| {
        let (x, limits) = (w.dif("x"), w.limits()?);
        let y = clamped(&x, limits);
        let tau = w.given("recovery_time").unwrap_or(0.01);
        if tau <= 0.0 {
            return Err(format!("'recovery_time' must be positive, it is {tau}"));
        }
        let back = if limits == [None, None] { String::new() } else { format!(" + ({y} - {x})/{}", number(tau)) };
        let (rate, initial) = (format!("{}{back}", w.signal("input")), w.number("initial"));
        w.state("x", rate, initial);
        if w.signals("reset").len() == 1 {
            let (reset, target) = (w.signal("reset"), Target::State(w.part("x")));
            w.switch("reset", reset, vec![(target, initial)]);
        }
        w.output(y);
        Ok(())
    },
};
