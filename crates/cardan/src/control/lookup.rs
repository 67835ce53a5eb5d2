//! Tables of one and two signals; beyond their ends the value at the end.
//!
//! ```text
//! one   y = table(u)          two   y = Σ_i hat_i(u₁) row_i(u₂),  hat_i = 1 at x_i and 0 at the other x     (1)
//! ```

use super::{BlockKind, Sort, key};
use crate::expr::{Extrapolation, Spline};

pub const LOOKUP: BlockKind = BlockKind {
    name: "lookup",
    summary: "a table of one signal",
    keys: &[
        key("input", Sort::Signal, "the signal"),
        key("x", Sort::Numbers, "the abscissae, increasing"),
        key("y", Sort::Numbers, "the values"),
        key("method", Sort::Word(&["linear", "akima", "cubic"]), "linear (default), akima or cubic").optional(),
    ],
    write: |w| {
        let table = w.spline("table", table(&w.numbers("x"), &w.numbers("y"))?);
        let function = match w.word("method").as_str() {
            "akima" => "AKISPL",
            "cubic" => "CUBSPL",
            _ => "LINSPL",
        };
        w.output(format!("{function}({}, 0, {table})", w.signal("input")));
        Ok(())
    },
};

pub const LOOKUP_2D: BlockKind = BlockKind {
    name: "lookup-2d",
    summary: "a table of two signals, linear between its points",
    keys: &[
        key("inputs", Sort::Signals, "the two signals"),
        key("x", Sort::Numbers, "the points of the first, increasing"),
        key("y", Sort::Numbers, "the points of the second, increasing"),
        key("z", Sort::Matrix, "a row of values for every x"),
    ],
    write: |w| {
        let (inputs, x, y, z) = (w.signals("inputs"), w.numbers("x"), w.numbers("y"), w.matrix("z"));
        let [first, second] = inputs.as_slice() else { return Err(format!("it needs two signals, there are {}", inputs.len())) };
        if z.len() != x.len() {
            return Err(format!("'z' has {} rows, there are {} points x", z.len(), x.len()));
        }
        let mut terms = Vec::new();
        for (i, values) in z.iter().enumerate() {
            let unit: Vec<f64> = (0..x.len()).map(|k| f64::from(u8::from(k == i))).collect();
            let hat = w.spline(&format!("hat{i}"), table(&x, &unit)?);
            let row = w.spline(&format!("row{i}"), table(&y, values)?);
            terms.push(format!("LINSPL({first}, 0, {hat})*LINSPL({second}, 0, {row})"));
        }
        w.output(terms.join(" + "));
        Ok(())
    },
};

fn table(x: &[f64], y: &[f64]) -> Result<Spline, String> {
    Ok(Spline::new(x, y).map_err(|e| e.to_string())?.extrapolated(Extrapolation::Constant))
}
