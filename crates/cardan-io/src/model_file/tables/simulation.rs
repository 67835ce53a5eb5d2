//! How a model is simulated: the table `[simulation]`, and the engine's simulation made from it.

use super::super::field::{Field, Name};
use super::super::item::Item;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::{table, unknown_word, words};
use cardan::analysis::{Record, Simulation, SimulationError, Start};
use cardan::integrators::{self, Constraints, Formulation, Iterations, Jacobian, Method, Norm, Options, Parameter, ProjectionMatrix};
use cardan::system::System;
use cardan::units::Dimension;
use std::sync::Arc;

table! {
    /// How a model is simulated. Everything may be left out.
    #[derive(Default)]
    pub struct Settings {
        /// End time.
        t_end: Option<f64> [TIME],
        /// Where the run starts; default `placed`.
        start: Option<Beginning>,
        /// Integration method; default `radau`.
        method: Option<MethodName>,
        /// α of the method `hht`; Baumgarte's α of the Euler methods, 1/s, default 1/step.
        alpha: Option<f64>,
        /// ρ of the method `gen-alpha`.
        rho: Option<f64>,
        /// ρ of the method `gen-alpha` for differential states; default `rho`.
        rho_states: Option<f64>,
        /// γ of the method `newmark`.
        gamma: Option<f64>,
        /// β of the method `newmark`; Baumgarte's β of the Euler methods, 1/s², default 1/step².
        beta: Option<f64>,
        /// Highest order of the method `bdf`, 1 to 5.
        max_order: Option<usize>,
        /// Which derivatives of forces the method `euler-linear-implicit` takes into account; default `symplectic`.
        jacobian: Option<Jacobian>,
        /// How the Euler methods meet constraints; default `ggl` (euler-half-explicit, and with `J1` to `marked`) or `projection`.
        constraints: Option<Constraints>,
        /// Steps of the projection of positions in the Euler methods; default 1.
        projections: Option<usize>,
        /// Where these methods take the matrix of projections; default `start`.
        projection_matrix: Option<ProjectionMatrix>,
        /// Violation of constraints at which these methods end a run, m or rad; default 1e-6 with projections, else 1e-2.
        largest_violation: Option<f64>,
        /// Order of the method `local-linearization`, 2 or 4; default 4, and 2 in the norm `paper`.
        order: Option<usize>,
        /// Step control of the method `local-linearization`; default `elementary`.
        control: Option<Control>,
        /// What the method `local-linearization` holds below the tolerance; default `step`.
        error: Option<ErrorPer>,
        /// Whether the method `local-linearization` keeps the constraints by projection; default `on`.
        projection: Option<Projection>,
        /// Tolerance of the error control; default 1e-5.
        tolerance: Option<f64>,
        /// Size of fixed steps, instead of error control.
        step: Option<f64> [TIME],
        /// What errors are held against; default `motion`.
        norm: Option<NormName>,
        /// Which form of the constraints is solved; default: the method's first choice.
        formulation: Option<Index>,
        /// Time between recorded samples; default: every step.
        output_interval: Option<f64> [TIME],
        /// First step of the error control; default: chosen.
        first_step: Option<f64> [TIME],
        /// Largest step of the error control; default: `output_interval`, if there is one; that of the run frees it.
        largest_step: Option<f64> [TIME],
        /// Steps in an impact that has all the kinetic energy; default 40, or 10 for methods of order 4 and more. 0 leaves impacts to error control.
        contact_steps: Option<f64>,
        /// Exactly so many Newton iterations a step; default: to convergence.
        newton_iterations: Option<usize>,
        /// Threads for large models; default 1. Results do not depend on it.
        threads: Option<usize>,
    }
}

words! {
    /// Which form of the constraints is solved.
    pub enum Index {
        /// Position constraints only.
        "index3" => Index3,
        /// Position and velocity constraints.
        "index2" => Index2,
        /// Constraints of accelerations, with projection.
        "index1" => Index1,
    }
}

words! {
    /// Where a run starts.
    pub enum Beginning {
        /// Where the model is placed.
        "placed" => Placed,
        /// Where it comes to rest from there, with the velocities that are given.
        "equilibrium" => Equilibrium,
    }
}

words! {
    /// What errors are held against.
    pub enum NormName {
        /// Sizes of the mechanism, also of velocities.
        "motion" => Motion,
        /// As in papers: 1 m and 1 rad or what is larger, positions and states only.
        "paper" => Paper,
    }
}

words! {
    /// How steps follow from errors.
    pub enum Control {
        /// From the last error.
        "elementary" => Elementary,
        /// From the last two errors.
        "pi" => ProportionalIntegral,
    }
}

words! {
    /// What is held below the tolerance.
    pub enum ErrorPer {
        /// The error of a step.
        "step" => Step,
        /// The error of a step by its size.
        "unit-step" => UnitStep,
    }
}

words! {
    /// Whether positions and velocities are brought back to the constraints after every step.
    pub enum Projection {
        /// They are.
        "on" => On,
        /// They may drift.
        "off" => Off,
    }
}

/// Words that the engine has for a choice.
macro_rules! words_of_the_engine {
    ($($Choice:ident),*) => {$(
        impl Field for $Choice {
            fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
                let name = Name::read(value, dimension, reader)?;
                Self::named(&name.text).or_else(|| unknown_word(reader, &name, Self::ALL.iter().map(|one| one.name())))
            }

            fn write(&self) -> Option<Item> {
                Some(Item::Text(self.name().into()))
            }

            fn schema(_: Dimension, _: &mut Defs) -> Json {
                let words: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                serde_json::json!({ "enum": words })
            }
        }
    )*};
}

words_of_the_engine!(Jacobian, Constraints, ProjectionMatrix);

/// A method that does not have a parameter.
pub(in super::super) fn missing(method: &str, parameter: &str) -> String {
    format!("the method '{method}' has no parameter '{parameter}'")
}

/// The name of an integration method of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodName(pub String);

impl Field for MethodName {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let name = Name::read(value, dimension, reader)?;
        let all = integrators::all();
        match all.iter().any(|m| m.name() == name.text) {
            true => Some(Self(name.text)),
            false => unknown_word(reader, &name, all.iter().map(|m| m.name())),
        }
    }

    fn write(&self) -> Option<Item> {
        self.0.write()
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        let names: Vec<&str> = integrators::all().iter().map(|m| m.name()).collect();
        serde_json::json!({ "enum": names })
    }
}

impl Settings {
    /// The engine's simulation of a system with these settings.
    pub fn simulation<'s>(&self, system: &'s System) -> Result<Simulation<'s>, SimulationError> {
        if let Some(mistake) = self.contradiction() {
            return Err(SimulationError::Settings(mistake.message));
        }
        let formulation = match self.formulation {
            Some(Index::Index3) => Formulation::Index3,
            Some(Index::Index2) => Formulation::Index2,
            Some(Index::Index1) => Formulation::Index1,
            None => Formulation::Default,
        };
        let iterations = self.newton_iterations.map_or(Iterations::Converged, Iterations::Fixed);
        let default = Options::default();
        let norm = match self.norm {
            Some(NormName::Paper) => Norm::Paper,
            Some(NormName::Motion) | None => Norm::Motion,
        };
        let options = Options { formulation, iterations, norm, threads: self.threads.unwrap_or(default.threads), ..default };
        let mut simulation = Simulation::new(system).shared_method(self.integrator()?).options(options);
        if let Some(h) = self.step {
            simulation = simulation.step(h);
        } else if let Some(tolerance) = self.tolerance {
            simulation = simulation.tolerance(tolerance);
        }
        if self.start == Some(Beginning::Equilibrium) {
            simulation = simulation.start(Start::Equilibrium);
        }
        if let Some(interval) = self.output_interval {
            simulation = simulation.record(Record::Interval(interval));
        }
        if let Some(h) = self.first_step {
            simulation = simulation.first_step(h);
        }
        if let Some(steps) = self.contact_steps {
            simulation = simulation.contact_steps(steps);
        }
        if let Some(h) = self.largest_step {
            simulation = simulation.largest_step(h);
        }
        Ok(simulation)
    }

    /// With another method; parameters that belong to the one before are dropped.
    pub fn with_method(mut self, name: &str) -> Self {
        if self.method.as_ref().is_none_or(|own| own.0 != name) {
            self.forget_parameters();
        }
        self.method = Some(MethodName(name.into()));
        self
    }

    /// The method with its parameters.
    pub fn integrator(&self) -> Result<Arc<dyn Method>, SimulationError> {
        let mut method = self.plain_method()?;
        for (parameter, value) in self.parameters() {
            let Some(value) = value else { continue };
            let without = || SimulationError::Settings(missing(method.name(), parameter));
            method = method.with(parameter, value).ok_or_else(without)?;
        }
        Ok(method)
    }

    /// The method with its default parameters.
    pub(in super::super) fn plain_method(&self) -> Result<Arc<dyn Method>, SimulationError> {
        let name = self.method.as_ref().map_or("radau", |m| m.0.as_str());
        let all = integrators::all();
        let known: Vec<&str> = all.iter().map(|m| m.name()).collect();
        let unknown = || SimulationError::Settings(format!("there is no method '{name}'; known: {}", known.join(", ")));
        all.iter().find(|m| m.name() == name).cloned().ok_or_else(unknown)
    }

    /// Parameters of methods, by name.
    pub(in super::super) fn parameters(&self) -> [(&'static str, Option<Parameter<'_>>); 15] {
        let number = |value: Option<f64>| value.map(Parameter::Number);
        let count = |value: Option<usize>| number(value.map(|k| k as f64));
        let word = |word: Option<&'static str>| word.map(Parameter::Word);
        [
            ("alpha", number(self.alpha)),
            ("rho", number(self.rho)),
            ("rho_states", number(self.rho_states)),
            ("gamma", number(self.gamma)),
            ("beta", number(self.beta)),
            ("max_order", count(self.max_order)),
            ("jacobian", word(self.jacobian.map(Jacobian::name))),
            ("constraints", word(self.constraints.map(Constraints::name))),
            ("projections", count(self.projections)),
            ("projection_matrix", word(self.projection_matrix.map(ProjectionMatrix::name))),
            ("largest_violation", number(self.largest_violation)),
            ("order", count(self.order)),
            ("control", word(self.control.map(Control::word))),
            ("error", word(self.error.map(ErrorPer::word))),
            ("projection", word(self.projection.map(Projection::word))),
        ]
    }

    /// Without any parameter of a method.
    pub(in super::super) fn forget_parameters(&mut self) {
        (self.alpha, self.rho, self.rho_states) = (None, None, None);
        (self.gamma, self.beta, self.max_order) = (None, None, None);
        (self.jacobian, self.constraints, self.projections, self.projection_matrix) = (None, None, None, None);
        self.largest_violation = None;
        (self.order, self.control, self.error, self.projection) = (None, None, None, None);
    }
}
