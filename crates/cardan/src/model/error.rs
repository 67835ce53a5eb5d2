//! What can be wrong with a model before it is assembled.

use thiserror::Error;

/// A mistake in a model.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// A body's data make no sense.
    #[error("body '{body}': {mistake}")]
    Body {
        /// The body.
        body: String,
        /// What is wrong.
        mistake: String,
    },
    /// A marker's data are not finite.
    #[error("marker '{marker}': its position or orientation is not finite")]
    Marker {
        /// The marker.
        marker: String,
    },
    /// A joint's data make no sense.
    #[error("constraint '{joint}': {mistake}")]
    Joint {
        /// The joint or constraint.
        joint: String,
        /// What is wrong.
        mistake: String,
    },
    /// A force's data make no sense.
    #[error("force '{force}': {mistake}")]
    Force {
        /// The force.
        force: String,
        /// What is wrong.
        mistake: String,
    },
    /// The initial value of a differential state is not finite.
    #[error("state '{state}': its initial value is {initial}, it must be finite")]
    State {
        /// The state.
        state: String,
        /// Its initial value.
        initial: f64,
    },
    /// A sensor's data make no sense.
    #[error("sensor '{sensor}': {mistake}")]
    Sensor {
        /// The sensor.
        sensor: String,
        /// What is wrong.
        mistake: String,
    },
    /// A block's data make no sense.
    #[error("block '{block}': {mistake}")]
    Block {
        /// The block.
        block: String,
        /// What is wrong.
        mistake: String,
    },
    /// An array has no elements, or some that are not finite.
    #[error("array '{array}' needs elements, and they must be finite")]
    Array {
        /// The array.
        array: String,
    },
    /// The initial value of an input is not finite.
    #[error("input '{input}': its initial value is {initial}, it must be finite")]
    Input {
        /// The input.
        input: String,
        /// Its initial value.
        initial: f64,
    },
    /// Two elements of one sort share a name.
    #[error("there are two {what} elements called '{name}'; give each its own name")]
    DuplicateName {
        /// Body, constraint or force.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// An expression is wrong.
    #[error("{0}")]
    Expression(Box<super::ExpressionProblem>),
    /// A handle belongs to another model.
    #[error("'{element}' refers to a body, marker or joint that is not in this model; was its handle made by another one?")]
    ForeignHandle {
        /// The element with the handle.
        element: String,
    },
    /// A row can never change, and is not zero.
    #[error(
        "constraint '{joint}' ({direction}) can never be met: the bodies cannot move that way and it is off by {offset:.3e}; \
         check the markers' positions and orientations"
    )]
    NeverMet {
        /// The joint or constraint.
        joint: String,
        /// The row's direction.
        direction: String,
        /// How far off it is.
        offset: f64,
    },
    /// A constraint does not act on any moving body.
    #[error("constraint '{joint}' acts on nothing: both markers are on the ground or on the same body")]
    ActsOnNothing {
        /// The joint or constraint.
        joint: String,
    },
}
