//! What is known to be wrong: models, and the methods that fail on them. A run that is right must not be listed.

/// Models and methods.
pub const KNOWN_WRONG: &[(&str, &[&str])] = &[
    ("bump after a pause", &["defaults", "hht", "gen-alpha", "bdf", "radau", "dormand-prince", "local-linearization"]),
    ("pulse of a motion", &["defaults", "hht", "gen-alpha", "bdf", "radau", "local-linearization", "dormand-prince"]),
    ("push for 1 ms by STEP", &["defaults", "hht", "gen-alpha", "bdf", "radau", "dormand-prince", "local-linearization"]),
    ("governor", &["bdf"]),
    ("real-time pendulum", &["euler-explicit", "euler-half-explicit", "euler-linear-implicit"]),
    ("rocket", &["newmark", "hht", "gen-alpha", "bdf"]),
    ("wheel at 4000", &["bdf"]),
];
