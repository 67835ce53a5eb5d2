//! What is wrong with the settings of `[simulation]`, each mistake with its key. The limits are those of the engine: numbers are judged
//! when a file is read, with an empty model in place of the one to come; what must go together, when the command line has had its say.

use super::tables::{Settings, missing};
use cardan::analysis::{Mistake, SimulationError};
use cardan::model::Model;
use cardan::system::System;

impl Settings {
    /// Values that make no sense whatever the model is, and those that contradict each other.
    pub fn wrong_values(&self) -> Vec<Mistake> {
        let mut all: Vec<Mistake> = self.contradiction().into_iter().chain(self.wrong_parameters()).collect();
        let Ok(empty) = System::new(&Model::new("")) else { return all };
        // Without an end time no step is too small for it.
        let t_end = self.t_end.unwrap_or(f64::MIN_POSITIVE);
        let mut plain = self.clone();
        plain.forget_parameters();
        let kinds = [Self { tolerance: None, ..plain.clone() }, Self { step: None, ..plain }];
        for simulation in kinds.iter().filter_map(|settings| settings.simulation(&empty).ok()) {
            all.extend(simulation.wrong_values(t_end).into_iter().filter(|m| m.setting != "method"));
        }
        all.sort_by_key(|m| m.setting);
        all.dedup();
        all
    }

    /// Settings that do not go together, or not with a model.
    pub fn wrong_together(&self, system: &System) -> Vec<Mistake> {
        match self.simulation(system) {
            Ok(simulation) => simulation.wrong_together(),
            Err(SimulationError::Settings(text)) => vec![Mistake::new("method", text)],
            Err(error) => vec![Mistake::new("method", error.to_string())],
        }
    }

    /// Both ways to choose steps at once.
    pub(super) fn contradiction(&self) -> Option<Mistake> {
        let text = "give either a tolerance (error control) or a step (fixed steps), not both";
        (self.step.is_some() && self.tolerance.is_some()).then(|| Mistake::new("step", text))
    }

    /// Parameters that the method does not have, or that it cannot work with.
    fn wrong_parameters(&self) -> Vec<Mistake> {
        let Ok(method) = self.plain_method() else { return Vec::new() };
        let given = || self.parameters().into_iter().filter_map(|(name, value)| Some((name, value?)));
        let foreign = given().filter(|(name, value)| method.with(name, *value).is_none()).map(|(name, _)| name);
        let foreign: Vec<Mistake> = foreign.map(|name| Mistake::new(name, missing(method.name(), name))).collect();
        if !foreign.is_empty() {
            return foreign;
        }
        let Some(message) = self.integrator().ok().and_then(|whole| whole.mistake()) else { return Vec::new() };
        // The one that is wrong alone in the same way; else the last that is wrong alone; else how they go together.
        let alone: Vec<(&str, String)> = given().filter_map(|(name, value)| Some((name, method.with(name, value)?.mistake()?))).collect();
        let culprit = alone.iter().find(|(_, text)| *text == message).or(alone.last()).map_or("method", |(name, _)| name);
        vec![Mistake { setting: self.key(culprit), message }]
    }

    /// A parameter's key.
    fn key(&self, name: &str) -> &'static str {
        self.parameters().into_iter().map(|(key, _)| key).find(|key| *key == name).unwrap_or("method")
    }
}
