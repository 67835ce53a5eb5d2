//! Model files as the commands need them: read and compiled, mistakes shown in the file.

use crate::args::ModelArgs;
use crate::exit::{Code, Failure};
use crate::output;
use cardan::system::System;
use cardan_io::model_file::{Color, Document, LoadError, Problems, load, write};

/// Reads a model file, with parameters replaced.
pub fn read(model: &ModelArgs) -> Result<Document, Failure> {
    load(&model.file, &model.set).map_err(|error| match error {
        LoadError::File { .. } => Failure::file(error),
        LoadError::Model(problems) => invalid(&problems),
    })
}

/// Compiles a model.
pub fn compile(document: &Document) -> Result<System, Failure> {
    document.compile().map_err(|problems| invalid(&problems))
}

/// Settings that do not go together, or not with the model, shown in the file.
pub fn check_settings(document: &Document, system: &System) -> Result<(), Failure> {
    document.check_settings(system).map_err(|problems| invalid(&problems))
}

/// The model file with everything worked out.
pub fn expanded(document: &Document) -> Result<String, Failure> {
    write(document).map_err(|error| Failure::new(Code::Model, error))
}

fn invalid(problems: &Problems) -> Failure {
    let color = if output::is_colored() { Color::Always } else { Color::Never };
    let mistakes = output::count(problems.list.len(), "mistake");
    let message = format!("{mistakes} in the model\n{}", problems.render(color));
    Failure { problems: problems.to_json(), ..Failure::new(Code::Model, message) }
}
