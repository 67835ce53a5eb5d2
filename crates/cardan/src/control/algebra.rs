//! Gain, sum, product and any expression.
//!
//! ```text
//! gain  y = k u        sum  y = Σ ± u_i        product  y = Π u_i        expression  y = f
//! ```

use super::writer::number;
use super::{BlockKind, Key, Sort, Writer, key};

const INPUTS: Key = key("inputs", Sort::Signals, "the signals");

pub const GAIN: BlockKind = BlockKind {
    name: "gain",
    summary: "a signal times a number",
    keys: &[key("input", Sort::Signal, "the signal"), key("gain", Sort::Number, "its factor")],
    write: |w| {
        let y = format!("{}*{}", number(w.number("gain")), w.signal("input"));
        w.output(y);
        Ok(())
    },
};

pub const SUM: BlockKind = BlockKind {
    name: "sum",
    summary: "signals added and subtracted",
    keys: &[INPUTS, key("signs", Sort::Numbers, "the factors of the signals; default: all 1").optional()],
    write: |w| {
        let (inputs, signs) = (w.signals("inputs"), w.numbers("signs"));
        let signs = if signs.is_empty() { vec![1.0; inputs.len()] } else { signs };
        if signs.len() != inputs.len() {
            return Err(format!("there are {} signals, but {} signs", inputs.len(), signs.len()));
        }
        w.output(sum(&signs, &inputs));
        Ok(())
    },
};

/// Signals that are added as they are must be of one dimension; a factor may have one.
fn sum(signs: &[f64], inputs: &[String]) -> String {
    let term = |(sign, input): (&f64, &String)| match sign {
        1.0 => input.clone(),
        -1.0 => format!("(-{input})"),
        sign => format!("{}*{input}", number(*sign)),
    };
    let terms: Vec<String> = signs.iter().zip(inputs).map(term).collect();
    if terms.is_empty() { "0".into() } else { terms.join(" + ") }
}

pub const PRODUCT: BlockKind = BlockKind { name: "product", summary: "signals multiplied", keys: &[INPUTS], write: |w| joined(w, "*") };

pub const EXPRESSION: BlockKind = BlockKind {
    name: "expression",
    summary: "any function of signals",
    keys: &[key("function", Sort::Signal, "the function")],
    write: |w| {
        w.output(w.signal("function"));
        Ok(())
    },
};

fn joined(w: &mut Writer, operator: &str) -> Result<(), String> {
    let inputs = w.signals("inputs");
    if inputs.is_empty() {
        return Err("'inputs' is not connected; give it a list of signals".into());
    }
    w.output(inputs.join(operator));
    Ok(())
}
