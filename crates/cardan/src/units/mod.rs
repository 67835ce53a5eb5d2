//! Units of measurement: a unit is a factor to SI and a dimension, the exponents of the base units
//!
//! ```text
//! m   kg   s   rad   A   K                                                                     (1)
//! ```
//!
//! Angles are a dimension of their own, so that a length is not taken for an angle; where an angle is multiplied away (N m from
//! N m/rad and rad) SI does not tell the two apart, and [`Dimension::fits`] does not either.
//!
//! Units are written as products without spaces: `kN/mm`, `kg*m^2`, `s^-1`. Every unit marked in the table takes the SI prefixes.

mod dimension;
mod table;

pub use dimension::Dimension;
pub use table::{UNITS, UnitEntry};

use thiserror::Error;

/// A unit: one of it is `factor` in SI.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// Factor to SI.
    pub factor: f64,
    /// Exponents of the base units.
    pub dimension: Dimension,
}

/// A text that is not a unit.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("'{name}' is not a unit")]
pub struct UnitError {
    /// The part that is not known.
    pub name: String,
    /// The known unit that is spelled most like it.
    pub suggestion: Option<&'static str>,
}

impl Unit {
    /// Reads a unit such as `kN/mm` or `m/s^2`.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let mut unit = Unit { factor: 1.0, dimension: Dimension::NONE };
        let mut sign = 1;
        for (k, part) in split(text) {
            if k > 0 {
                sign = if text.as_bytes()[k - 1] == b'/' { -1 } else { 1 };
            }
            let (name, exponent) = part.split_once('^').unwrap_or((part, "1"));
            let exponent: i8 = exponent.parse().map_err(|_| unknown(part))?;
            let one = if name == "1" {
                Unit { factor: 1.0, dimension: Dimension::NONE }
            } else {
                table::find(name).ok_or_else(|| unknown(name))?
            };
            let power = exponent.checked_mul(sign).ok_or_else(|| unknown(part))?;
            unit.factor *= one.factor.powi(power.into());
            unit.dimension = unit.dimension.times(one.dimension.to_the(power));
        }
        Ok(unit)
    }
}

/// The number of bytes at the start of a text that are a unit; 0 if there is none. Goes on over `*` and `/` only where another
/// unit follows at once, so that `3 N*x` is three newtons times x.
pub fn length_of_unit(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let operator = usize::from(end > 0);
        if end > 0 && !rest.starts_with(['*', '/', '·']) {
            return end;
        }
        let skip = if operator == 0 { 0 } else { rest.chars().next().map_or(0, char::len_utf8) };
        let name: usize = rest[skip..].chars().take_while(|c| c.is_alphabetic() || matches!(c, '%' | '°')).map(char::len_utf8).sum();
        let after = &rest[skip + name..];
        if name == 0 || table::find(&rest[skip..skip + name]).is_none() || after.starts_with(['(', '_', '.']) {
            return end;
        }
        if after.starts_with(|c: char| c.is_ascii_digit()) {
            return end;
        }
        end += skip + name + exponent_length(after);
    }
}

/// Bytes of `^2` or `^-1` at the start.
fn exponent_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('^') else { return 0 };
    let sign = usize::from(rest.starts_with('-'));
    let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// The factors of a product, each with the place it starts at.
fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(['*', '/', '·']).map(move |part| {
        let at = start;
        start += part.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
        (at, part)
    })
}

fn unknown(name: &str) -> UnitError {
    UnitError { name: name.into(), suggestion: table::similar(name) }
}
