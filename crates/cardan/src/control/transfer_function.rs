//! A transfer function in controllable canonical form: with a_n = 1,
//!
//! ```text
//! y/u = (b_n sⁿ + … + b_0)/(sⁿ + a_{n−1} sⁿ⁻¹ + … + a_0)                                    (1)
//! ẋ_i = x_{i+1},   ẋ_n = u − Σ a_i x_{i+1},   y = Σ (b_i − b_n a_i) x_{i+1} + b_n u          (2)
//! ```

use super::writer::{combination, number};
use super::{BlockKind, Sort, Writer, key};

pub const TRANSFER_FUNCTION: BlockKind = BlockKind {
    name: "transfer-function",
    summary: "a ratio of polynomials in s",
    keys: &[
        key("input", Sort::Signal, "the signal"),
        key("num", Sort::Numbers, "the numerator, highest power of s first"),
        key("den", Sort::Numbers, "the denominator, highest power of s first"),
    ],
    write: |w| {
        let (num, den, u) = (w.numbers("num"), w.numbers("den"), w.signal("input"));
        let y = rational(w, &num, &den, &u)?;
        w.output(y);
        Ok(())
    },
};

/// Numerator and denominator with n + 1 coefficients each, lowest power first and a_n = 1.
pub(super) fn normalized(num: &[f64], den: &[f64]) -> Result<(Vec<f64>, Vec<f64>), String> {
    let Some(&leading) = den.first().filter(|a| **a != 0.0) else {
        return Err("the first coefficient of 'den' must not be zero: it is the one of the highest power".into());
    };
    let num = &num[num.iter().take_while(|b| **b == 0.0).count()..];
    if num.len() > den.len() {
        return Err(format!("it is not proper: the numerator is of degree {}, the denominator of degree {}", num.len() - 1, den.len() - 1));
    }
    let mut b: Vec<f64> = num.iter().rev().map(|b| b / leading).collect();
    b.resize(den.len(), 0.0);
    Ok((b, den.iter().rev().map(|a| a / leading).collect()))
}

/// y of (2) as a function of the states and u, lowest power first.
pub(super) fn output(a: &[f64], b: &[f64], x: &[String], u: &str) -> String {
    let direct = b[b.len() - 1];
    let factors: Vec<f64> = (0..x.len()).map(|i| b[i] - direct * a[i]).collect();
    let y = combination(&factors, x);
    if direct == 0.0 { y } else { format!("({y} + {}*{u})", number(direct)) }
}

/// Writes the states of num/den and gives its output.
pub(super) fn rational(w: &mut Writer, num: &[f64], den: &[f64], u: &str) -> Result<String, String> {
    let (b, a) = normalized(num, den)?;
    let n = a.len() - 1;
    let x: Vec<String> = (1..=n).map(|i| w.dif(&format!("x{i}"))).collect();
    for i in 1..=n {
        let rate = if i < n { x[i].clone() } else { format!("{u} - {}", combination(&a[..n], &x)) };
        w.state(&format!("x{i}"), rate, 0.0);
    }
    Ok(output(&a, &b, &x, u))
}
