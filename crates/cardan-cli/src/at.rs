//! The state that a model is linearised at.

use crate::args::not_negative;
use crate::exit::{Code, Failure};
use crate::output;
use cardan::analysis::{Record, StaticsError, Steadiness, assemble, equilibrium};
use cardan::system::{State, System};
use cardan_io::model_file::Document;
use clap::Args;

/// Where to linearise: at the start, unless something else is asked for.
#[derive(Debug, Args)]
pub struct AtArgs {
    /// Where the mechanism comes to rest
    #[arg(long, conflicts_with = "at")]
    pub equilibrium: bool,
    /// At this time of a run, s
    #[arg(long, value_name = "TIME", value_parser = not_negative, allow_negative_numbers = true)]
    pub at: Option<f64>,
}

impl AtArgs {
    /// Finds the state.
    pub fn state(&self, document: &Document, system: &System) -> Result<State, Failure> {
        match self.at {
            Some(t) if t > 0.0 => {
                let failed = |error: &dyn std::fmt::Display| Failure::new(Code::Integration, error);
                let simulation = document.simulation.simulation(system).map_err(|error| failed(&error))?.record(Record::Ends);
                let results = simulation.run(t).map_err(|error| failed(&error))?;
                results.last().cloned().ok_or_else(|| failed(&"the run recorded nothing"))
            }
            _ if self.equilibrium => equilibrium(system).map(|found| found.state).map_err(|error| unbalanced(&error)),
            _ => assemble(system).map(|assembly| assembly.state).map_err(|error| Failure::new(Code::Assembly, error)),
        }
    }
}

/// The failure of a search for an equilibrium.
pub fn unbalanced(error: &StaticsError) -> Failure {
    let code = if matches!(error, StaticsError::Assembly(_)) { Code::Assembly } else { Code::Integration };
    Failure::new(code, error)
}

/// What a state is, in words.
pub fn words(steadiness: &Steadiness) -> String {
    match steadiness {
        Steadiness::Equilibrium => "at an equilibrium".into(),
        Steadiness::SteadyMotion => "about a steady motion".into(),
        Steadiness::Unsteady { acceleration, of } => format!(
            "NOT at an equilibrium: '{of}' accelerates or changes by {} (SI units), as bodies do that go round in circles, and the linear \
             equations hold for a moment only; --equilibrium linearises where the mechanism rests",
            output::number(*acceleration)
        ),
    }
}
