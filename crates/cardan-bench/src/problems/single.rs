//! Problems of one size: classics of the literature.

use super::{Observed, Problem, ProblemError};
use cardan::model::classics;
use cardan::prelude::*;
use std::path::Path;

/// All bodies of a model but the ground.
fn moving(model: &Model) -> impl Iterator<Item = BodyId> {
    let ids: std::collections::BTreeMap<usize, BodyId> = model.markers().iter().map(|m| (m.body.index(), m.body)).collect();
    ids.into_values().filter(|body| *body != BodyId::GROUND)
}

pub fn pendulum() -> Problem {
    let model = classics::pendulum();
    let observed = moving(&model).map(Observed::Position).collect();
    Problem::new(model, observed, 4.0)
}

pub fn stiff_double_pendulum() -> Problem {
    let model = classics::stiff_double_pendulum();
    let observed = moving(&model).flat_map(|b| [Observed::Position(b), Observed::Angle(b)]).collect();
    Problem::new(model, observed, 2.0)
}

/// Andrews' squeezer as the gallery has it; the angles of its seven bodies are observed.
pub fn squeezer() -> Result<Problem, ProblemError> {
    let text = include_str!("../../../../gallery/squeezer/model.toml");
    let document = cardan_io::model_file::load_str(text, "squeezer", Path::new("."), &[])
        .map_err(|problems| ProblemError::Gallery { name: "squeezer", reason: format!("{problems:?}") })?;
    let model = document.model;
    let observed = moving(&model).map(Observed::Angle).collect();
    Ok(Problem::new(model, observed, 0.03))
}
