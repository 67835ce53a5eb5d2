//! A comparison as a table, as CSV and JSON, and as plots of error against work.

use super::runs::{Measured, Row};
use crate::output;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use serde_json::{Value, json};

const COLUMNS: [&str; 10] = [
    "method",
    "control",
    "size",
    "position_error",
    "velocity_error",
    "multiplier_error",
    "seconds",
    "steps",
    "evaluations",
    "factorizations",
];

/// A name for files, a label, and the number of a run.
type Quantity = (&'static str, &'static str, fn(&Measured) -> Option<f64>);

const ERRORS: [Quantity; 3] = [
    ("positions", "error of positions", |m| m.errors.position),
    ("velocities", "error of velocities", |m| m.errors.velocity),
    ("multipliers", "error of multipliers", |m| m.errors.multiplier),
];

const WORK: [Quantity; 3] = [
    ("seconds", "time, s", |m| Some(m.seconds)),
    ("evaluations", "evaluations", |m| Some(m.statistics.evaluations as f64)),
    ("factorizations", "factorizations", |m| Some(m.statistics.factorizations as f64)),
];

/// The table for the terminal.
pub fn table(rows: &[Row]) -> String {
    let heading = ["METHOD", "", "", "ERROR q", "ERROR v", "ERROR λ", "SECONDS", "STEPS", "EVALUATIONS", "FACTORIZATIONS"];
    let mut lines = vec![heading.map(String::from).to_vec()];
    for row in rows {
        let mut cells = vec![row.method.clone(), row.control.into(), output::number(row.size)];
        match &row.outcome {
            Ok(m) => {
                let short = |x: Option<f64>| x.map_or("–".into(), |x| format!("{x:.2e}"));
                cells.extend(ERRORS.iter().map(|(_, _, error)| short(error(m))));
                cells.push(format!("{:.3}", m.seconds));
                cells.extend([m.statistics.steps, m.statistics.evaluations, m.statistics.factorizations].map(|n| n.to_string()));
                lines.push(cells);
            }
            Err(why) => {
                cells.push(format!("failed: {why}"));
                lines.push(cells);
            }
        }
    }
    // A failure may be longer than a column is wide.
    let (failed, done): (Vec<_>, Vec<_>) = lines.iter().cloned().partition(|cells| cells.len() == 4);
    let width = done.iter().filter_map(|cells| cells.first()).map(|c| c.chars().count()).max().unwrap_or(0);
    let mut text = output::table(&done);
    for cells in failed {
        text.push_str(&format!("{:<width$}  {}  {}  {}\n", cells[0], cells[1], cells[2], cells[3]));
    }
    text
}

/// One object a run.
pub fn json(rows: &[Row]) -> Value {
    rows.iter().map(object).collect()
}

fn object(row: &Row) -> Value {
    let mut object = json!({ "method": row.method, row.control: row.size });
    match &row.outcome {
        Ok(m) => {
            object["errors"] = json!({ "position": m.errors.position, "velocity": m.errors.velocity, "multiplier": m.errors.multiplier });
            object["seconds"] = json!(m.seconds);
            object["steps"] = json!(m.statistics.steps);
            object["rejected"] = json!(m.statistics.rejected + m.statistics.failed);
            object["newton_iterations"] = json!(m.statistics.newton_iterations);
            object["evaluations"] = json!(m.statistics.evaluations);
            object["jacobians"] = json!(m.statistics.jacobians);
            object["factorizations"] = json!(m.statistics.factorizations);
        }
        Err(why) => object["failure"] = json!(why),
    }
    object
}

/// One line a run; what failed has empty columns.
pub fn csv(rows: &[Row]) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows {
        let mut cells = vec![row.method.clone(), row.control.into(), row.size.to_string()];
        match &row.outcome {
            Ok(m) => {
                cells.extend(ERRORS.iter().map(|(_, _, error)| error(m).map_or(String::new(), |e| e.to_string())));
                cells.push(m.seconds.to_string());
                cells.extend([m.statistics.steps, m.statistics.evaluations, m.statistics.factorizations].map(|n| n.to_string()));
            }
            Err(_) => cells.resize(COLUMNS.len(), String::new()),
        }
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// Every error against every kind of work, where there is any.
pub fn figures(rows: &[Row]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (error_name, error_label, error) in ERRORS {
        for (work_name, work_label, work) in WORK {
            let curves = curves(rows, error, work);
            if !curves.is_empty() {
                let axis = |label| Axis { label, scale: Scale::Logarithmic };
                let figure = Figure { x: axis(work_label), y: axis(error_label), curves };
                files.push((format!("{error_name}-{work_name}.svg"), figure.svg()));
            }
        }
    }
    files
}

/// One curve a method.
fn curves(rows: &[Row], error: fn(&Measured) -> Option<f64>, work: fn(&Measured) -> Option<f64>) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows {
        let Ok(measured) = &row.outcome else { continue };
        let (Some(x), Some(y)) = (work(measured), error(measured)) else { continue };
        if !(x > 0.0 && y > 0.0 && y.is_finite()) {
            continue;
        }
        match curves.iter_mut().find(|c| c.name == row.method) {
            Some(curve) => curve.points.push((x, y)),
            None => curves.push(Curve { name: row.method.clone().into(), points: vec![(x, y)], mark: Mark::Dots }),
        }
    }
    curves
}
