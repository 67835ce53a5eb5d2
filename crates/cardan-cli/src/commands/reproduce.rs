//! `cardan reproduce`: tables and figures of papers computed again, published and own numbers side by side.

use crate::reproduce::{Chosen, Comparison, Outcome, ReproduceError, choose, render};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compute tables and figures of papers again, and compare.
///
/// Prints Markdown, or with --json a list of objects with paper, item, row, quantity, published, own, against (whether the
/// published number is printed in the paper or that of a reference solution), bar and holds. Without an ID, lists what there is.
///
/// Ends with 0 if every number meets its bar, 1 if not, 2 if something could not be computed or written.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A table or figure, a paper, or `all`
    id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write ID.md, ID.json and ID.svg into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("nothing is called `{0}`; `cardan reproduce` lists what there is")]
    Unknown(String),
    #[error("{id}: {source}")]
    Compute { id: String, source: ReproduceError },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let Some(id) = &arguments.id else {
        print!("{}", render::list());
        return Ok(ExitCode::SUCCESS);
    };
    let chosen = choose(id);
    if chosen.is_empty() {
        return Err(Error::Unknown(id.clone()));
    }
    let done = chosen.into_iter().map(compute).collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = &arguments.out {
        write_all(folder, &done)?;
    }
    if arguments.json {
        println!("{:#}", render::json(&done));
    } else {
        print!("{}", render::markdown(&done, arguments.out.as_deref()));
    }
    let held = done.iter().flat_map(|(_, outcome)| &outcome.comparisons).all(Comparison::holds);
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn compute(chosen: Chosen) -> Result<(Chosen, Outcome), Error> {
    let outcome = (chosen.item.compute)().map_err(|source| Error::Compute { id: chosen.id(), source })?;
    Ok((chosen, outcome))
}

/// Three files for each item.
fn write_all(folder: &Path, done: &[(Chosen, Outcome)]) -> Result<(), Error> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| Error::Write { path, source }
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
