//! Dry friction that sticks: at rest a stiff spring holds, in motion a constant force brakes, and steps end exactly where one becomes
//! the other.
//!
//! ```text
//! stuck       y = −(k z + c v),       ż = v,    until |k z| = static                                   (1)
//! slipping    y = −(± dynamic),       ż = 0,    until v changes its sign; then k z = ± dynamic          (2)
//! ```
//!
//! so that the force does not jump where it begins to stick. The mode is a held value: 0, or the sign of the motion. At rest it creeps
//! by z alone, at most static/k.

use super::writer::{Target, Writer, number};
use super::{BlockKind, Sort, key};

pub const STICTION: BlockKind = BlockKind {
    name: "stiction",
    summary: "dry friction that sticks and breaks away, exactly located; its mode BLOCK.mode is 0 (stuck), 1 or −1 (slipping)",
    keys: &[
        key("speed", Sort::Signal, "v of the sliding, which the output acts against"),
        key("static", Sort::Number, "the force, or torque, at which it breaks away"),
        key("dynamic", Sort::Number, "the force while it slips; default: as static").optional(),
        key("stiffness", Sort::Number, "k that holds it"),
        key("damping", Sort::Number, "c while it sticks"),
        key("viscous", Sort::Number, "a force by v that is added; default 0").optional(),
        key("initial", Sort::Word(&["stuck", "forward", "backward"]), "what it does at the start; default: stuck").optional(),
    ],
    write: stiction,
};

fn stiction(w: &mut Writer) -> Result<(), String> {
    let (most, stiffness) = (w.positive("static")?, w.positive("stiffness")?);
    let dynamic = w.given("dynamic").unwrap_or(most);
    if !(0.0..=most).contains(&dynamic) {
        return Err(format!("'dynamic' must not be negative nor larger than 'static', they are {dynamic} and {most}"));
    }
    let initial = match w.word("initial").as_str() {
        "forward" => 1.0,
        "backward" => -1.0,
        _ => 0.0,
    };
    let (v, mode, z) = (w.signal("speed"), w.hold("mode"), w.dif("z"));
    let (held, bristle) = (Target::Held(w.part("mode")), Target::State(w.part("z")));
    w.switched("mode", initial);
    w.state("z", format!("IF({mode} == 0, {v}, 0)"), initial * dynamic / stiffness);
    for (name, sign) in [("forward", 1.0), ("backward", -1.0)] {
        let (sign_text, rest) = (number(sign), vec![(held.clone(), 0.0), (bristle.clone(), sign * dynamic / stiffness)]);
        w.switch(&format!("stick_{name}"), format!("IF({mode} == {sign_text}, -({sign_text}*{v}), -1)"), rest);
        let beyond = format!("{}*{z} - {}", number(sign * stiffness), number(most));
        w.switch(&format!("slip_{name}"), format!("IF({mode} == 0, {beyond}, -1)"), vec![(held.clone(), sign)]);
    }
    let stuck = format!("{}*{z} + {}*{v}", number(stiffness), number(w.number("damping")));
    w.output(format!("-IF({mode} == 0, {stuck}, {}*{mode}) - {}*{v}", number(dynamic), number(w.number("viscous"))));
    w.variable("mode", mode);
    Ok(())
}
