//! A hydraulic cylinder behind a four-way valve of opening u ∈ [−1, 1]: the pressures of its two chambers,
//!
//! ```text
//! ṗ₁ = β/(V + A₁ s) (Q₁ − A₁ ṡ − c (p₁ − p₂)),   ṗ₂ = β/(V + A₂ (stroke − s)) (Q₂ + A₂ ṡ + c (p₁ − p₂))      (1)
//! Q₁ = q u root(u > 0: p_s − p₁, else p₁ − p_t),   Q₂ = −q u root(u > 0: p₂ − p_t, else p_s − p₂)           (2)
//! force = p₁ A₁ − p₂ A₂                                                                                     (3)
//! ```
//!
//! and a damper of length l from its shortest, whose oil always leaves the rebound chamber (p₁, around the rod) through a valve of
//! opening u ∈ (0, 1] to a reservoir; check valves let it from the reservoir into the compression chamber (p₂) when the damper becomes
//! longer, and from there into the rebound chamber when it becomes shorter:
//!
//! ```text
//! ṗ₁ = β/(V + A₁ (stroke − l)) (A₁ l̇ + Q_c − q u root(p₁ − p₀)),   Q_c = q_c root(p₂ − p₁) where that is positive   (4)
//! ṗ₂ = β/(V + A₂ l) (Q_b − Q_c − A₂ l̇),                            Q_b = q_c root(p₀ − p₂) where that is positive   (5)
//! force = A₂ p₂ − A₁ p₁                                                                                           (6)
//! ```
//!
//! root(p) = p/(p² + p_ε²)^¼ is √p with a finite slope at zero, p_ε being a thousandth of the supply pressure, or a hundredth of the
//! reservoir's. At rest a damper pushes with p₀ (A₂ − A₁).

use super::writer::{Writer, number};
use super::{BlockKind, Sort, key};
use crate::units::Dimension;

pub const CYLINDER: BlockKind = BlockKind {
    name: "hydraulic-cylinder",
    summary: "force of a hydraulic cylinder behind a valve; its pressures are BLOCK.p1 and BLOCK.p2",
    keys: &[
        key("valve", Sort::Signal, "opening of the valve, −1 to 1; positive pushes the piston out"),
        key("position", Sort::Signal, "s of the piston from its inner end, m").of(Dimension::LENGTH),
        key("speed", Sort::Signal, "ṡ, m/s").of(Dimension::VELOCITY),
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
    let [a1, a2] = areas(w)?;
    let [stroke, volume, modulus, supply] = ["stroke", "dead_volume", "bulk_modulus", "supply"].map(|key| w.positive(key));
    let (stroke, volume, modulus, supply) = (stroke?, volume?, modulus?, supply?);
    let (s, v, u) = (w.signal("position"), w.signal("speed"), w.signal("valve"));
    let (p1, p2) = (w.dif("p1"), w.dif("p2"));
    let (q, tank, ps) = (number(w.number("flow_gain")), number(w.number("tank")), number(supply));
    let root = |a: &str, b: &str| root(a, b, 1e-3 * supply);
    let q1 = format!("{q}*{u}*IF({u} > 0, {}, {})", root(&ps, &p1), root(&p1, &tank));
    let q2 = format!("{q}*{u}*IF({u} > 0, {}, {})", root(&p2, &tank), root(&ps, &p2));
    let leak = format!("{}*({p1} - {p2})", number(w.number("leakage")));
    let (beta, volume) = (number(modulus), number(volume));
    let (a1, a2) = (number(a1), number(a2));
    let initial = initial(w, 0.5 * supply)?;
    w.state("p1", format!("{beta}/({volume} + {a1}*{s})*({q1} - {a1}*{v} - {leak})"), initial[0]);
    w.state("p2", format!("{beta}/({volume} + {a2}*({} - {s}))*({a2}*{v} + {leak} - {q2})", number(stroke)), initial[1]);
    let (p1, p2) = (w.variable("p1", p1), w.variable("p2", p2));
    w.output(format!("{a1}*{p1} - {a2}*{p2}"));
    Ok(())
}

pub const DAMPER: BlockKind = BlockKind {
    name: "hydraulic-damper",
    summary: "force of a damper with an adjustable valve; its pressures are BLOCK.p1 (rebound) and BLOCK.p2 (compression)",
    keys: &[
        key("valve", Sort::Signal, "opening of the valve, more than 0, at most 1"),
        key("length", Sort::Signal, "l of the damper from its shortest, m").of(Dimension::LENGTH),
        key("speed", Sort::Signal, "l̇, m/s").of(Dimension::VELOCITY),
        key("areas", Sort::Numbers, "A₁ around the rod and A₂ of the piston, m²").of(Dimension::AREA),
        key("stroke", Sort::Number, "largest l, m").of(Dimension::LENGTH),
        key("dead_volume", Sort::Number, "V of either chamber at its end, m³"),
        key("bulk_modulus", Sort::Number, "β, Pa").of(Dimension::PRESSURE),
        key("reservoir", Sort::Number, "p₀, Pa").of(Dimension::PRESSURE),
        key("flow_gain", Sort::Number, "q of the open valve, flow by root of pressure, m³/s/√Pa"),
        key("check_gain", Sort::Number, "q_c of the check valves, m³/s/√Pa"),
        key("initial", Sort::Numbers, "p₁ and p₂ at the start; default: those of the reservoir").optional(),
    ],
    write: damper,
};

fn damper(w: &mut Writer) -> Result<(), String> {
    let [a1, a2] = areas(w)?;
    if a1 >= a2 {
        return Err(format!("the area around the rod must be smaller than that of the piston, they are {a1} and {a2}"));
    }
    let [stroke, volume, modulus, reservoir] = ["stroke", "dead_volume", "bulk_modulus", "reservoir"].map(|key| w.positive(key));
    let (stroke, volume, modulus, reservoir) = (number(stroke?), number(volume?), number(modulus?), reservoir?);
    let (valve, check) = (number(w.positive("flow_gain")?), number(w.positive("check_gain")?));
    let (l, v, u) = (w.signal("length"), w.signal("speed"), w.signal("valve"));
    let (p0, p1, p2) = (number(reservoir), w.dif("p1"), w.dif("p2"));
    let root = |a: &str, b: &str| root(a, b, 1e-2 * reservoir);
    let inward = format!("{check}*MAX({}, 0)", root(&p2, &p1));
    let base = format!("{check}*MAX({}, 0)", root(&p0, &p2));
    let initial = initial(w, reservoir)?;
    let (a1, a2) = (number(a1), number(a2));
    let outward = format!("{valve}*{u}*{}", root(&p1, &p0));
    w.state("p1", format!("{modulus}/({volume} + {a1}*({stroke} - {l}))*({a1}*{v} + {inward} - {outward})"), initial[0]);
    w.state("p2", format!("{modulus}/({volume} + {a2}*{l})*({base} - {inward} - {a2}*{v})"), initial[1]);
    let (p1, p2) = (w.variable("p1", p1), w.variable("p2", p2));
    w.output(format!("{a2}*{p2} - {a1}*{p1}"));
    Ok(())
}

fn areas(w: &Writer) -> Result<[f64; 2], String> {
    let areas = w.numbers("areas");
    let &[a1, a2] = areas.as_slice() else { return Err(format!("'areas' are two numbers, there are {}", areas.len())) };
    Ok([a1, a2])
}

/// Two pressures at the start.
fn initial(w: &Writer, default: f64) -> Result<Vec<f64>, String> {
    let initial = w.numbers("initial");
    match initial.len() {
        0 => Ok(vec![default; 2]),
        2 => Ok(initial),
        n => Err(format!("'initial' are two pressures, there are {n}")),
    }
}

/// The root of a − b, of finite slope at zero.
fn root(a: &str, b: &str, smoothing: f64) -> String {
    format!("({a} - {b})/(({a} - {b})**2 + {}**2)**0.25", number(smoothing))
}
