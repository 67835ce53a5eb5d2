//! `cardan new`: a folder with a model to begin with.

use super::gallery;
use crate::args::NewArgs;
use crate::exit::{Code, Failure};
use crate::output;
use std::fs;
use std::path::Path;

/// Copies a model of the gallery into a new folder, under the new name.
pub fn new(args: &NewArgs) -> Result<Code, Failure> {
    let model = gallery::find(&args.from)?;
    let folder = Path::new(&args.name);
    if folder.exists() {
        return Err(Failure::new(Code::Usage, format!("{} is there already", folder.display())));
    }
    let written = fs::create_dir_all(folder).and_then(|()| {
        model.files().filter(|f| f.path().file_name().is_some_and(|n| n != "expected.json")).try_for_each(|file| {
            let name = file.path().file_name().unwrap_or_default();
            match file.contents_utf8().filter(|_| name == "model.toml") {
                Some(text) => fs::write(folder.join(name), renamed(text, &args.name)),
                None => fs::write(folder.join(name), file.contents()),
            }
        })
    });
    written.map_err(|error| Failure::file(format!("{}: {error}", folder.display())))?;
    output::say(&format!("{0} begun from '{1}'; run it with: cardan run {0}/model.toml", args.name, args.from));
    Ok(Code::Done)
}

/// A model file with another name.
fn renamed(text: &str, folder: &str) -> String {
    let name = Path::new(folder).file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
    let line = |line: &str| if line.starts_with("name = ") { format!("name = {:?}\n", name) } else { format!("{line}\n") };
    text.lines().map(line).collect()
}
