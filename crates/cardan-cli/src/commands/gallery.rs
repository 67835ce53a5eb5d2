//! `cardan gallery`: the models that come with Cardan.

use crate::args::GalleryArgs;
use crate::exit::{Code, Failure};
use crate::output;
use include_dir::{Dir, include_dir};

static GALLERY: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../gallery");

/// Lists the gallery, or shows what one of its models is about.
pub fn gallery(args: &GalleryArgs) -> Result<Code, Failure> {
    match &args.name {
        None => {
            let rows: Vec<Vec<String>> = models().map(|m| vec![name(m), description(m)]).collect();
            output::print(&output::table(&rows))?;
        }
        Some(wanted) => {
            let model = find(wanted)?;
            let file = |name: &str| model.get_file(model.path().join(name)).and_then(|f| f.contents_utf8());
            output::print(file("README.md").or_else(|| file("model.toml")).unwrap_or_default())?;
            output::say(&format!("\nfor a copy of your own: cardan new NAME --from {wanted}"));
        }
    }
    Ok(Code::Done)
}

/// The folder of a model.
pub fn find(wanted: &str) -> Result<&'static Dir<'static>, Failure> {
    models().find(|m| name(m) == wanted).ok_or_else(|| {
        let mut failure = Failure::new(Code::Usage, format!("there is no model '{wanted}' in the gallery"));
        failure.hints.push(format!("one of {}", models().map(name).collect::<Vec<_>>().join(", ")));
        failure
    })
}

fn models() -> impl Iterator<Item = &'static Dir<'static>> {
    GALLERY.dirs().filter(|d| d.get_file(d.path().join("model.toml")).is_some())
}

fn name(model: &Dir) -> String {
    model.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The line `description = "…"` of the model file.
fn description(model: &Dir) -> String {
    let text = model.get_file(model.path().join("model.toml")).and_then(|f| f.contents_utf8()).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("description")?.trim_start().strip_prefix('='));
    line.map(|value| value.trim().trim_matches('"').into()).unwrap_or_default()
}
