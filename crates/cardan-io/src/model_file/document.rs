//! A model file that has been read.

use super::field::Table;
use super::lower::{self, Lowered, Places, Texts};
use super::parameters;
use super::problem::{Problem, Problems};
use super::reader::{Entries, Reader, expression_problem};
use super::tables::{File, Head, Sections, Settings};
use crate::geometry::Graphic;
use cardan::analysis::Mistake;
use cardan::expr::parse;
use cardan::model::{ExpressionProblem, Model, ModelError};
use cardan::system::System;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use toml::de::DeTable;

/// A model with everything its file says besides.
#[derive(Debug, Clone)]
pub struct Document {
    /// The model.
    pub model: Model,
    /// What the model is about.
    pub description: Option<String>,
    /// The shapes of each body that has any.
    pub graphics: Vec<(String, Vec<Graphic>)>,
    /// How it is to be simulated.
    pub simulation: Settings,
    /// The parameters by name, in SI.
    pub parameters: Vec<(String, f64)>,
    /// The file, its numbers worked out and its repetitions expanded.
    pub(super) file: Option<File>,
    /// Where its elements stand in the file.
    pub(super) origin: Origin,
}

/// A text that a model was read from.
#[derive(Debug, Clone, Default)]
pub(super) struct Origin {
    pub name: String,
    pub source: String,
    pub places: Places,
    pub texts: Texts,
    /// Parameters that some number uses.
    pub used: HashSet<String>,
}

/// Why a model file could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such text.
    #[error("{}: {}", path.display(), unreadable(source))]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There are mistakes in it.
    #[error(transparent)]
    Model(#[from] Problems),
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::IsADirectory => "this is a folder, not a model file".into(),
        io::ErrorKind::InvalidData => "not a text in UTF-8".into(),
        _ => error.to_string(),
    }
}

/// Reads a model file; `overrides` replace parameters: name and value.
pub fn load(path: impl AsRef<Path>, overrides: &[(String, String)]) -> Result<Document, LoadError> {
    let path = path.as_ref();
    let shown = path.display().to_string();
    let source = std::fs::read_to_string(path).map_err(|source| LoadError::File { path: path.into(), source })?;
    Ok(load_str(&source, &shown, path.parent().unwrap_or(Path::new("")), overrides)?)
}

/// Reads a model from a text; other files are looked for in `base`. The model is called after the file where it gives no name.
pub fn load_str(source: &str, name: &str, base: &Path, overrides: &[(String, String)]) -> Result<Document, Problems> {
    let (root, errors) = DeTable::parse_recoverable(source);
    let mut reader = Reader::new(source);
    for error in errors {
        reader.report(Problem::new(error.span().unwrap_or(source.len()..source.len()), error.message(), "not valid TOML"));
    }
    // Half-read tables would bring up problems that are not there.
    if !reader.problems.is_empty() {
        return Err(Problems::new(name, source, reader.problems));
    }
    parameters::resolve(root.get_ref(), overrides, &mut reader);
    let mut entries = Entries::new(root.get_ref(), 0..0);
    let (head, sections) = (Head::take(&mut entries, &mut reader), Sections::take(&mut entries, &mut reader));
    entries.finish(&mut reader);
    let complete = head.is_some() && sections.is_some();
    let file = File { head: head.unwrap_or_default(), sections: sections.unwrap_or_default().expanded() };
    let stem = Path::new(name).file_stem().map_or(name.into(), |s| s.to_string_lossy());
    let Lowered { model, graphics, mut places, texts, problems, broken } = lower::lower(&file, &stem, base, reader.broken);
    places.extend(parameter_places(root.get_ref()));
    places.extend(setting_places(root.get_ref()));
    let mut problems: Vec<Problem> = reader.problems.into_iter().chain(problems).collect();
    let document = Document {
        model,
        description: file.head.description.clone(),
        graphics,
        simulation: file.head.simulation.clone().unwrap_or_default(),
        parameters: file.head.parameters.0.iter().map(|(name, amount)| (name.clone(), amount.value)).collect(),
        file: Some(file),
        origin: Origin { name: name.into(), source: source.into(), places, texts, used: reader.used },
    };
    let settings = document.simulation.wrong_values();
    problems.extend(settings.iter().map(|mistake| document.place_setting(mistake)));
    if complete && broken.is_empty() {
        problems.extend(document.check());
    } else {
        problems.extend(document.check_syntax());
    }
    if problems.is_empty() { Ok(document) } else { Err(document.problems(problems)) }
}

/// Where the names of parameters stand.
fn parameter_places(root: &DeTable) -> Places {
    let names = root.get("parameters").and_then(|value| value.get_ref().as_table()).into_iter().flat_map(|table| table.keys());
    names.map(|name| (("parameter", name.get_ref().to_string()), name.span())).collect()
}

/// Where the values of `[simulation]` stand.
fn setting_places(root: &DeTable) -> Places {
    let settings = root.get("simulation").and_then(|value| value.get_ref().as_table()).into_iter().flatten();
    settings.map(|(name, value)| (("setting", name.get_ref().to_string()), value.span())).collect()
}

impl Document {
    /// A model that was built in code, to be written.
    pub fn from_model(model: Model) -> Self {
        Self {
            parameters: model.parameters().to_vec(),
            model,
            description: None,
            graphics: Vec::new(),
            simulation: Settings::default(),
            file: None,
            origin: Origin::default(),
        }
    }

    /// Everything the engine can say before the model is compiled.
    fn check(&self) -> Vec<Problem> {
        let wrong = self.model.check_expressions();
        let lowered = self.model.lowered().and_then(|model| model.validate());
        let invalid = self.model.validate().and(lowered).err().filter(|error| !matches!(error, ModelError::Expression(_)));
        let mut all: Vec<Problem> = wrong.iter().map(|problem| self.locate(problem)).collect();
        // What is wrong in a repetition is wrong every time.
        all.dedup_by_key(|problem| problem.span.clone());
        all.extend(invalid.iter().map(|error| self.place(error)));
        all
    }

    /// What is wrong with functions whatever the rest of the model is.
    fn check_syntax(&self) -> Vec<Problem> {
        let wrong = self.model.check_expressions();
        let mut all: Vec<Problem> = wrong.iter().filter(|p| parse(&p.text).is_err()).map(|problem| self.locate(problem)).collect();
        all.dedup_by_key(|problem| problem.span.clone());
        all
    }

    /// The model compiled; what the engine finds wrong is shown in the file.
    pub fn compile(&self) -> Result<System, Problems> {
        System::new(&self.model).map_err(|error| self.explain(&error))
    }

    /// A mistake that the engine found, at its place in the file.
    pub fn explain(&self, error: &ModelError) -> Problems {
        self.problems(vec![self.place(error)])
    }

    /// What does not go together in `[simulation]`, or not with the model, at its place in the file.
    pub fn check_settings(&self, system: &System) -> Result<(), Problems> {
        let list: Vec<Problem> = self.simulation.wrong_together(system).iter().map(|mistake| self.place_setting(mistake)).collect();
        if list.is_empty() { Ok(()) } else { Err(self.problems(list)) }
    }

    /// A mistake of a setting at its value; of one that is not given, at the method that asks for it.
    fn place_setting(&self, mistake: &Mistake) -> Problem {
        let place = |key: &str| self.origin.places.get(&("setting", key.to_string())).cloned();
        let own = place(mistake.setting);
        let label = if own.is_some() { "this setting" } else { "" };
        let span = own.or_else(|| place("method")).unwrap_or(0..0);
        Problem::new(span, format!("simulation.{}: {}", mistake.setting, mistake.message), label)
    }

    fn place(&self, error: &ModelError) -> Problem {
        let (sort, name) = match error {
            ModelError::Expression(problem) => return self.locate(problem),
            ModelError::Body { body, .. } => ("body", body),
            ModelError::Marker { marker } => ("marker", marker),
            ModelError::Force { force, .. } => ("force", force),
            ModelError::Joint { joint, .. } | ModelError::NeverMet { joint, .. } | ModelError::ActsOnNothing { joint } => {
                ("constraint", joint)
            }
            ModelError::DuplicateName { what, name } => (*what, name),
            ModelError::State { state, .. } => ("state", state),
            ModelError::Array { array } => ("variable", array),
            ModelError::Input { input, .. } => ("input", input),
            ModelError::Sensor { sensor, .. } => ("sensor", sensor),
            ModelError::Block { block, .. } => ("block", block),
            ModelError::ForeignHandle { element } => ("constraint", element),
        };
        let span = self.origin.places.get(&(sort, name.clone())).cloned().unwrap_or(0..0);
        Problem::new(span, error.to_string(), "this element")
    }

    /// A mistake in an expression, at its place in the file.
    fn locate(&self, problem: &ExpressionProblem) -> Problem {
        let ExpressionProblem { what, element, component, error, text } = problem;
        let span = self.origin.texts.get(&(*what, element.clone(), *component)).cloned().unwrap_or(0..0);
        expression_problem(&self.origin.source, &span, text, error, &format!("{what} '{element}', {component}"))
    }

    fn problems(&self, list: Vec<Problem>) -> Problems {
        Problems::new(&self.origin.name, &self.origin.source, list)
    }
}
