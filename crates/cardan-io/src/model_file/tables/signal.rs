//! Variables, differential states, inputs, splines, sensors and events.

use super::super::field::{Function, Name};
use super::super::table::{table, words};

table! {
    /// A quantity computed during the run.
    pub struct Variable {
        /// Its value.
        function: Function,
    }
}

table! {
    /// A state with a differential equation of its own.
    pub struct Differential {
        /// Its rate.
        function: Function,
        /// Its value at the start, in SI units; default: 0.
        initial: Option<f64>,
    }
}

table! {
    /// A number that is set from outside between the steps of a real-time run.
    pub struct Input {
        /// Its value until it is set, in SI units; default: 0.
        initial: Option<f64>,
    }
}

words! {
    /// How a table of points goes on beyond its ends.
    pub enum Extrapolation {
        /// Straight on.
        "linear" => Linear,
        /// With the value at the end.
        "constant" => Constant,
    }
}

table! {
    /// A table of points, given here or in a file.
    pub struct Spline {
        /// The abscissae, increasing.
        x: Vec<f64>,
        /// The values.
        y: Vec<f64>,
        /// A file of columns separated by commas, relative to the model file.
        file: Option<Name>,
        /// The columns of the file to take for x and y; default `x` and `y`.
        columns: Option<[Name; 2]>,
        /// Beyond the ends; default: linear.
        extrapolate: Option<Extrapolation>,
    }
}

table! {
    /// A quantity to be recorded.
    pub struct Sensor {
        /// Its value.
        function: Function,
        /// Its unit; default: worked out from the function.
        unit: Option<Name>,
    }
}

words! {
    /// Which crossings of zero count.
    pub enum Crossing {
        /// From negative to positive.
        "rising" => Rising,
        /// From positive to negative.
        "falling" => Falling,
        /// Both.
        "any" => Any,
    }
}

words! {
    /// What happens at an event.
    pub enum Then {
        /// It is recorded.
        "record" => Record,
        /// The run ends.
        "stop" => Stop,
    }
}

table! {
    /// Instants where a function crosses zero.
    pub struct Event {
        /// The function.
        function: Function,
        /// Which crossings count; default: any.
        direction: Option<Crossing>,
        /// What happens; default: it is recorded.
        action: Option<Then>,
    }
}
