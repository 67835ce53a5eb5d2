//! How far a run is from a reference, by the channels that both have.
//!
//! ```text
//! e(t) = √(1/n Σ (d_k/Y_k)²),   Y_k = max(1, largest |reference|),   error = largest e(t) over the common times              (1)
//! ```
//!
//! with d the differences of positions and differential states, of velocities, or of multipliers. Attitudes of bodies in space differ by the
//! angle that turns one into the other.

use crate::results::Table;
use cardan::results::{Channel, Channels, Results};
use cardan::system::System;

/// Times are common up to this part of the run.
const SAME_TIME: f64 = 1e-9;

/// Errors (1); `None` where a model has nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// Of positions, attitudes and differential states.
    pub position: Option<f64>,
    /// Of velocities and angular velocities.
    pub velocity: Option<f64>,
    /// Of multipliers.
    pub multiplier: Option<f64>,
}

/// The samples of a run as a table of channels.
pub fn table(system: &System, results: &Results) -> Table {
    let mut channels = Channels::new(system);
    let list: Vec<Channel> = channels.list().to_vec();
    let (mut columns, mut row) = (vec![Vec::with_capacity(results.samples.len()); list.len()], vec![0.0; list.len()]);
    for sample in &results.samples {
        channels.fill(system, sample, &mut row);
        columns.iter_mut().zip(&row).for_each(|(column, value)| column.push(*value));
    }
    Table { channels: list, columns }
}

/// The errors of a run of a model with these differential states; `None` where there is no common time after the start.
pub fn errors(reference: &Table, own: &Table, states: &[&str]) -> Option<Errors> {
    let times = common_times(reference.column("time")?, own.column("time")?);
    if times.is_empty() {
        return None;
    }
    let over = |kind: Quantity| {
        let parts: Vec<Difference> =
            reference.channels.iter().filter_map(|c| Difference::new(&c.name, kind, reference, own, states)).collect();
        let at = |(r, o): &(usize, usize)| {
            let sum: f64 = parts.iter().map(|d| d.at(*r, *o).powi(2)).sum();
            (sum / parts.len() as f64).sqrt()
        };
        let largest = times.iter().map(at).fold(0.0, |m: f64, e| if e > m || e.is_nan() { e } else { m });
        (!parts.is_empty()).then_some(largest)
    };
    Some(Errors { position: over(Quantity::Position), velocity: over(Quantity::Velocity), multiplier: over(Quantity::Multiplier) })
}

/// Pairs of rows at the same time, without the start.
fn common_times(reference: &[f64], own: &[f64]) -> Vec<(usize, usize)> {
    let near = SAME_TIME * reference.last().copied().unwrap_or(0.0).abs();
    let (mut pairs, mut o) = (Vec::new(), 0);
    for (r, t) in reference.iter().enumerate().skip(1) {
        while o < own.len() && own[o] < t - near {
            o += 1;
        }
        if own.get(o).is_some_and(|time| (time - t).abs() <= near) {
            pairs.push((r, o));
        }
    }
    pairs
}

/// What a channel tells of the motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Position,
    Velocity,
    Multiplier,
}

/// One weighted difference between two tables.
enum Difference<'a> {
    Number { reference: &'a [f64], own: &'a [f64], weight: f64 },
    Attitude { reference: [&'a [f64]; 4], own: [&'a [f64]; 4] },
}

impl<'a> Difference<'a> {
    /// That of a channel, if it is of this kind.
    fn new(name: &str, kind: Quantity, reference: &'a Table, own: &'a Table, states: &[&str]) -> Option<Self> {
        let has = |text: &str| name.contains(text);
        let found = if has(".position.") || name.ends_with(".angle") || has(".orientation.") || states.contains(&name) {
            Quantity::Position
        } else if has(".velocity.") || has(".angular_velocity.") {
            Quantity::Velocity
        } else if has(".lambda.") {
            Quantity::Multiplier
        } else {
            return None;
        };
        if found != kind {
            return None;
        }
        let Some((body, axis)) = name.split_once(".orientation.") else {
            let column = reference.column(name)?;
            let weight = 1.0 / column.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            return Some(Self::Number { reference: column, own: own.column(name)?, weight });
        };
        // The angle of a planar body says it all.
        if axis != "w" || reference.column(&format!("{body}.angle")).is_some() {
            return None;
        }
        let four = |table: &'a Table| -> Option<[&'a [f64]; 4]> {
            let part = |axis: &str| table.column(&format!("{body}.orientation.{axis}"));
            Some([part("w")?, part("x")?, part("y")?, part("z")?])
        };
        Some(Self::Attitude { reference: four(reference)?, own: four(own)? })
    }

    fn at(&self, r: usize, o: usize) -> f64 {
        match self {
            Self::Number { reference, own, weight } => (own[o] - reference[r]) * weight,
            Self::Attitude { reference, own } => angle(reference.map(|c| c[r]), own.map(|c| c[o])),
        }
    }
}

/// The angle that turns one attitude into another.
fn angle(p: [f64; 4], q: [f64; 4]) -> f64 {
    let x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2];
    let y = p[0] * q[2] - p[2] * q[0] - p[3] * q[1] + p[1] * q[3];
    let z = p[0] * q[3] - p[3] * q[0] - p[1] * q[2] + p[2] * q[1];
    let w: f64 = (0..4).map(|k| p[k] * q[k]).sum();
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[(&str, &[f64])]) -> Table {
        let channels = columns.iter().map(|(name, _)| Channel { name: (*name).into(), unit: "1".into() }).collect();
        Table { channels, columns: columns.iter().map(|(_, values)| values.to_vec()).collect() }
    }

    #[test]
    fn attitudes_differ_by_the_angle_between_them_whatever_their_sign() {
        let (s, c) = 0.15_f64.sin_cos();
        let half = 0.5_f64.sqrt();
        // A quarter turn about x, then 0.3 rad about the new y.
        let turned = [half * c, half * c, half * s, half * s];
        assert!((angle([half, half, 0.0, 0.0], turned) - 0.3).abs() < 1e-15);
        assert!((angle([half, half, 0.0, 0.0], turned.map(|x| -x)) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn errors_are_the_largest_over_common_times_and_weighted() {
        let reference = table(&[
            ("time", &[0.0, 1.0, 2.0, 3.0]),
            ("a.position.x", &[0.0, 10.0, 0.0, 0.0]),
            ("a.velocity.x", &[0.0, 0.0, 0.5, 0.0]),
            ("filter", &[0.0; 4]),
            ("total.energy", &[0.0; 4]),
        ]);
        let own = table(&[
            ("time", &[0.0, 2.0, 3.0]),
            ("a.position.x", &[9.0, 2.0, 1.0]),
            ("a.velocity.x", &[0.0, 0.75, 0.0]),
            ("filter", &[0.0, 0.0, 0.0]),
            ("total.energy", &[5.0, 5.0, 5.0]),
        ]);
        let found = errors(&reference, &own, &["filter"]).unwrap();
        assert!((found.position.unwrap() - (0.2_f64.powi(2) / 2.0).sqrt()).abs() < 1e-15, "{found:?}");
        assert_eq!((found.velocity, found.multiplier), (Some(0.25), None));
        assert_eq!(errors(&reference, &table(&[("time", &[0.0, 0.5])]), &[]), None);
    }
}
