//! Filters, as transfer functions: ω = 2π f, damping ratio ζ.
//!
//! ```text
//! low-pass    ω/(s + ω)      or  ω²/(s² + 2ζω s + ω²)                                        (1)
//! high-pass   s/(s + ω)      or  s²/(s² + 2ζω s + ω²)                                        (2)
//! notch       (s² + ω²)/(s² + 2ζω s + ω²)                                                    (3)
//! ```

use super::transfer_function::rational;
use super::{BlockKind, Key, Sort, Writer, key};
use crate::units::Dimension;

const INPUT: Key = key("input", Sort::Signal, "the signal");
const FREQUENCY: Key = key("frequency", Sort::Number, "the corner, Hz").of(Dimension::FREQUENCY);
const ORDER: Key = key("order", Sort::Word(&["first", "second"]), "first (default) or second").optional();
const DAMPING: Key = key("damping", Sort::Number, "ζ; default 1/√2").optional();

pub const LOW_PASS: BlockKind = BlockKind {
    name: "low-pass",
    summary: "lets low frequencies pass",
    keys: &[INPUT, FREQUENCY, ORDER, DAMPING],
    write: |w| filter(w, |omega, order| if order == 1 { vec![omega] } else { vec![omega * omega] }),
};

pub const HIGH_PASS: BlockKind = BlockKind {
    name: "high-pass",
    summary: "lets high frequencies pass",
    keys: &[INPUT, FREQUENCY, ORDER, DAMPING],
    write: |w| filter(w, |_, order| if order == 1 { vec![1.0, 0.0] } else { vec![1.0, 0.0, 0.0] }),
};

pub const NOTCH: BlockKind = BlockKind {
    name: "notch",
    summary: "takes one frequency out",
    keys: &[INPUT, key("frequency", Sort::Number, "the frequency, Hz").of(Dimension::FREQUENCY), DAMPING],
    write: |w| filter(w, |omega, _| vec![1.0, 0.0, omega * omega]),
};

fn filter(w: &mut Writer, numerator: fn(f64, usize) -> Vec<f64>) -> Result<(), String> {
    let (omega, zeta) = (2.0 * std::f64::consts::PI * w.positive("frequency")?, w.given("damping").unwrap_or(0.5_f64.sqrt()));
    if zeta <= 0.0 {
        return Err(format!("'damping' must be positive, it is {zeta}"));
    }
    let order = if w.word("order") == "first" { 1 } else { 2 };
    let den = if order == 1 { vec![1.0, omega] } else { vec![1.0, 2.0 * zeta * omega, omega * omega] };
    let y = rational(w, &numerator(omega, order), &den, &w.signal("input"))?;
    w.output(y);
    Ok(())
}
