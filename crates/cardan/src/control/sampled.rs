//! Sampled blocks: computed at t = offset + k T and held in between, so that they run as on a digital controller.
//!
//! ```text
//! hold                 y = u                                                                                (1)
//! transfer function    in z, controllable canonical form: x_i⁺ = x_{i+1}, x_n⁺ = u − Σ a_i x_{i+1}           (2)
//! state space          y = C x + D u,   x⁺ = A x + B u                                                       (3)
//! PID                  u = k_p e + I + k_d d,   I⁺ = I + T (k_i e + (y − u)/T_t)                             (4)
//!                      d = (e − e⁻ + T_f d⁻)/(T_f + T)    the filtered difference, T_f may be 0               (5)
//! ```
//!
//! Signals are taken just before the sample; blocks sampled at the same instant see the new outputs of each other.

use super::pid::{Derivative, Gains};
use super::state_space::Matrices;
use super::transfer_function::{normalized, output};
use super::writer::{Phase, clamped, combination, number};
use super::{BlockKind, Key, Sort, Writer, key};
use crate::units::Dimension;

const INPUT: Key = key("input", Sort::Signal, "the signal");
const PERIOD: Key = key("sample_time", Sort::Number, "T, s").of(Dimension::TIME);
const OFFSET: Key = key("offset", Sort::Number, "the first sample, s; default 0").of(Dimension::TIME).optional();
const INITIAL: Key = key("initial", Sort::Number, "output before the first sample; default 0").optional();

pub const HOLD: BlockKind = BlockKind {
    name: "hold",
    summary: "a signal sampled and held",
    keys: &[INPUT, PERIOD, OFFSET, INITIAL],
    write: |w| held_output(w, |w| Ok(w.signal("input"))),
};

pub const TRANSFER_FUNCTION: BlockKind = BlockKind {
    name: "discrete-transfer-function",
    summary: "a ratio of polynomials in z, sampled",
    keys: &[
        INPUT,
        key("num", Sort::Numbers, "the numerator, highest power of z first"),
        key("den", Sort::Numbers, "the denominator, highest power of z first"),
        PERIOD,
        OFFSET,
        INITIAL,
    ],
    write: |w| {
        held_output(w, |w| {
            let ((b, a), u, clock) = (normalized(&w.numbers("num"), &w.numbers("den"))?, w.signal("input"), w.clock()?);
            let n = a.len() - 1;
            let x: Vec<String> = (1..=n).map(|i| w.hold(&format!("x{i}"))).collect();
            for i in 1..=n {
                let next = if i < n { x[i].clone() } else { format!("{u} - {}", combination(&a[..n], &x)) };
                w.sampled(&format!("x{i}"), Phase::Memory, clock, next, 0.0);
            }
            Ok(output(&a, &b, &x, &u))
        })
    },
};

pub const STATE_SPACE: BlockKind = BlockKind {
    name: "discrete-state-space",
    summary: "a linear system of states, sampled; further outputs are BLOCK.1, BLOCK.2, …",
    keys: &{
        let [inputs, a, b, c, d, x0] = super::state_space::KEYS;
        [inputs, a, b, c, d, x0, PERIOD, OFFSET]
    },
    write: |w| {
        let (system, clock) = (Matrices::read(w)?, w.clock()?);
        let x: Vec<String> = (1..=system.x0.len()).map(|i| w.hold(&format!("x{i}"))).collect();
        let mut held = Vec::new();
        for (k, y) in system.outputs(&x).into_iter().enumerate() {
            w.sampled(&format!("y{}", k + 1), Phase::Output, clock, y, 0.0);
            held.push(w.hold(&format!("y{}", k + 1)));
        }
        for (i, (next, initial)) in system.rates(&x).into_iter().zip(&system.x0).enumerate() {
            w.sampled(&format!("x{}", i + 1), Phase::Memory, clock, next, *initial);
        }
        w.outputs(held);
        Ok(())
    },
};

pub const PID: BlockKind = BlockKind {
    name: "sampled-pid",
    summary: "proportional, integral and derivative control, sampled",
    keys: &{
        let [input, kp, ki, kd, rate, filter, lower, upper, tracking] = super::pid::KEYS;
        let filter = Key { summary: "T_f of the derivative, s; default 0", ..filter };
        [input, kp, ki, kd, rate, filter, lower, upper, tracking, PERIOD, OFFSET, INITIAL]
    },
    write: |w| held_output(w, pid),
};

fn pid(w: &mut Writer) -> Result<String, String> {
    let (e, clock, limits, g) = (w.signal("input"), w.clock()?, w.limits()?, Gains::read(w)?);
    let period = clock.period;
    let derivative = match g.derivative {
        Derivative::None => "0".into(),
        Derivative::Measured => w.signal("rate"),
        Derivative::Filtered(tf) => {
            let (last, slope) = (w.hold("last"), w.hold("slope"));
            let slope = format!("({e} - {last} + {}*{slope})/{}", number(tf), number(tf + period));
            w.sampled("slope", Phase::Memory, clock, slope.clone(), 0.0);
            w.sampled("last", Phase::Memory, clock, e.clone(), 0.0);
            slope
        }
    };
    let integral = w.hold("integral");
    let u = format!("({}*{e} + {integral} + {}*{derivative})", number(g.kp), number(g.kd));
    let y = clamped(&u, limits);
    let back = if limits == [None, None] { String::new() } else { format!(" + ({y} - {u})/{}", number(g.tracking)) };
    w.sampled("integral", Phase::Memory, clock, format!("{integral} + {}*({}*{e}{back})", number(period), number(g.ki)), 0.0);
    Ok(y)
}

/// A block with one held output.
fn held_output(w: &mut Writer, write: impl Fn(&mut Writer) -> Result<String, String>) -> Result<(), String> {
    let (y, clock) = (write(w)?, w.clock()?);
    w.sampled("held", Phase::Output, clock, y, w.number("initial"));
    w.output(w.hold("held"));
    Ok(())
}
