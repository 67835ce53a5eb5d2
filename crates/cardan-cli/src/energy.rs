//! What is said about the energy of a run: where it came from, where it went, and what is missing.

use crate::output;
use cardan::results::{EnergyBalance, Exchanged};
use cardan::system::Through;
use serde_json::{Value, json};

/// The balance as a JSON object.
pub fn json(balance: &EnergyBalance) -> Value {
    let element = |e: &Exchanged| json!({ "name": e.name, "through": word(e.through), "work": e.work });
    json!({
        "initial": balance.start,
        "final": balance.end,
        "conservative": balance.is_conservative(),
        "motions": balance.motions,
        "loads": balance.loads,
        "dissipated": balance.dissipated,
        "jumps": balance.jumps,
        "unaccounted": balance.missing,
        "uncertainty": balance.uncertainty,
        "throughput": balance.throughput,
        "worst": { "t": balance.worst.t, "unaccounted": balance.worst.energy, "relative": balance.relative_missing() },
        "elements": balance.exchanged.iter().map(element).collect::<Vec<_>>(),
    })
}

fn word(through: Through) -> &'static str {
    match through {
        Through::Motion => "motion",
        Through::Load => "load",
        Through::Damping => "damping",
    }
}

/// The balance in a line.
pub fn text(energy: &Value) -> String {
    let value = |key: &str| energy[key].as_f64().unwrap_or(0.0);
    let (worst, part) = (energy["worst"]["unaccounted"].as_f64().unwrap_or(0.0), energy["worst"]["relative"].as_f64().unwrap_or(0.0));
    if energy["conservative"] == true {
        return format!("energy: {} J, kept to {worst:.1e} J ({})", output::number(value("initial")), percent(part));
    }
    let mut parts = Vec::new();
    for (key, through, sign) in [("motions", "motion", 1.0), ("loads", "load", 1.0), ("dissipated", "damping", -1.0)] {
        let elements: Vec<&Value> = energy["elements"].as_array().into_iter().flatten().filter(|e| e["through"] == through).collect();
        let amount = if sign > 0.0 { signed(value(key)) } else { output::number(value(key)) };
        match elements.as_slice() {
            [] => {}
            [_] => parts.push(format!("{key} {amount} J")),
            several => parts.push(format!("{key} {amount} J{}", mostly(several, value(key)))),
        }
    }
    if value("jumps") != 0.0 {
        parts.push(format!("events {} J", signed(value("jumps"))));
    }
    format!(
        "energy: {} J stored at the start, {} J at the end; {}; unaccounted {:.1e} J ({} at most)",
        output::number(value("initial")),
        output::number(value("final")),
        parts.join(", "),
        value("unaccounted"),
        percent(part)
    )
}

/// The element that did the most, where it did most of all.
fn mostly(elements: &[&Value], total: f64) -> String {
    let work = |e: &Value| e["work"].as_f64().unwrap_or(0.0).abs();
    let most = elements.iter().max_by(|a, b| work(a).total_cmp(&work(b))).filter(|e| work(e) > 0.5 * total.abs());
    most.map_or(String::new(), |e| format!(" (mostly {})", e["name"].as_str().unwrap_or_default()))
}

fn signed(value: f64) -> String {
    format!("{}{}", if value < 0.0 { "" } else { "+" }, output::number(value))
}

/// A part as a percentage with two digits that say something.
fn percent(part: f64) -> String {
    let value = 100.0 * part.abs();
    if value == 0.0 || value >= 0.01 { format!("{value:.2} %") } else { format!("{value:.0e} %") }
}
