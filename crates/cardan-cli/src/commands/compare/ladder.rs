//! Tolerances or steps, one after the other: `1e-3:1e-9` by powers of ten, or a list `1e-3,1e-5`.

use std::str::FromStr;

/// Most values of a range.
const MOST: usize = 100;

/// Values to try.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// The values, in the order they are tried.
    pub values: Vec<f64>,
}

impl Ladder {
    /// From one value down to another, each so much smaller than the one before.
    pub fn between(from: f64, to: f64, factor: f64) -> Self {
        let count = ((from / to).ln() / factor.ln() + 1e-9).floor().max(0.0) as usize;
        Self { values: (0..=count.min(MOST)).map(|k| from / factor.powi(k as i32)).collect() }
    }
}

impl FromStr for Ladder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| crate::args::positive(text.trim());
        let Some((from, to)) = text.split_once(':') else {
            return Ok(Self { values: text.split(',').map(number).collect::<Result<_, _>>()? });
        };
        let (a, b) = (number(from)?, number(to)?);
        Ok(Self::between(a.max(b), a.min(b), 10.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_read() {
        let near = |text: &str, expected: &[f64]| {
            let found = text.parse::<Ladder>().unwrap().values;
            found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| (f / e - 1.0).abs() < 1e-12)
        };
        assert!(near("1e-3:1e-6", &[1e-3, 1e-4, 1e-5, 1e-6]) && near("1e-6:1e-3", &[1e-3, 1e-4, 1e-5, 1e-6]));
        assert!(near("0.1, 0.05", &[0.1, 0.05]) && near("2:2", &[2.0]));
        for wrong in ["", "a:b", "1e-3:0", "-1"] {
            assert!(wrong.parse::<Ladder>().is_err(), "{wrong}");
        }
    }
}
