//! What contacts did in a run, one by one.

/// What a force between changing pairs, such as a contact, did in a run. All of it is taken at the ends of steps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactRecord {
    /// The contact's name.
    pub name: String,
    /// How many touches began.
    pub touches: usize,
    /// When the first one was there, s.
    pub first: Option<f64>,
    /// The largest sum of the normal forces of two shapes, N.
    pub peak: f64,
    /// When that was, s.
    pub peak_time: f64,
    /// The integral of the sum of all normal forces over time, N s.
    pub impulse: f64,
    /// The energy that damping and friction took, J.
    pub lost: f64,
    /// Steps that it shortened before they were tried.
    pub capped: usize,
    /// Steps made again because of it: something was struck too deep, or shapes could have passed through each other.
    pub rejected: usize,
}
