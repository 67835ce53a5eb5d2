//! What is said about a run: one JSON object for programs, a few lines for people.

use crate::book::Book;
use crate::contacts;
use crate::energy;
use crate::output::count;
use crate::recorder::Start;
use cardan::analysis::SimulationError;
use cardan::results::{Ending, Results};
use cardan::system::System;
use serde_json::{Map, Value, json};

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It reached its end time.
    Completed,
    /// An event ended it.
    Event,
    /// Ctrl-C ended it.
    Interrupted,
    /// An error ended it.
    Failed,
}

impl Status {
    /// As in files.
    pub fn name(self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Event => "ended by event",
            Status::Interrupted => "interrupted",
            Status::Failed => "failed",
        }
    }

    /// Of a run that returned this.
    pub fn of(outcome: &Result<Results, SimulationError>) -> Self {
        match outcome {
            Err(_) => Status::Failed,
            Ok(results) => match results.ending {
                Ending::Time => Status::Completed,
                Ending::Event => Status::Event,
                Ending::Stopped => Status::Interrupted,
            },
        }
    }
}

/// The settings a run was made with, in words.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Name of the model.
    pub model: String,
    /// Name of the method.
    pub method: String,
    /// `index3`, `index2` or `index1`.
    pub formulation: &'static str,
    /// End time, s.
    pub t_end: f64,
    /// Seconds from the beginning of the command to the beginning of integration.
    pub setup_seconds: f64,
}

/// Everything about a run as a JSON object.
pub fn json(
    settings: &Settings,
    system: &System,
    start: &Start,
    book: &Book,
    wall: f64,
    outcome: &Result<Results, SimulationError>,
) -> Value {
    let nothing = Results::default();
    let results = match outcome {
        Ok(results) => results,
        Err(error) => error.results().unwrap_or(&nothing),
    };
    let statistics = results.statistics;
    let mut out = json!({
        "model": settings.model,
        "method": settings.method,
        "formulation": settings.formulation,
        "status": Status::of(outcome).name(),
        "t_end": settings.t_end,
        "t": results.last().map_or(0.0, |x| x.t),
        "steps": statistics.steps,
        "rejected": statistics.rejected,
        "failed": statistics.failed,
        "newton_iterations": statistics.newton_iterations,
        "jacobians": statistics.jacobians,
        "factorizations": statistics.factorizations,
        "unplanned_factorizations": statistics.unplanned,
        "contacts": contacts::json(system, results),
        "wall_seconds": wall,
        "setup_seconds": settings.setup_seconds,
        "equations": system.nv() + system.rows(),
        "dof": start.degrees_of_freedom,
        "redundant": start.redundant,
        "moved": start.moved,
        "initial_velocities": start.velocities,
        "max_constraint_violation": { "position": results.position_violation, "velocity": results.velocity_violation },
        "energy": energy::json(&results.energy),
        "events": results.events.iter().map(|e| json!({ "name": e.name, "t": e.t })).collect::<Vec<_>>(),
        "warnings": results.warnings,
    });
    if let (Err(error), Some(object)) = (outcome, out.as_object_mut()) {
        object.extend(failure(error));
    }
    let last: Map<String, Value> = book.last().filter(|(_, value)| value.is_finite()).map(|(c, v)| (c.name.clone(), v.into())).collect();
    out["final"] = last.into();
    out
}

/// What a failure adds.
fn failure(error: &SimulationError) -> Map<String, Value> {
    let culprit = error.culprit().map(|(element, equation)| json!({ "element": element, "equation": equation }));
    let pairs = [
        ("error", json!(error.to_string())),
        ("failed_at", json!(error.time())),
        ("failed_step", json!(error.step())),
        ("largest_residual", json!(culprit)),
        ("likely_mistake", json!(error.likely_mistake())),
        ("hints", json!(error.hints())),
    ];
    pairs.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

/// A run in a few lines.
pub fn text(summary: &Value) -> String {
    let number = |key: &str| summary[key].as_f64().unwrap_or(0.0);
    let mut lines = vec![format!(
        "{}: {} at t = {} s with {} ({})",
        word(&summary["model"]),
        word(&summary["status"]),
        short(number("t")),
        word(&summary["method"]),
        word(&summary["formulation"])
    )];
    if summary["steps"] == 0 {
        return lines.concat();
    }
    let counted = |key: &str, what: &str| count(number(key) as usize, what);
    lines.push(format!(
        "  {} of freedom, {}; {}, {} rejected, {}, {}",
        counted("dof", "degree"),
        counted("equations", "equation"),
        counted("steps", "step"),
        summary["rejected"],
        counted("newton_iterations", "Newton iteration"),
        counted("jacobians", "Jacobian")
    ));
    lines.push(format!("  {:.3} s for the integration, {:.3} s to set it up", number("wall_seconds"), number("setup_seconds")));
    let violation = |level: &str| summary["max_constraint_violation"][level].as_f64().unwrap_or(0.0);
    lines.push(format!("  constraints kept to {:.1e} (positions), {:.1e} (velocities)", violation("position"), violation("velocity")));
    lines.push(format!("  {}", energy::text(&summary["energy"])));
    lines.extend(contacts::text(&summary["contacts"]));
    if number("unplanned_factorizations") > 0.0 {
        lines.push(format!("  warning: {} took more operations than planned", counted("unplanned_factorizations", "factorisation")));
    }
    let redundant: Vec<String> = list(&summary["redundant"]).map(word).collect();
    if !redundant.is_empty() {
        lines.push(format!("  redundant constraints: {}", redundant.join(", ")));
    }
    let event = |e: &Value| format!("  event {} at t = {} s", word(&e["name"]), short(e["t"].as_f64().unwrap_or(0.0)));
    lines.extend(shortened(list(&summary["events"]).map(event).collect(), "event"));
    lines.extend(shortened(list(&summary["warnings"]).map(|w| format!("  warning: {}", word(w))).collect(), "warning"));
    lines.join("\n")
}

/// Lines at the beginning of a list that is shortened.
const SHOWN: usize = 5;

/// A long list by its first lines and its last, and how many there are; everything is in the JSON object.
pub fn shortened(mut lines: Vec<String>, what: &str) -> Vec<String> {
    let all = lines.len();
    if all > SHOWN + 2 {
        let left_out = all - SHOWN - 1;
        lines.splice(SHOWN..all - 1, [format!("  … {left_out} more {what}s, {all} in all (run.json lists them)")]);
    }
    lines
}

/// The elements of a list.
pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text.
pub fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}

/// A time without the digits of round-off.
pub fn short(t: f64) -> String {
    let text = format!("{t:.9}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_lists_are_shortened_to_their_ends() {
        let lines = |n: usize| (1..=n).map(|k| k.to_string()).collect::<Vec<_>>();
        assert_eq!(shortened(lines(7), "event"), lines(7));
        let short = shortened(lines(190), "event");
        assert_eq!(short[..5], lines(5));
        assert_eq!(short[5..], ["  … 184 more events, 190 in all (run.json lists them)", "190"]);
    }
}
