//! Events: instants where a function of the state crosses zero. How they are found is in `dynamics/locate.rs`.

pub use crate::model::Direction;
use crate::model::ModelEvent;
use crate::system::{Setting, State, System, Work};
use std::fmt;

type Function = dyn Fn(&State) -> f64 + Send + Sync;

/// What an event watches.
enum Watched {
    Function(Box<Function>),
    /// An event of the model, by its place there.
    Model(usize),
}

type Action = dyn Fn(&mut State) + Send + Sync;

/// An event.
///
/// ```
/// use cardan::prelude::*;
/// let mut model = Model::new("stone");
/// model.set_gravity([0.0, 0.0, -9.81]);
/// model.add_body(Body::point("stone", 1.0).at([0.0, 0.0, 2.0]));
/// let system = System::new(&model)?;
/// let stone = system.body("stone")?.clone();
/// let floor = Event::new("floor", move |x| stone.position(x).z).direction(Direction::Falling).terminal();
/// let results = Simulation::new(&system).event(floor).run(10.0)?;
/// assert!((results.events[0].t - (2.0_f64 * 2.0 / 9.81).sqrt()).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "an event has to be given to a simulation"]
pub struct Event {
    /// Name.
    pub name: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether the run ends here.
    pub terminal: bool,
    watched: Watched,
    action: Option<Box<Action>>,
}

impl Event {
    /// At the zeros of a function of the state.
    pub fn new(name: &str, function: impl Fn(&State) -> f64 + Send + Sync + 'static) -> Self {
        let watched = Watched::Function(Box::new(function));
        Self { name: name.into(), direction: Direction::Any, terminal: false, watched, action: None }
    }

    /// All events of the model of a system.
    pub(super) fn of_model(system: &System) -> Vec<Self> {
        let own = |(k, e): (usize, &ModelEvent)| Self {
            name: e.name.clone(),
            direction: e.direction,
            terminal: e.terminal,
            watched: Watched::Model(k),
            action: setting_all(system.event_settings(k)),
        };
        system.events().enumerate().map(own).collect()
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
    pub(super) fn value(&self, x: &State, system: &System, work: &mut Work) -> f64 {
        match &self.watched {
            Watched::Function(function) => function(x),
            Watched::Model(event) => system.event_value(*event, x, work),
        }
    }

    /// Why the function has no finite value, in a sentence.
    pub(super) fn fault(&self, x: &State, system: &System, work: &mut Work) -> String {
        let known = match &self.watched {
            Watched::Function(_) => None,
            Watched::Model(event) => system.event_fault(*event, x, work),
        };
        known.unwrap_or_else(|| format!("event '{}' gave a value that is not finite", self.name))
    }

    /// Whether it changes the motion.
    pub(super) fn acts(&self) -> bool {
        self.action.is_some()
    }

    /// Applies the action; says whether there is one.
    pub fn act(&self, x: &mut State) -> bool {
        self.action.as_ref().map(|action| action(x)).is_some()
    }
}

/// The action that sets all of these.
fn setting_all(settings: &[Setting]) -> Option<Box<Action>> {
    let settings = settings.to_vec();
    (!settings.is_empty()).then(|| -> Box<Action> { Box::new(move |x: &mut State| settings.iter().for_each(|s| s.apply(x))) })
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("name", &self.name).field("direction", &self.direction).field("terminal", &self.terminal).finish()
    }
}
