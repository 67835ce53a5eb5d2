//! Which channels are plotted, and how they share panels: those of one unit together, in the order they were asked for.

use super::PlotError;
use crate::results::Table;

/// Curves of one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The unit.
    pub unit: String,
    /// Columns of the table.
    pub columns: Vec<usize>,
}

/// All panels of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Panels {
    /// The column along the horizontal axis.
    pub against: usize,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// Panels for channels given by name or pattern (`*` stands for any text), against one channel.
pub fn select(table: &Table, patterns: &[String], against: &str) -> Result<Panels, PlotError> {
    let against = *matching(table, against)?.first().ok_or_else(|| unknown(table, against))?;
    let mut panels: Vec<Panel> = Vec::new();
    for pattern in patterns {
        for column in matching(table, pattern)? {
            let unit = &table.channels[column].unit;
            match panels.iter_mut().find(|p| &p.unit == unit) {
                Some(panel) if panel.columns.contains(&column) => {}
                Some(panel) => panel.columns.push(column),
                None => panels.push(Panel { unit: unit.clone(), columns: vec![column] }),
            }
        }
    }
    Ok(Panels { against, panels })
}

/// The columns a pattern stands for.
fn matching(table: &Table, pattern: &str) -> Result<Vec<usize>, PlotError> {
    let found: Vec<usize> = (0..table.channels.len()).filter(|k| matches(pattern, &table.channels[*k].name)).collect();
    if found.is_empty() { Err(unknown(table, pattern)) } else { Ok(found) }
}

/// Whether a name fits a pattern with `*`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name
            .strip_prefix(start)
            .is_some_and(|tail| tail.char_indices().map(|(k, _)| k).chain([tail.len()]).any(|k| matches(rest, &tail[k..]))),
    }
}

fn unknown(table: &Table, pattern: &str) -> PlotError {
    let distance = |name: &str| strsim::normalized_damerau_levenshtein(pattern, name);
    let names = table.channels.iter().map(|c| c.name.as_str());
    let nearest = names.max_by(|a, b| distance(a).total_cmp(&distance(b))).filter(|name| distance(name) > 0.5);
    PlotError::Unknown { pattern: pattern.into(), similar: nearest.map(String::from) }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("crank.position.x", "crank.position.x", true),
            ("crank.position", "crank.position.x", false),
            ("crank.*.x", "crank.position.x", true),
            ("*.x", "crank.position.x", true),
            ("*.x", "crank.position.xy", false),
            ("*", "time", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXcYb", false),
            ("größe*", "größe", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
