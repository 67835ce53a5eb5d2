//! What to tell the user about a failed run: the likely mistake in the model, and three things to try, the most useful first.

use super::simulation_error::SimulationError;
use crate::integrators::StepError;

/// How the failed step was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// Of a given size.
    Fixed,
    /// By error control, which made it as small as it may be.
    Controlled,
}

const DEAD_CENTRE: &str =
    "look at the mechanism there: at a dead centre, or with near-redundant joints, start or drive it a little differently";
const FRICTION: &str = "raise the transition speed of friction, or soften stiff springs and contacts, by a factor of ten";
const INDEX2: &str = "use the index-2 formulation, or a method with more numerical damping (hht with alpha = -0.3)";

impl SimulationError {
    /// What is probably wrong with the model.
    pub fn likely_mistake(&self) -> &'static str {
        match self {
            SimulationError::Settings(_) => "the settings of the simulation",
            SimulationError::Assembly(_) => "joints that do not fit together as the bodies are placed",
            SimulationError::Equilibrium(_) => "something that nothing holds in place, or that lies on nothing",
            SimulationError::Start { .. } => "constraints that block the same motion, or a body without inertia in a direction it can move",
            SimulationError::Step { error, .. } => error.likely_mistake(),
            SimulationError::TooSmall { .. } => {
                "a force, motion or spline that jumps, friction that switches within the smallest step, or a dead centre"
            }
            SimulationError::Energy { .. } => {
                "steps that are too long for a stiff or jumping force, or a mechanism that passes a singular configuration"
            }
            SimulationError::EnergyLost { .. } => "a tolerance too loose for oscillations that go on for long, or for a stiff contact",
            SimulationError::Accumulation { .. } => "an event that brings the model back to where it happens again",
        }
    }

    /// Three things to try, the most useful first.
    pub fn hints(&self) -> [&'static str; 3] {
        match self {
            SimulationError::Settings(_) => [
                "give an end time and either a tolerance (1e-3 to 1e-9) or a step that is small against the fastest motion",
                "keep the method's parameters within the limits that the message gives",
                "leave the settings out: radau with a tolerance of 1e-5 suits most models",
            ],
            SimulationError::Assembly(_) => [
                "check lengths, marker positions and prescribed motions of the joints that are named",
                "place the bodies nearer to where they belong: assembly moves them as little as it can",
                "take one of the named joints out and look at how far apart its markers stay",
            ],
            SimulationError::Equilibrium(_) => [
                "run `cardan statics`, which names what moves on and on, and hold it by a spring, a joint or ground contact",
                "place the bodies nearer to where they rest",
                "start where the model is placed, and let it come to rest in the run",
            ],
            SimulationError::Start { .. } => {
                ["remove constraints that block what others block already", "give every moving body mass and inertia", DEAD_CENTRE]
            }
            SimulationError::Step { error, steps, .. } => error.hints(*steps),
            SimulationError::TooSmall { .. } => [
                "look for a jump in a force, motion or spline at that time, and smooth it (STEP instead of IF)",
                DEAD_CENTRE,
                "loosen the tolerance, or run with fixed steps over that instant",
            ],
            SimulationError::Energy { steps, .. } => runaway(*steps),
            SimulationError::EnergyLost { .. } => [
                "tighten the tolerance by a factor of a hundred, and see whether the motion stays the same",
                "give stiff parts the damping that they really have: where it is booked as work of a damper, energy may go",
                "take a fixed step, if numerical damping is meant",
            ],
            SimulationError::Accumulation { .. } => [
                "end the run at the event, or hold the body there once it is slow enough",
                "let the event lose less speed each time, or count only one direction",
                "replace the event by a stiff spring and damper that acts on contact",
            ],
        }
    }
}

/// What to try where energy comes out of nothing.
pub(super) fn runaway(steps: Steps) -> [&'static str; 3] {
    let smaller = match steps {
        Steps::Fixed => "take smaller steps, or a tolerance instead of steps of a given size",
        Steps::Controlled => "tighten the tolerance by a factor of a hundred, and see whether the motion stays the same",
    };
    [smaller, DEAD_CENTRE, INDEX2]
}

impl StepError {
    /// What is probably wrong with the model.
    fn likely_mistake(&self) -> &'static str {
        match self {
            StepError::NotConverged { .. } => {
                "a force that jumps or is very stiff on that element, a tiny mass or inertia, or a mechanism driven through a dead centre"
            }
            StepError::Violated { .. } => {
                "a mechanism that passes a singular configuration (links in line, a dead centre), or a motion that jumps"
            }
            StepError::Singular { .. } => "constraints that block the same motion, at least in the configuration reached",
            StepError::Undetermined { .. } => "a feedback without dynamics whose gain is 1, or an equation without the rate it is to give",
            StepError::Jumps { .. } => "a motion with a jump: IF, MOD or a table where a smooth function is meant",
            StepError::TurnsTooFar { .. } | StepError::TurnsLost { .. } => "a step that is large against the speed of rotation",
            StepError::TooFast { .. } => "a motion, a contact or an unstable controller that changes within one step",
            StepError::NotFinite { .. } => "a division by zero, or a root or logarithm of a negative number",
        }
    }

    pub(super) fn hints(&self, steps: Steps) -> [&'static str; 3] {
        match (self, steps) {
            (StepError::NotConverged { .. }, Steps::Fixed) => {
                ["try a smaller step or error control, and radau at a dead centre", INDEX2, DEAD_CENTRE]
            }
            (StepError::NotConverged { equation, .. }, Steps::Controlled) if equation.starts_with("the constraint") => [
                DEAD_CENTRE,
                "use radau, which passes singular configurations",
                "look for a jump in a motion at that time, and smooth it (STEP instead of IF)",
            ],
            (StepError::NotConverged { .. }, Steps::Controlled) => [
                "look for a jump in a force or a motion there, and smooth it; a tighter tolerance steps into it more gently",
                DEAD_CENTRE,
                FRICTION,
            ],
            (StepError::Violated { .. }, _) => [
                "use radau, which passes singular configurations, or a smaller step or tighter tolerance",
                DEAD_CENTRE,
                "look for a jump in a motion at that time, and smooth it (STEP instead of IF)",
            ],
            (StepError::Singular { .. }, _) => ["check for redundant joints (`cardan check`) and remove them", DEAD_CENTRE, INDEX2],
            (StepError::Undetermined { .. }, _) => [
                "put a filter or an actuator of first order into the loop, as the real one has",
                "check the signs of the loop: a feedback that should be negative has a gain below 0",
                "check that the equation reads DIF1 of its state",
            ],
            (StepError::Jumps { .. }, _) => [
                "let the motion go over smoothly: STEP or STEP5 instead of IF or a jump in a table",
                "prescribe the velocity instead of the position, if a sudden change of speed is meant",
                "drive it by a force and a controller, if it has to follow a jump as well as it can",
            ],
            (StepError::TurnsTooFar { .. }, _) => [
                "take a step in which that body turns by less than 3 rad",
                "use a tolerance instead of a fixed step: error control bounds the rotation of a step",
                "use a method that follows any rotation in a step (hht, gen-alpha, newmark)",
            ],
            (StepError::TurnsLost { .. }, _) => [
                "take a smaller step: this error falls with its third power",
                "use a tolerance instead of a fixed step: error control bounds the rotation of a step",
                "leave out sensors of that angle (AZ), if nothing else counts its turns",
            ],
            (StepError::TooFast { .. }, _) => [
                "take the shorter step, or more projections",
                "a method with error control, where no clock has to be kept",
                "softer springs and contacts, or more damping, where they only stand for something rigid",
            ],
            (StepError::NotFinite { .. }, _) => [
                "check that function: a division by zero, a root or logarithm of a negative number?",
                "bound what goes into it (MAX, MIN, ABS), also where the motion does not go: Newton's method may try it",
                "take smaller steps or a tighter tolerance, so that trial points stay near the motion",
            ],
        }
    }
}
