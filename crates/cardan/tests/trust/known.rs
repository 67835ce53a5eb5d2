//! What is known to be wrong: models, and the methods that fail on them. A run that is right must not be listed.

/// Models and methods.
pub const KNOWN_WRONG: &[(&str, &[&str])] = &[];
