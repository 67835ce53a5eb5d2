//! Data goes to stdout, messages to stderr; a reader that goes away is no error.

use crate::exit::Failure;
use cardan::analysis::{Moved, Redirected, VelocityChange};
use serde_json::{Value, json};
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Data for stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::silent()),
        Err(error) => Err(Failure::file(format!("stdout: {error}"))),
    }
}

/// A text for a file.
pub fn save(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file(format!("{}: {error}", path.display())))
}

/// A message for people on stderr; there is nobody to tell if that fails.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Whether stderr is a terminal.
pub fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether messages may have colours: on a terminal, unless `NO_COLOR` is set.
pub fn is_colored() -> bool {
    is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// What became of the initial velocities, for programs.
pub fn velocities(change: &VelocityChange) -> Value {
    let body = |b: &Redirected| json!({ "body": b.body, "linear": b.linear, "angular": b.angular });
    let changed: Vec<Value> = change.bodies.iter().map(body).collect();
    json!({ "kinetic_energy_given": change.given, "kinetic_energy_used": change.used, "changed": changed })
}

/// Bodies that were moved, for programs.
pub fn moved(all: &[Moved]) -> Vec<Value> {
    all.iter().map(|m| json!({ "body": m.body, "distance": m.distance, "rotation": m.rotation })).collect()
}

/// `1 body`, `2 bodies`, `3 touches`.
pub fn count(number: usize, what: &str) -> String {
    match (number, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        _ if what.ends_with("ch") => format!("{number} {what}es"),
        _ => format!("{number} {what}s"),
    }
}

/// A number with six digits that say something.
pub fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) {
        let text = format!("{value:.5e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'));
    }
    let decimals = (5.0 - value.abs().max(1e-3).log10().floor()).max(0.0) as usize;
    let text = format!("{:.decimals$}", value + 0.0);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Rows as columns of text, two spaces apart.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| rows.iter().filter_map(|r| r.get(k)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{count, number};

    #[test]
    fn numbers_show_no_round_off() {
        let shown = [1.0000000000000002, 0.35000000000000003, 1234567.8, 0.0, -0.0, 2e-7, 39.0, 1e9, -12.5].map(number);
        assert_eq!(shown, ["1", "0.35", "1234568", "0", "0", "2e-7", "39", "1e9", "-12.5"]);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([count(1, "body"), count(2, "body"), count(0, "force")], ["1 body", "2 bodies", "0 forces"]);
    }
}
