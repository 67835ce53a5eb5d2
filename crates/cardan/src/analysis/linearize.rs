//! Linear equations of a model between inputs and outputs by name,
//!
//! ```text
//! ż = A z + B u,    y = C z + D u                                                                        (1)
//! ```
//!
//! with z the deviations of [`LinearDynamics`]. Outputs are sensors and blocks. Inputs are those of the model, or something added to a
//! variable, a block or a component of a force. Each output is a variable that is solved for, so that C and D are rows of the same linear
//! equations. Blocks are written out before.

use super::linear_dynamics::{LinearDynamics, Steadiness};
use crate::model::{Differential, Form, Model, ModelError};
use crate::system::{KktError, State, System};
use crate::units::Unit;
use nalgebra::DMatrix;
use thiserror::Error;

/// Why equations could not be linearised.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LinearizeError {
    /// The state cannot be made consistent, or a solve failed.
    #[error("the equations could not be linearised: {0}")]
    Solve(#[from] KktError),
    /// The model with its outputs is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// There is no input of this name.
    #[error(
        "there is no input, variable or force given by functions called '{name}'; there are {known}. A component of a force is FORCE.x"
    )]
    Input {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// There is no sensor of this name.
    #[error("there is no sensor called '{name}'; there are {known}")]
    Output {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Singular values or eigenvalues did not converge.
    #[error("the decomposition of the linear equations did not converge; are there masses or stiffnesses many orders of magnitude apart?")]
    Decomposition,
}

/// Linear equations between named inputs and outputs (1).
#[derive(Debug, Clone)]
pub struct LinearModel {
    /// A.
    pub a: DMatrix<f64>,
    /// B.
    pub b: DMatrix<f64>,
    /// C.
    pub c: DMatrix<f64>,
    /// D.
    pub d: DMatrix<f64>,
    /// What the entries of z are: positions and velocities are combinations of all bodies, differential states have their names.
    pub states: Vec<String>,
    /// The inputs.
    pub inputs: Vec<String>,
    /// The outputs, in the units of the sensors.
    pub outputs: Vec<String>,
    /// What the state is that the equations are linearised at.
    pub steadiness: Steadiness,
}

/// Linearises a model at a state of its system, from inputs to outputs by name.
pub fn linearize(model: &Model, at: &State, inputs: &[&str], outputs: &[&str]) -> Result<LinearModel, LinearizeError> {
    let lowered = model.lowered()?;
    let mut extended = lowered.clone().into_owned();
    let chosen = inputs.iter().map(|name| input(&mut extended, name)).collect::<Result<Vec<usize>, _>>()?;
    let units = outputs.iter().map(|name| output(&mut extended, name)).collect::<Result<Vec<f64>, _>>()?;
    let system = System::new(&extended)?;
    let dynamics = LinearDynamics::new(&system, &transplanted(&system, lowered.inputs().len(), at))?;
    let first = dynamics.c.nrows() - outputs.len();
    let mut below = dynamics.c.rows(first, outputs.len()).into_owned();
    let mut through = dynamics.d.rows(first, outputs.len()).select_columns(&chosen);
    for (k, unit) in units.iter().enumerate() {
        below.row_mut(k).unscale_mut(*unit);
        through.row_mut(k).unscale_mut(*unit);
    }
    let all: Vec<&str> = system.state_names().collect();
    let own = dynamics.states.iter().map(|k| all[*k].to_string());
    let named = |what: &'static str, count: usize| (1..=count).map(move |k| format!("{what} {k}"));
    Ok(LinearModel {
        b: dynamics.b.select_columns(&chosen),
        a: dynamics.a,
        c: below,
        d: through,
        states: named("position", dynamics.positions.ncols()).chain(named("velocity", dynamics.velocities)).chain(own).collect(),
        inputs: inputs.iter().map(|s| s.to_string()).collect(),
        outputs: outputs.iter().map(|s| s.to_string()).collect(),
        steadiness: dynamics.steadiness,
    })
}

/// The place of an input among those of the model.
fn input(model: &mut Model, name: &str) -> Result<usize, LinearizeError> {
    model.input_added_to(name).ok_or_else(|| {
        let inputs = model.inputs().iter().map(|i| &i.name).chain(model.variables().iter().map(|v| &v.name));
        LinearizeError::Input { name: name.into(), known: known(inputs.chain(model.expression_forces().iter().map(|f| &f.name))) }
    })
}

/// Makes a sensor a variable that is solved for, behind all others; its unit in SI.
fn output(model: &mut Model, name: &str) -> Result<f64, LinearizeError> {
    let Some(sensor) = model.sensors().iter().find(|s| s.name == name).cloned() else {
        return Err(LinearizeError::Output { name: name.into(), known: known(model.sensors().iter().map(|s| &s.name)) });
    };
    let variable = format!("sensor {name}");
    model.add_state(Differential { form: Form::Algebraic(variable.clone()), ..Differential::new(&variable, sensor.function, 0.0) });
    Ok(sensor.unit.and_then(|unit| Unit::parse(&unit).ok()).map_or(1.0, |unit| unit.factor))
}

fn known<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

/// A state of the model as one of the model with more inputs, which stand before what blocks hold, and more variables.
fn transplanted(system: &System, inputs: usize, at: &State) -> State {
    let mut x = system.initial().clone();
    x.t = at.t;
    x.q.copy_from_slice(&at.q);
    x.v.copy_from_slice(&at.v);
    x.x[..at.x.len()].copy_from_slice(&at.x);
    x.inputs[..inputs].copy_from_slice(&at.inputs[..inputs]);
    x.inputs[system.first_held()..].copy_from_slice(&at.inputs[inputs..]);
    x
}
