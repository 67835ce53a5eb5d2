//! The page's own files, and how they are joined with the data.

use super::{Case, Report, encode};
use std::io::{self, Write};

const MARKUP: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The scripts in the order of their dependence; they share one scope.
const SCRIPTS: [&str; 23] = [
    include_str!("page/math.js"),
    include_str!("page/format.js"),
    include_str!("page/theme.js"),
    include_str!("page/run.js"),
    include_str!("page/touches.js"),
    include_str!("page/playback.js"),
    include_str!("page/shapes.js"),
    include_str!("page/shaders.js"),
    include_str!("page/gpu.js"),
    include_str!("page/mechanism.js"),
    include_str!("page/glyphs.js"),
    include_str!("page/camera.js"),
    include_str!("page/pointer.js"),
    include_str!("page/labels.js"),
    include_str!("page/viewer.js"),
    include_str!("page/curves.js"),
    include_str!("page/plot.js"),
    include_str!("page/board.js"),
    include_str!("page/channels.js"),
    include_str!("page/panels.js"),
    include_str!("page/contacts.js"),
    include_str!("page/controls.js"),
    include_str!("page/app.js"),
];

/// About the number of bytes of the page without data.
pub(super) fn size() -> usize {
    MARKUP.len() + STYLE.len() + SCRIPTS.iter().map(|script| script.len()).sum::<usize>()
}

/// Writes the page: the markup, with everything else in the places it names in double braces.
pub(super) fn fill(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for piece in MARKUP.split("{{") {
        let (place, text) = piece.split_once("}}").unwrap_or(("", piece));
        match place {
            "title" => out.write_all(encode::escape(report.title).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "document" => out.write_all(encode::document(report).as_bytes())?,
            "columns" => columns(out, report)?,
            "script" => script(out)?,
            _ => {}
        }
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// One inert script element a channel, case after case, and then two a case for its touches.
fn columns(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut block = encode::Block::default();
    for (k, column) in report.cases.iter().flat_map(|case| case.columns.iter().enumerate()) {
        let text = match k {
            0 => block.doubles(column),
            _ => block.singles(column),
        };
        inert(out, "column", text)?;
    }
    for shown in report.cases.iter().map(Case::touches) {
        inert(out, "touches", block.places(&shown.samples))?;
        inert(out, "touches", block.floats(&shown.values))?;
    }
    Ok(())
}

/// A script element that holds data.
fn inert(out: &mut impl Write, class: &str, text: &[u8]) -> io::Result<()> {
    write!(out, "<script type=\"text/plain\" class=\"{class}\">")?;
    out.write_all(text)?;
    out.write_all(b"</script>\n")
}

/// All scripts in one function, so that nothing of them is global.
fn script(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"(() => {\n\"use strict\";\n")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.write_all(b"})();\n")
}
