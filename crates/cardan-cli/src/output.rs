//! Data goes to stdout, messages to stderr; a reader that goes away is no error.

use crate::exit::Failure;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Data for stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::silent()),
        Err(error) => Err(Failure::file(format!("stdout: {error}"))),
    }
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
