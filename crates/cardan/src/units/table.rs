//! The table of units.

use super::{Dimension, Unit};
use std::f64::consts::PI;

/// A unit of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitEntry {
    /// Symbol.
    pub symbol: &'static str,
    /// Factor to SI.
    pub factor: f64,
    /// Dimension.
    pub dimension: Dimension,
    /// Whether SI prefixes may stand before it.
    pub prefixes: bool,
}

const fn si(symbol: &'static str, factor: f64, dimension: Dimension) -> UnitEntry {
    UnitEntry { symbol, factor, dimension, prefixes: true }
}

const fn plain(symbol: &'static str, factor: f64, dimension: Dimension) -> UnitEntry {
    UnitEntry { symbol, factor, dimension, prefixes: false }
}

const VOLT: Dimension = Dimension([2, 1, -3, 0, -1, 0]);
const OHM: Dimension = Dimension([2, 1, -3, 0, -2, 0]);
const HENRY: Dimension = Dimension([2, 1, -2, 0, -2, 0]);
const VOLUME: Dimension = Dimension([3, 0, 0, 0, 0, 0]);

/// All units.
pub static UNITS: &[UnitEntry] = &[
    si("m", 1.0, Dimension::LENGTH),
    plain("in", 0.0254, Dimension::LENGTH),
    plain("ft", 0.3048, Dimension::LENGTH),
    plain("mi", 1609.344, Dimension::LENGTH),
    si("g", 1e-3, Dimension::MASS),
    plain("t", 1e3, Dimension::MASS),
    plain("lb", 0.453_592_37, Dimension::MASS),
    si("s", 1.0, Dimension::TIME),
    plain("min", 60.0, Dimension::TIME),
    plain("h", 3600.0, Dimension::TIME),
    si("rad", 1.0, Dimension::ANGLE),
    plain("deg", PI / 180.0, Dimension::ANGLE),
    plain("°", PI / 180.0, Dimension::ANGLE),
    plain("rev", 2.0 * PI, Dimension::ANGLE),
    plain("rpm", PI / 30.0, Dimension::ANGULAR_VELOCITY),
    si("Hz", 1.0, Dimension::FREQUENCY),
    plain("mph", 0.44704, Dimension::VELOCITY),
    plain("kph", 1.0 / 3.6, Dimension::VELOCITY),
    si("N", 1.0, Dimension::FORCE),
    plain("lbf", 4.448_221_615_260_5, Dimension::FORCE),
    si("Nm", 1.0, Dimension::TORQUE),
    si("Pa", 1.0, Dimension::PRESSURE),
    si("bar", 1e5, Dimension::PRESSURE),
    plain("psi", 6_894.757_293_168_361, Dimension::PRESSURE),
    si("J", 1.0, Dimension::ENERGY),
    si("W", 1.0, Dimension::POWER),
    si("A", 1.0, Dimension::CURRENT),
    si("V", 1.0, VOLT),
    si("Ohm", 1.0, OHM),
    si("H", 1.0, HENRY),
    si("K", 1.0, Dimension::TEMPERATURE),
    si("l", 1e-3, VOLUME),
    plain("%", 0.01, Dimension::NONE),
];

const PREFIXES: &[(&str, f64)] =
    &[("n", 1e-9), ("u", 1e-6), ("µ", 1e-6), ("μ", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1), ("k", 1e3), ("M", 1e6), ("G", 1e9)];

/// The unit of that symbol, with or without a prefix. Symbols of the table come first: `min` is a minute.
pub(super) fn find(symbol: &str) -> Option<Unit> {
    let entry = |symbol: &str| UNITS.iter().find(|u| u.symbol == symbol);
    if let Some(u) = entry(symbol) {
        return Some(Unit { factor: u.factor, dimension: u.dimension });
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let u = entry(symbol.strip_prefix(prefix)?).filter(|u| u.prefixes)?;
        // Powers of ten are divided where that is exact: 120 mm is 0.12 m to the last digit.
        let factor = if *factor < 1.0 { 1.0 / (1.0 / factor).round() } else { *factor };
        Some(Unit { factor: factor * u.factor, dimension: u.dimension })
    })
}

/// The known unit that is spelled most like this one: the same letters in another case, or the same first letter.
pub(super) fn similar(symbol: &str) -> Option<&'static str> {
    let same = |u: &&UnitEntry| u.symbol.eq_ignore_ascii_case(symbol);
    let start = |u: &&UnitEntry| symbol.chars().count() > 1 && u.symbol.len() > 1 && u.symbol.chars().next() == symbol.chars().next();
    UNITS.iter().find(same).or_else(|| UNITS.iter().find(start)).map(|u| u.symbol)
}
