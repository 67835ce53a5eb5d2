//! A hydraulic cylinder behind a four-way valve of opening u ∈ [−1, 1]: the pressures of its two chambers,
//!
//! ```text
//! ṗ₁ = β/(V + A₁ s) (Q₁ − A₁ ṡ − c (p₁ − p₂)),   ṗ₂ = β/(V + A₂ (stroke − s)) (Q₂ + A₂ ṡ + c (p₁ − p₂))      (1)
//! Q₁ = q u root(u > 0: p_s − p₁, else p₁ − p_t),   Q₂ = −q u root(u > 0: p₂ − p_t, else p_s − p₂)           (2)
//! force = p₁ A₁ − p₂ A₂                                                                                     (3)
//! ```
//!
//! root(p) = p/(p² + p₀²)^¼ is √p with a finite slope at zero, p₀ being a thousandth of the supply pressure.

use super::writer::{Writer, number};
use super::{Kind, Sort, key};
use crate::units::Dimension;

pub const CYLINDER: Kind = Kind {
    name: "hydraulic-cylinder",
    summary: "force of a hydraulic cylinder behind a valve; its pressures are BLOCK.p1 and BLOCK.p2",
    keys: &[
        key("valve", Sort::Signal, "opening of the valve, −1 to 1; positive pushes the piston out"),
        key("position", Sort::Signal, "s of the piston from its inner end, m"),
        key("speed", Sort::Signal, "ṡ, m/s"),
        key("areas", Sort::Numbers, "A₁ and A₂, m²").of(Dimension::AREA),
        key("stroke", Sort::Number, "largest s, m").of(Dimension::LENGTH),
        key("dead_volume", Sort::Number, "V of either chamber at its end, m³"),
        key("bulk_modulus", Sort::Number, "β, Pa").of(Dimension::PRESSURE),
        key("supply", Sort::Number, "p_s, Pa").of(Dimension::PRESSURE),
        key("tank", Sort::Number, "p_t, Pa; default 0").of(Dimension::PRESSURE).optional(),
        key("flow_gain", Sort::Number, "q, flow at full opening by root of pressure, m³/s/√Pa"),
        key("leakage", Sort::Number, "c, m³/s/Pa; default 0").optional(),
        key("initial", Sort::Numbers, "p₁ and p₂ at the start; default: half of the supply").optional(),
    ],
    write: cylinder,
};

fn cylinder(w: &mut Writer) -> Result<(), String> {
    let areas = w.numbers("areas");
    let &[a1, a2] = areas.as_slice() else { return Err(format!("'areas' are two numbers, there are {}", areas.len())) };
    let [stroke, volume, modulus, supply] = ["stroke", "dead_volume", "bulk_modulus", "supply"].map(|key| w.positive(key));
    let (stroke, volume, modulus, supply) = (stroke?, volume?, modulus?, supply?);
    let (s, v, u) = (w.signal("position"), w.signal("speed"), w.signal("valve"));
    let (p1, p2) = (w.dif("p1"), w.dif("p2"));
    let (q, tank, ps) = (number(w.number("flow_gain")), number(w.number("tank")), number(supply));
    let root = |p: String| format!("({p})/(({p})**2 + {}**2)**0.25", number(1e-3 * supply));
    let q1 = format!("{q}*{u}*IF({u} > 0, {}, {})", root(format!("{ps} - {p1}")), root(format!("{p1} - {tank}")));
    let q2 = format!("{q}*{u}*IF({u} > 0, {}, {})", root(format!("{p2} - {tank}")), root(format!("{ps} - {p2}")));
    let leak = format!("{}*({p1} - {p2})", number(w.number("leakage")));
    let (beta, volume) = (number(modulus), number(volume));
    let (a1, a2) = (number(a1), number(a2));
    let initial = Some(w.numbers("initial")).filter(|p| p.len() == 2).unwrap_or_else(|| vec![0.5 * supply; 2]);
    w.state("p1", format!("{beta}/({volume} + {a1}*{s})*({q1} - {a1}*{v} - {leak})"), initial[0]);
    w.state("p2", format!("{beta}/({volume} + {a2}*({} - {s}))*({a2}*{v} + {leak} - {q2})", number(stroke)), initial[1]);
    let (p1, p2) = (w.variable("p1", p1), w.variable("p2", p2));
    w.output(format!("{a1}*{p1} - {a2}*{p2}"));
    Ok(())
}
