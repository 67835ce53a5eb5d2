//! `cardan plot`: channels of a result as a picture.

use crate::args::PlotArgs;
use crate::exit::{Code, Failure};
use crate::output;
use cardan_io::plot::{self, PlotError};
use cardan_io::results;
use std::path::Path;

/// Draws the channels, or lists them if none is asked for.
pub fn plot(args: &PlotArgs) -> Result<Code, Failure> {
    let table = results::read(&args.result).map_err(Failure::file)?;
    if args.channels.is_empty() {
        let rows: Vec<Vec<String>> = table.channels.iter().map(|c| vec![c.name.clone(), c.unit.clone()]).collect();
        output::print(&output::table(&rows))?;
        return Ok(Code::Done);
    }
    let panels = plot::select(&table, &args.channels, &args.against).map_err(failure)?;
    plot::draw(&table, &panels, &title(&args.result), &args.out).map_err(failure)?;
    output::say(&format!("plotted to {}", args.out.display()));
    Ok(Code::Done)
}

fn failure(error: PlotError) -> Failure {
    let code = match error {
        PlotError::Unknown { .. } | PlotError::Format { .. } => Code::Usage,
        PlotError::Draw { .. } => Code::File,
    };
    let mut failure = Failure::new(code, &error);
    if matches!(error, PlotError::Unknown { .. }) {
        failure.hints.push("`cardan plot RESULT` without channels lists them".into());
    }
    failure
}

/// The model's name: results are in a folder called after it.
fn title(result: &Path) -> String {
    let folder = if result.is_dir() { Some(result) } else { result.parent().filter(|p| p.file_name().is_some()) };
    let name = folder.and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_suffix("-results").map_or(name.clone(), String::from)
}
