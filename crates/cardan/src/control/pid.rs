//! A PID controller of an error e, with a filtered derivative and limits.
//!
//! ```text
//! u = k_p e + I + k_d (e − f)/T_f,     ḟ = (e − f)/T_f,     y = u between the limits         (1)
//! İ = k_i e + (y − u)/T_t              back-calculation against wind-up                       (2)
//! ```

use super::writer::{clamped, number};
use super::{BlockKind, Key, Sort, Writer, key};
use crate::units::Dimension;

pub const KEYS: [Key; 9] = [
    key("input", Sort::Signal, "the error: what is wanted minus what is"),
    key("kp", Sort::Number, "proportional gain; default 0").optional(),
    key("ki", Sort::Number, "integral gain, 1/s; default 0").optional(),
    key("kd", Sort::Number, "derivative gain, s; default 0").optional(),
    key("rate", Sort::Signal, "the rate of the error, where it is measured; default: the filtered derivative").optional(),
    key("filter_time", Sort::Number, "T_f of the derivative, s; needed where there is a derivative gain and no rate")
        .of(Dimension::TIME)
        .optional(),
    key("lower", Sort::Number, "lower limit of the output; default: none").optional(),
    key("upper", Sort::Number, "upper limit of the output; default: none").optional(),
    key("tracking_time", Sort::Number, "T_t of the anti-windup, s; default kp/ki").of(Dimension::TIME).optional(),
];

pub const PID: BlockKind = BlockKind {
    name: "pid",
    summary: "proportional, integral and derivative control with limits and anti-windup",
    keys: &KEYS,
    write: |w| {
        let (e, g, limits) = (w.signal("input"), Gains::read(w)?, w.limits()?);
        let filter = w.dif("filter");
        let derivative = match g.derivative {
            Derivative::Measured => format!(" + {}*{}", number(g.kd), w.signal("rate")),
            Derivative::Filtered(0.0) => {
                return Err("a derivative gain needs 'filter_time', or a 'rate': a pure derivative is not proper".into());
            }
            Derivative::Filtered(tf) => {
                let rate = format!("({e} - {filter})/{}", number(tf));
                w.state("filter", rate.clone(), 0.0);
                format!(" + {}*{rate}", number(g.kd))
            }
            Derivative::None => String::new(),
        };
        let integral = if g.ki == 0.0 { String::new() } else { format!(" + {}", w.dif("integral")) };
        let u = w.variable("unlimited", format!("{}*{e}{integral}{derivative}", number(g.kp)));
        let y = clamped(&u, limits);
        if g.ki != 0.0 {
            let back = if limits == [None, None] { String::new() } else { format!(" + ({y} - {u})/{}", number(g.tracking)) };
            w.state("integral", format!("{}*{e}{back}", number(g.ki)), 0.0);
        }
        w.output(y);
        Ok(())
    },
};

/// Where the derivative comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Derivative {
    None,
    Measured,
    Filtered(f64),
}

/// The numbers of (1) and (2).
pub struct Gains {
    pub kp: f64,
    pub ki: f64,
    pub kd: f64,
    pub derivative: Derivative,
    pub tracking: f64,
}

impl Gains {
    pub fn read(w: &Writer) -> Result<Self, String> {
        let [kp, ki, kd] = ["kp", "ki", "kd"].map(|key| w.number(key));
        let filter = w.number("filter_time");
        let derivative = match (kd != 0.0, w.signals("rate").len()) {
            (false, _) => Derivative::None,
            (true, 0) if filter < 0.0 => return Err(format!("'filter_time' must not be negative, it is {filter}")),
            (true, 0) => Derivative::Filtered(filter),
            (true, _) => Derivative::Measured,
        };
        let usual = if ki != 0.0 && kp != 0.0 { (kp / ki).abs() } else { 1.0 };
        let tracking = w.given("tracking_time").unwrap_or(usual);
        if tracking <= 0.0 {
            return Err(format!("'tracking_time' must be positive, it is {tracking}"));
        }
        Ok(Self { kp, ki, kd, derivative, tracking })
    }
}
