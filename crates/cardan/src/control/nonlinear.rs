//! Saturation, dead zone, rate limit and relay.
//!
//! ```text
//! saturation   y = u between the limits;   smooth:  y = m + r tanh((u − m)/r), m ± r the limits             (1)
//! dead zone    y = u − (u between the limits)                                                             (2)
//! rate limit   ẏ = (u − y)/τ between −falling and rising                                                  (3)
//! relay        y = on where u has last been at on_above, off where it has last been at off_below          (4)
//! ```

use super::writer::{Target, Writer, clamped, number};
use super::{BlockKind, Key, Sort, key};
use crate::units::Dimension;

const INPUT: Key = key("input", Sort::Signal, "the signal");
const LOWER: Key = key("lower", Sort::Number, "lower limit");
const UPPER: Key = key("upper", Sort::Number, "upper limit");
const LOCATE: Key = key("locate", Sort::Flag, "steps end exactly where a limit is reached; default: no").optional();

pub const SATURATION: BlockKind = BlockKind {
    name: "saturation",
    summary: "a signal between two limits",
    keys: &[INPUT, LOWER, UPPER, key("smooth", Sort::Flag, "with tanh instead of corners; default: no").optional(), LOCATE],
    write: |w| {
        let (u, limits) = (w.signal("input"), w.limits()?);
        let y = if w.flag("smooth") { smooth(&u, w.number("lower"), w.number("upper")) } else { clamped(&u, limits) };
        kinks(w, &u);
        w.output(y);
        Ok(())
    },
};

fn smooth(u: &str, low: f64, high: f64) -> String {
    let (middle, half) = (number(0.5 * (low + high)), number(0.5 * (high - low)));
    format!("{middle} + {half}*TANH(({u} - {middle})/{half})")
}

pub const DEAD_ZONE: BlockKind = BlockKind {
    name: "dead-zone",
    summary: "what a signal is beyond two limits",
    keys: &[INPUT, LOWER, UPPER, LOCATE],
    write: |w| {
        let u = w.signal("input");
        let y = format!("{u} - {}", clamped(&u, w.limits()?));
        kinks(w, &u);
        w.output(y);
        Ok(())
    },
};

/// The instants where a signal is at its limits are located, if that is wanted.
fn kinks(w: &mut Writer, u: &str) {
    if w.flag("locate") {
        for limit in ["lower", "upper"] {
            let kink = (w.part(limit), format!("{u} - {}", number(w.number(limit))));
            w.parts.kinks.push(kink);
        }
    }
}

pub const RATE_LIMIT: BlockKind = BlockKind {
    name: "rate-limit",
    summary: "follows a signal no faster than it may",
    keys: &[
        INPUT,
        key("rising", Sort::Number, "the largest rate, 1/s"),
        key("falling", Sort::Number, "the largest rate downwards, 1/s; default: as rising").optional(),
        key("time_constant", Sort::Number, "τ with which it follows, s; default 0.001").of(Dimension::TIME).optional(),
        key("initial", Sort::Number, "output at the start; default 0").optional(),
    ],
    write: |w| {
        let (rising, y) = (w.positive("rising")?, w.dif("y"));
        let (falling, tau) = (w.given("falling").unwrap_or(rising), w.given("time_constant").unwrap_or(1e-3));
        if falling <= 0.0 || tau <= 0.0 {
            return Err("'falling' and 'time_constant' must be positive".into());
        }
        let rate = clamped(&format!("({} - {y})/{}", w.signal("input"), number(tau)), [Some(-falling), Some(rising)]);
        w.state("y", rate, w.number("initial"));
        w.output(y);
        Ok(())
    },
};

pub const RELAY: BlockKind = BlockKind {
    name: "relay",
    summary: "switches on and off, with hysteresis; steps end exactly where it does",
    keys: &[
        INPUT,
        key("on_above", Sort::Number, "it switches on where the signal rises to this"),
        key("off_below", Sort::Number, "it switches off where the signal falls to this"),
        key("on", Sort::Number, "output when on; default 1").optional(),
        key("off", Sort::Number, "output when off; default 0").optional(),
        key("initial", Sort::Number, "output at the start, where the signal is between; default: that of off").optional(),
    ],
    write: |w| {
        let (u, above, below) = (w.signal("input"), w.number("on_above"), w.number("off_below"));
        if below >= above {
            return Err(format!("'off_below' must be below 'on_above', they are {below} and {above}"));
        }
        let (on, off) = (w.given("on").unwrap_or(1.0), w.number("off"));
        w.switched("held", w.given("initial").unwrap_or(off));
        let target = Target::Held(w.part("held"));
        w.switch("on", format!("{u} - {}", number(above)), vec![(target.clone(), on)]);
        w.switch("off", format!("{} - {u}", number(below)), vec![(target, off)]);
        w.output(w.hold("held"));
        Ok(())
    },
};
