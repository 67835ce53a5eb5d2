//! `cardan stability`: where methods are stable, from steps of the methods themselves.
//!
//! The plane is that of ξ = h λ for the second-order test equation with the pair of solutions e^{λt}, e^{λ̄t}; its lower half mirrors the
//! upper one. The boundary is the line on which the spectral radius is 1, by marching squares on a grid.

use crate::args::StabilityArgs;
use crate::exit::{Code, Failure};
use crate::output::print;
use cardan::analysis::amplification;
use cardan::integrators::{self, Method};
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use std::sync::Arc;

/// The grid: real parts from LEFT to RIGHT, imaginary parts from 0 to TOP.
const LEFT: f64 = -8.0;
const RIGHT: f64 = 2.0;
const TOP: f64 = 8.0;
const CELL: f64 = 0.125;
/// Radii up to this are 1 but for round-off.
const LIMIT: f64 = 1.0 + 1e-7;
/// Stands for infinity.
const FAR: f64 = 1e3;

/// Spectral radii on the grid, row by row from below; infinite where a method cannot step.
struct Radii {
    columns: usize,
    values: Vec<f64>,
}

/// Runs the command.
pub fn stability(arguments: &StabilityArgs) -> Result<Code, Failure> {
    let named = |m: &Arc<dyn Method>| arguments.methods.is_empty() || arguments.methods.iter().any(|name| name == m.name());
    let mut text = "| method | left half plane | imaginary axis | real axis | radius at infinity |\n|---|--:|--:|--:|--:|\n".to_string();
    let mut curves = Vec::new();
    for method in integrators::all().into_iter().filter(named) {
        let radii = Radii::new(&method);
        curves.push(Curve { name: method.name().into(), points: radii.boundary(), mark: Mark::Line });
        text += &summary(&method, &radii);
    }
    let axis = |label| Axis { label, scale: Scale::Linear };
    let figure = Figure { x: axis("Re h λ"), y: axis("Im h λ"), curves };
    let failed = |error| Failure::file(format!("cannot write {}: {error}", arguments.out.display()));
    std::fs::write(&arguments.out, figure.svg()).map_err(failed)?;
    print(&text)?;
    Ok(Code::Done)
}

/// How much of the left half of the picture is stable, how far along the axes it is without a gap, and the radius far out.
fn summary(method: &Arc<dyn Method>, radii: &Radii) -> String {
    let left = |k: &usize| LEFT + (k % radii.columns) as f64 * CELL <= 0.0;
    let (stable, all) =
        (0..radii.values.len()).filter(left).fold((0_usize, 0_usize), |(s, n), k| (s + usize::from(radii.values[k] <= LIMIT), n + 1));
    let reach = |direction: (f64, f64)| {
        let steps = (1..=1000).map(|k| 0.01 * f64::from(k));
        let gap = steps.take_while(|s| radius(method, direction.0 * s, direction.1 * s) <= LIMIT).last();
        gap.map_or("0".into(), |s| if s >= 9.999 { "all".into() } else { format!("{s:.2}") })
    };
    let (imaginary, real) = (reach((0.0, 1.0)), reach((-1.0, 0.0)));
    let far = radius(method, 0.0, FAR);
    format!("| {} | {:.0} % | {imaginary} | {real} | {far:.2} |\n", method.name(), 100.0 * stable as f64 / all as f64)
}

fn radius(method: &Arc<dyn Method>, real: f64, imaginary: f64) -> f64 {
    amplification(method, real, imaginary).unwrap_or(f64::INFINITY)
}

impl Radii {
    fn new(method: &Arc<dyn Method>) -> Self {
        let columns = ((RIGHT - LEFT) / CELL) as usize + 1;
        let rows = (TOP / CELL) as usize + 1;
        let values = (0..rows * columns).map(|k| radius(method, LEFT + (k % columns) as f64 * CELL, (k / columns) as f64 * CELL));
        Self { columns, values: values.collect() }
    }

    /// The lines on which the radius is 1, one piece for each cell they cross.
    fn boundary(&self) -> Vec<(f64, f64)> {
        let rows = self.values.len() / self.columns;
        let at = |c: usize, r: usize| (self.values[r * self.columns + c].min(2.0 * LIMIT) - LIMIT, c as f64 * CELL + LEFT, r as f64 * CELL);
        let mut points = Vec::new();
        for (r, c) in (1..rows).flat_map(|r| (1..self.columns).map(move |c| (r, c))) {
            let corners = [at(c - 1, r - 1), at(c, r - 1), at(c, r), at(c - 1, r)];
            let sides = (0..4).map(|k| (corners[k], corners[(k + 1) % 4]));
            let crossings: Vec<(f64, f64)> = sides.filter_map(|(a, b)| crossing(a, b)).collect();
            for pair in crossings.chunks_exact(2) {
                points.extend_from_slice(pair);
                points.push((f64::NAN, f64::NAN));
            }
        }
        points
    }
}

/// Where a side of a cell meets the boundary.
fn crossing(a: (f64, f64, f64), b: (f64, f64, f64)) -> Option<(f64, f64)> {
    let share = a.0 / (a.0 - b.0);
    ((a.0 <= 0.0) != (b.0 <= 0.0)).then_some((a.1 + share * (b.1 - a.1), a.2 + share * (b.2 - a.2)))
}
