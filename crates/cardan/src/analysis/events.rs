//! Events: instants where a function of the state crosses zero. How they are found is in `dynamics/locate.rs`.

pub use crate::model::Direction;
use crate::system::State;
use std::fmt;

type Function = dyn Fn(&State) -> f64 + Send + Sync;
type Action = dyn Fn(&mut State) + Send + Sync;

/// An event.
pub struct Event {
    /// Name.
    pub name: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether the run ends here.
    pub terminal: bool,
    function: Box<Function>,
    action: Option<Box<Action>>,
}

impl Event {
    /// At the zeros of a function of the state.
    pub fn new(name: &str, function: impl Fn(&State) -> f64 + Send + Sync + 'static) -> Self {
        Self { name: name.into(), direction: Direction::Any, terminal: false, function: Box::new(function), action: None }
    }

    /// Counts only crossings of this direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Ends the run.
    pub fn terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Changes the state at the event (a jump in velocity, say); it is then made consistent again.
    pub fn action(mut self, action: impl Fn(&mut State) + Send + Sync + 'static) -> Self {
        self.action = Some(Box::new(action));
        self
    }

    /// The function's value.
    pub fn value(&self, x: &State) -> f64 {
        (self.function)(x)
    }

    /// Applies the action; says whether there is one.
    pub fn act(&self, x: &mut State) -> bool {
        self.action.as_ref().map(|action| action(x)).is_some()
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("name", &self.name).field("direction", &self.direction).field("terminal", &self.terminal).finish()
    }
}
