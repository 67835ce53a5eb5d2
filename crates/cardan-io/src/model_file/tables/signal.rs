//! Variables, arrays, differential states, inputs, splines, sensors and events.

use super::super::field::{Function, Name, Quantity};
use super::super::table::{kinds, table, words};

table! {
    /// A quantity computed during the run.
    pub struct Variable {
        /// Its value.
        function: Function,
        /// It is an unknown that is solved for, so that its function may read it; default: only in loops of variables.
        implicit: Option<bool>,
        /// Where the search for it starts, in SI units; default: 0. Only with `implicit`.
        initial: Option<f64>,
    }
}

table! {
    /// A list of numbers or functions, of which ARYVAL(name, k) reads one.
    pub struct Array {
        /// Constants, in SI units.
        values: Vec<f64>,
        /// Functions, instead of constants.
        functions: Vec<Function>,
    }
}

table! {
    /// A state with a differential equation of its own.
    pub struct Differential {
        /// Its rate.
        function: Option<Function>,
        /// What is held at zero, instead of a rate: it reads the rate as DIF1.
        equation: Option<Function>,
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
        /// The abscissae, increasing; all with a unit, or plain numbers in SI units.
        x: Vec<Quantity>,
        /// The values; all with a unit, or plain numbers in SI units.
        y: Vec<Quantity>,
        /// A file of columns separated by commas, relative to the model file.
        file: Option<Name>,
        /// The columns of the file to take for x and y; default `x` and `y`.
        columns: Option<[Name; 2]>,
        /// Beyond the ends; default: linear.
        extrapolate: Option<Extrapolation>,
    }
}

table! {
    /// Any function.
    pub struct Reading {
        /// Its value.
        function: Function,
    }
}

words! {
    /// A component of a vector.
    pub enum Component {
        /// Along x.
        "x" => X,
        /// Along y.
        "y" => Y,
        /// Along z.
        "z" => Z,
        /// Its size.
        "size" => Size,
    }
}

table! {
    /// The motion of a marker as seen from another.
    pub struct Measured {
        /// The marker that carries the sensor.
        of: Name,
        /// The marker it is seen from, and in whose axes; default: the ground.
        from: Option<Name>,
        /// Which component; default: z.
        component: Option<Component>,
    }
}

table! {
    /// What a joint, constraint or force exerts on its marker i.
    pub struct Load {
        /// The joint, constraint or force.
        of: Name,
        /// The marker in whose axes; default: the ground.
        axes: Option<Name>,
        /// Which component; default: z.
        component: Option<Component>,
    }
}

kinds! {
    /// What a sensor measures.
    pub enum SensorKind default "function" {
        /// Any function.
        "function" => Function(Reading),
        /// Position of a marker.
        "position" => Position(Measured),
        /// Velocity of a marker.
        "velocity" => Velocity(Measured),
        /// Acceleration of a marker.
        "acceleration" => Acceleration(Measured),
        /// Angle of a marker about an axis, turns counted.
        "angle" => Angle(Measured),
        /// Angular velocity of a marker.
        "angular-velocity" => AngularVelocity(Measured),
        /// Distance of a marker.
        "distance" => Distance(Measured),
        /// Force of an element.
        "force" => Force(Load),
        /// Torque of an element.
        "torque" => Torque(Load),
    }
}

table! {
    /// A quantity to be recorded, or measured for a controller.
    pub struct Sensor {
        .. /// What it measures.
        kind: SensorKind,
        /// Its unit; default: worked out from what it measures.
        unit: Option<Name>,
        /// A constant that is added, in SI units; default: 0.
        bias: Option<f64>,
        /// Standard deviation of noise, in SI units; default: 0.
        noise: Option<f64>,
        /// Seed of the noise; default: 0.
        seed: Option<usize>,
        /// It is sampled at multiples of this time and held in between; default: it is continuous.
        sample_time: Option<f64> [TIME],
        /// The time of its first sample; default: 0.
        offset: Option<f64> [TIME],
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
