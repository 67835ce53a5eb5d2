//! Actuators: of first order, and the direct-current motor.
//!
//! ```text
//! actuator   τ ẏ = k u − y, y between its limits                                              (1)
//! dc motor   L i̇ = U − R i − k_e ω,     torque = k_t i                                        (2)
//! ```
//!
//! Without inductance the current follows at once, i = (U − k_e ω)/R.

use super::writer::{clamped, number};
use super::{BlockKind, Sort, key};
use crate::units::Dimension;

pub const ACTUATOR: BlockKind = BlockKind {
    name: "actuator",
    summary: "follows a command with a delay of first order, between limits",
    keys: &[
        key("input", Sort::Signal, "the command"),
        key("time_constant", Sort::Number, "τ, s").of(Dimension::TIME),
        key("gain", Sort::Number, "k; default 1").optional(),
        key("lower", Sort::Number, "lower limit of the command times k; default: none").optional(),
        key("upper", Sort::Number, "upper limit of the command times k; default: none").optional(),
        key("initial", Sort::Number, "output at the start; default 0").optional(),
    ],
    write: |w| {
        let (tau, y, gain) = (w.positive("time_constant")?, w.dif("y"), w.given("gain").unwrap_or(1.0));
        let command = clamped(&format!("{}*{}", number(gain), w.signal("input")), w.limits()?);
        w.state("y", format!("({command} - {y})/{}", number(tau)), w.number("initial"));
        w.output(y);
        Ok(())
    },
};

pub const DC_MOTOR: BlockKind = BlockKind {
    name: "dc-motor",
    summary: "torque of a direct-current motor; its current is BLOCK.current",
    keys: &[
        key("voltage", Sort::Signal, "U, V"),
        key("speed", Sort::Signal, "ω of the shaft, rad/s").of(Dimension::ANGULAR_VELOCITY),
        key("resistance", Sort::Number, "R, Ω"),
        key("inductance", Sort::Number, "L, H; default 0").optional(),
        key("torque_constant", Sort::Number, "k_t, N m/A"),
        key("back_emf", Sort::Number, "k_e, V s/rad; default: as the torque constant").optional(),
    ],
    write: |w| {
        let (r, k_t, inductance) = (w.positive("resistance")?, w.number("torque_constant"), w.number("inductance"));
        if inductance < 0.0 {
            return Err(format!("'inductance' must not be negative, it is {inductance}"));
        }
        let k_e = w.given("back_emf").unwrap_or(k_t);
        let voltage = format!("({} - {}*{})", w.signal("voltage"), number(k_e), w.signal("speed"));
        let current = w.dif("i");
        let current = if inductance == 0.0 {
            format!("{voltage}/{}", number(r))
        } else {
            w.state("i", format!("({voltage} - {}*{current})/{}", number(r), number(inductance)), 0.0);
            current
        };
        let current = w.variable("current", current);
        w.output(format!("{}*{current}", number(k_t)));
        Ok(())
    },
};
