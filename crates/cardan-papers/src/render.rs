//! Outcomes as text: Markdown for people, JSON for programs.

use crate::{Against, Bar, Chosen, Comparison, Item, Outcome, PAPERS};
use serde_json::{Value, json};
use std::path::Path;

/// The papers and what can be computed of each.
pub fn list() -> String {
    let mut out = String::new();
    for paper in PAPERS {
        out += &format!("{}\n", paper.citation);
        for item in paper.items {
            out += &format!("  {:32} {}\n", Chosen { paper, item }.id(), item.title);
        }
    }
    out + "\n`cardan reproduce ID` computes one of them, or those of a paper; `cardan reproduce all` computes everything.\n"
}

/// Items as Markdown under the names of their papers, with links to figures if these are in a folder.
pub fn markdown(done: &[(Chosen, Outcome)], figures: Option<&Path>) -> String {
    let (mut out, mut paper) = (String::new(), "");
    for (chosen, outcome) in done {
        if paper != chosen.paper.id {
            paper = chosen.paper.id;
            out += &format!("## {}\n\n", chosen.paper.citation);
        }
        let Item { title, note, .. } = chosen.item;
        out += &format!("### {title}\n\n{note}\n\n{}\n{}\n\n", table(chosen, outcome), verdict(outcome));
        if let Some(folder) = figures {
            out += &format!("![{title}]({})\n\n", folder.join(format!("{}.svg", chosen.id())).display());
        }
    }
    out
}

/// One line a row, two columns a quantity: published or reference, own.
fn table(chosen: &Chosen, outcome: &Outcome) -> String {
    let quantities = distinct(outcome.comparisons.iter().map(|c| c.quantity));
    let source = source(chosen.item.against);
    let heading: String = quantities.iter().map(|quantity| format!(" {quantity}, {source} | {quantity}, own |")).collect();
    let mut out = format!("| {} |{heading}\n|---|{}\n", chosen.item.row_heading, "--:|".repeat(2 * quantities.len()));
    for row in distinct(outcome.comparisons.iter().map(|c| c.row.as_str())) {
        let cell =
            |quantity: &&str| outcome.comparisons.iter().find(|c| c.row == row && c.quantity == *quantity).map_or(" | |".into(), pair);
        out += &format!("| {row} |{}\n", quantities.iter().map(cell).collect::<String>());
    }
    out
}

fn pair(comparison: &Comparison) -> String {
    let mark = if comparison.holds() { "" } else { " ✗" };
    let digits = digits(comparison.bar);
    format!(" {} | {}{mark} |", number(comparison.published, digits), number(comparison.own, digits + 1))
}

/// In the order of their first appearance.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut out = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// How many numbers meet their bar.
fn verdict(outcome: &Outcome) -> String {
    let bars: Vec<String> = outcome.comparisons.iter().map(|c| bar(c.bar)).collect();
    let held = outcome.comparisons.iter().filter(|c| c.holds()).count();
    format!("Bar: {}. {held} of {} numbers meet it.", distinct(bars.iter().map(String::as_str)).join(", "), outcome.comparisons.len())
}

fn source(against: Against) -> &'static str {
    match against {
        Against::Paper => "paper",
        Against::Reference => "reference",
        Against::Limit => "limit",
    }
}

fn bar(bar: Bar) -> String {
    match bar {
        Bar::Digits(digits) => format!("the same {digits} digits"),
        Bar::Relative(fraction) => format!("within {} %", short(100.0 * fraction)),
        Bar::Absolute(limit) => format!("± {}", short(limit)),
        Bar::AtLeast => "at least as large".into(),
        Bar::AtMost => "at most as large".into(),
    }
}

/// Significant digits of published numbers in the Markdown.
fn digits(bar: Bar) -> usize {
    match bar {
        Bar::Digits(digits) => digits,
        Bar::AtLeast | Bar::AtMost => 3,
        Bar::Relative(limit) => resolving(limit).max(3),
        Bar::Absolute(limit) => resolving(limit).max(4),
    }
}

/// Digits that show a difference of this size in a number about one.
fn resolving(limit: f64) -> usize {
    (1.0 - limit.log10()).round().clamp(1.0, 14.0) as usize
}

/// A limit as one would write it.
fn short(limit: f64) -> String {
    if limit < 1e-4 { format!("{limit:.0e}") } else { format!("{limit}") }
}

/// A number with so many significant digits, with a power of ten if it is small or large.
fn number(x: f64, digits: usize) -> String {
    let rounded = format!("{x:.*e}", digits - 1);
    let exponent: i32 = rounded.split('e').next_back().and_then(|e| e.parse().ok()).unwrap_or(0);
    if (-1..4).contains(&exponent) { format!("{x:.*}", (digits as i32 - 1 - exponent).max(0) as usize) } else { rounded }
}

/// The numbers of items as a list of JSON objects.
pub fn json(done: &[(Chosen, Outcome)]) -> Value {
    let object = |chosen: &Chosen, c: &Comparison| {
        json!({
            "paper": chosen.paper.id,
            "item": chosen.item.name,
            "row": c.row,
            "quantity": c.quantity,
            "published": c.published,
            "own": c.own,
            "against": source(chosen.item.against),
            "bar": bar(c.bar),
            "holds": c.holds(),
        })
    };
    done.iter().flat_map(|(chosen, outcome)| outcome.comparisons.iter().map(move |c| object(chosen, c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan_io::figure::{Axis, Figure, Scale};

    #[test]
    fn numbers_keep_their_digits() {
        let shown: Vec<String> = [0.0772, 0.746, 25.4, 4.0, 4.41e-6, 0.0, 99996.0].iter().map(|x| number(*x, 3)).collect();
        assert_eq!(shown, ["7.72e-2", "0.746", "25.4", "4.00", "4.41e-6", "0.00", "1.00e5"]);
    }

    #[test]
    fn a_missed_bar_is_marked_and_counted() {
        let compare = |row: &str, quantity, own| Comparison { row: row.into(), quantity, published: 1.0, own, bar: Bar::Digits(3) };
        let comparisons = vec![compare("a", "x", 1.0), compare("b", "x", 1.1), compare("b", "y", 1.0)];
        let axis = || Axis { label: "", scale: Scale::Linear };
        let outcome = Outcome { comparisons, figure: Figure { x: axis(), y: axis(), curves: vec![] } };
        let done: Vec<(Chosen, Outcome)> = crate::all().next().into_iter().zip([outcome]).collect();
        let text = markdown(&done, Some(Path::new("folder")));
        let expected = "|---|--:|--:|--:|--:|\n| a | 1.00 | 1.000 | | |\n| b | 1.00 | 1.100 ✗ | 1.00 | 1.000 |\n";
        assert!(text.contains(expected) && text.contains("2 of 3 numbers") && text.contains("](folder/"), "{text}");
        let rows = json(&done);
        assert_eq!([&rows[0]["holds"], &rows[1]["holds"], &rows[2]["holds"]], [true, false, true]);
    }
}
