//! `cardan reproduce`: tables and figures of papers computed again, published and own numbers side by side.

use crate::exit::{Code, Failure};
use crate::output::print;
use cardan_papers::{Chosen, Comparison, Outcome, ReproduceError, choose, render};
use std::path::{Path, PathBuf};

/// Compute tables and figures of papers again, and compare.
///
/// Prints Markdown, or with --json a list of objects with paper, item, row, quantity, published, own, against (whether the
/// published number is printed in the paper or that of a reference solution), bar and holds. Without an ID, lists what there is.
///
/// Ends with 6 if a number misses its bar.
#[derive(Debug, clap::Args)]
pub struct ReproduceArgs {
    /// A table or figure, a paper, or `all`
    id: Option<String>,
    /// Leave out what measures CPU times: its numbers are others in every run
    #[arg(long)]
    untimed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write ID.md, ID.json and ID.svg into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn reproduce(arguments: &ReproduceArgs) -> Result<Code, Failure> {
    let Some(id) = &arguments.id else {
        return print(&render::list()).map(|()| Code::Done);
    };
    let chosen = choose(id);
    if chosen.is_empty() {
        return Err(Failure::new(Code::Usage, format!("nothing is called `{id}`; `cardan reproduce` lists what there is")));
    }
    let wanted = chosen.into_iter().filter(|chosen| !(arguments.untimed && chosen.item.timed));
    let done = wanted.map(compute).collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = &arguments.out {
        write_all(folder, &done)?;
    }
    if arguments.json {
        print(&format!("{:#}\n", render::json(&done)))?;
    } else {
        print(&render::markdown(&done, arguments.out.as_deref()))?;
    }
    let held = done.iter().flat_map(|(_, outcome)| &outcome.comparisons).all(Comparison::holds);
    Ok(if held { Code::Done } else { Code::Missed })
}

fn compute(chosen: Chosen) -> Result<(Chosen, Outcome), Failure> {
    let failed = |error: ReproduceError| Failure::new(Code::Integration, format!("{}: {error}", chosen.id()));
    let outcome = (chosen.item.compute)().map_err(failed)?;
    Ok((chosen, outcome))
}

/// Three files for each item.
fn write_all(folder: &Path, done: &[(Chosen, Outcome)]) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error| Failure::file(format!("cannot write {path}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    for one in done {
        let files = [
            ("md", render::markdown(std::slice::from_ref(one), Some(Path::new("")))),
            ("json", format!("{:#}\n", render::json(std::slice::from_ref(one)))),
            ("svg", one.1.figure.svg()),
        ];
        for (extension, content) in files {
            let path = folder.join(format!("{}.{extension}", one.0.id()));
            std::fs::write(&path, content).map_err(failed(&path))?;
        }
    }
    Ok(())
}
