//! What is written: a tree of values, and its text in TOML.

use std::fmt::Write;

/// A value to be written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Item>),
    /// A table, written on one line below the first level.
    Table(Vec<(String, Item)>),
    /// A table of tables, each with a header of its own.
    Sections(Vec<(String, Item)>),
}

/// Lists longer than this are written over several lines.
const WIDTH: usize = 110;

/// The text of a document.
pub(super) fn document(entries: &[(String, Item)]) -> String {
    let mut out = String::new();
    section(&mut out, &[], entries);
    out
}

/// The keys of one header, then the tables below it.
fn section(out: &mut String, path: &[&str], entries: &[(String, Item)]) {
    let top = path.is_empty();
    let headed = |item: &Item| matches!(item, Item::Sections(_)) || (top && matches!(item, Item::Table(_)));
    for (key, item) in entries.iter().filter(|(_, item)| !headed(item)) {
        let _ = writeln!(out, "{} = {}", bare(key), value(item, 0));
    }
    for (key, item) in entries.iter().filter(|(_, item)| headed(item)) {
        let inner: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
        match item {
            Item::Sections(tables) => {
                for (name, table) in tables {
                    let Item::Table(entries) = table else { continue };
                    let full: Vec<&str> = inner.iter().copied().chain([name.as_str()]).collect();
                    header(out, &full, entries);
                }
            }
            Item::Table(entries) => header(out, &inner, entries),
            _ => {}
        }
    }
}

fn header(out: &mut String, path: &[&str], entries: &[(String, Item)]) {
    let name: Vec<String> = path.iter().map(|key| bare(key)).collect();
    let _ = writeln!(out, "{}[{}]", if out.is_empty() { "" } else { "\n" }, name.join("."));
    section(out, path, entries);
}

/// A key, quoted where it must be.
fn bare(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if plain { key.into() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

fn value(item: &Item, indent: usize) -> String {
    match item {
        Item::Number(x) => number(*x),
        Item::Text(text) => quoted(text),
        Item::Flag(flag) => flag.to_string(),
        Item::List(items) => list(items, indent),
        Item::Table(entries) | Item::Sections(entries) => {
            let inner: Vec<String> = entries.iter().map(|(key, item)| format!("{} = {}", bare(key), value(item, indent))).collect();
            if inner.is_empty() { "{}".into() } else { format!("{{ {} }}", inner.join(", ")) }
        }
    }
}

/// On one line where it fits and holds no tables, else one item a line.
fn list(items: &[Item], indent: usize) -> String {
    let inner: Vec<String> = items.iter().map(|item| value(item, indent + 4)).collect();
    let tables = items.len() > 1 && items.iter().any(|item| matches!(item, Item::Table(_)));
    let one = format!("[{}]", inner.join(", "));
    if !tables && one.len() + indent <= WIDTH && !one.contains('\n') {
        return one;
    }
    let (inside, end) = (" ".repeat(indent + 4), " ".repeat(indent));
    let numbers = items.iter().all(|item| matches!(item, Item::Number(_)));
    let lines: Vec<String> = if numbers { inner.chunks(10).map(|c| c.join(", ")).collect() } else { inner };
    format!("[\n{}{end}]", lines.iter().map(|line| format!("{inside}{line},\n")).collect::<String>())
}

/// The shortest text that reads back to the same number.
pub(super) fn number(x: f64) -> String {
    let whole = x.fract() == 0.0 && x.abs() < 1e9 && !(x == 0.0 && x.is_sign_negative());
    if whole { format!("{x:.0}") } else { format!("{x:?}") }
}
