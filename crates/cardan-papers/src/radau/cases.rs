//! Reference solutions: models, and tables of what is known of them. The numbers were computed in two independent ways each (closed forms,
//! extended precision, other formulations). Columns of the tables are channels of the models; those that the models lack, such as
//! multipliers in the convention of a reference, are given by sensors.

/// A model and what is known of it.
pub struct Case {
    /// The reference file, and which problem of it.
    pub name: &'static str,
    /// The model file.
    pub model: &'static str,
    /// Sensors and events to add to the model.
    pub sensors: &'static str,
    /// Parameters in place of the model's.
    pub set: &'static [(&'static str, &'static str)],
    /// Parts of the model that are run one by one, and whose channels are added.
    pub parts: Parts,
    /// Tolerance of the runs.
    pub tolerance: f64,
    /// Comma-separated values: `time` and channels, one line an instant.
    pub samples: &'static str,
    /// Comma-separated values: `event` and `time`, in the order of the events.
    pub events: &'static str,
    /// Frequencies of small motions at the end, rad/s, from the lowest on.
    pub frequencies: &'static [f64],
}

/// What a run is made of.
#[derive(Clone, Copy)]
pub enum Parts {
    /// The whole model at once.
    Whole,
    /// So many modes that do not feel each other: one run each, with the parameters `first` and `last`.
    Modes(usize),
}

const PENDULUM: Case = Case {
    name: "pendulum.json",
    model: include_str!("../../../../gallery/pendulum/model.toml"),
    sensors: include_str!("data/pendulum.toml"),
    set: &[],
    parts: Parts::Whole,
    tolerance: 5e-14,
    samples: include_str!("data/pendulum.csv"),
    events: "",
    frequencies: &[],
};

const BARS: Case = Case {
    name: "stiff_double_pendulum.json, θ₁(0) = 2π",
    model: include_str!("../../../../gallery/stiff-double-pendulum/model.toml"),
    sensors: include_str!("data/stiff-double-pendulum.toml"),
    set: &[("theta1", "360 deg")],
    samples: include_str!("data/stiff-double-pendulum-2pi.csv"),
    ..PENDULUM
};

const MODEL_ONLY: Case = Case { sensors: "", ..PENDULUM };

const HEAVY_TOP: Case = Case {
    name: "tops.json, heavy top, −4.61538 rad/s",
    model: include_str!("../../../../gallery/heavy-top/model.toml"),
    sensors: include_str!("data/heavy-top.toml"),
    set: &[("precession", "-4.61538 rad/s")],
    samples: include_str!("data/heavy-top.csv"),
    events: include_str!("data/heavy-top-events.csv"),
    ..PENDULUM
};

const FREE_TOP: Case = Case { model: include_str!("../models/free-top.toml"), sensors: include_str!("data/free-top.toml"), ..PENDULUM };
const CANTILEVER: Case = Case { model: include_str!("../models/cantilever.toml"), tolerance: 2e-13, ..MODEL_ONLY };
const SPIN_UP: Case = Case { model: include_str!("../models/spin-up-beam.toml"), tolerance: 1e-12, ..MODEL_ONLY };

/// All problems.
pub const CASES: &[Case] = &[
    PENDULUM,
    BARS,
    Case {
        name: "stiff_double_pendulum.json, θ₁(0) = 0",
        set: &[("theta1", "0")],
        samples: include_str!("data/stiff-double-pendulum-0.csv"),
        ..BARS
    },
    Case {
        name: "circular_track.json",
        model: include_str!("../models/circular-track.toml"),
        sensors: include_str!("data/circular-track.toml"),
        samples: include_str!("data/circular-track.csv"),
        ..PENDULUM
    },
    Case {
        name: "car_axle.json",
        model: include_str!("../../../../gallery/car-axle/model.toml"),
        sensors: include_str!("data/car-axle.toml"),
        samples: include_str!("data/car-axle.csv"),
        ..PENDULUM
    },
    Case {
        name: "controlled_spring_mass.json",
        model: include_str!("../models/controlled-mass.toml"),
        samples: include_str!("data/controlled-mass.csv"),
        ..MODEL_ONLY
    },
    Case {
        name: "local_linearization.json, equation (35)",
        model: include_str!("../models/equation-35.toml"),
        samples: include_str!("data/equation-35.csv"),
        ..MODEL_ONLY
    },
    Case {
        name: "local_linearization.json, stiff double pendulum",
        model: include_str!("../models/stiff-rods.toml"),
        sensors: include_str!("data/stiff-rods.toml"),
        samples: include_str!("data/stiff-rods.csv"),
        tolerance: 2e-13,
        ..PENDULUM
    },
    Case {
        name: "local_linearization.json, bouncing balls",
        model: include_str!("../models/bouncing-balls.toml"),
        sensors: include_str!("data/bouncing-balls.toml"),
        samples: include_str!("data/bouncing-balls.csv"),
        events: include_str!("data/bouncing-balls-events.csv"),
        ..PENDULUM
    },
    HEAVY_TOP,
    Case {
        name: "tops.json, heavy top, −60/13 rad/s",
        set: &[("precession", "-4.615384615384615 rad/s")],
        samples: include_str!("data/heavy-top-vertical.csv"),
        events: include_str!("data/heavy-top-vertical-events.csv"),
        ..HEAVY_TOP
    },
    Case {
        name: "tops.json, free top about its middle axis",
        set: &[("jx", "1"), ("jy", "2"), ("jz", "3"), ("wx", "0.01"), ("wy", "2.0"), ("wz", "0.01")],
        samples: include_str!("data/free-top-middle.csv"),
        ..FREE_TOP
    },
    Case {
        name: "tops.json, free top",
        set: &[("jx", "1"), ("jy", "2"), ("jz", "3"), ("wx", "0.5"), ("wy", "1.5"), ("wz", "-0.7")],
        samples: include_str!("data/free-top.csv"),
        ..FREE_TOP
    },
    Case {
        name: "tops.json, free symmetric top",
        set: &[("jx", "2"), ("jy", "2"), ("jz", "1"), ("wx", "1.0"), ("wy", "0.5"), ("wz", "3.0")],
        samples: include_str!("data/free-top-symmetric.csv"),
        ..FREE_TOP
    },
    Case {
        name: "beam.json, cantilever, first mode",
        set: &[("first", "1"), ("last", "1")],
        samples: include_str!("data/cantilever-1.csv"),
        ..CANTILEVER
    },
    Case {
        name: "beam.json, cantilever, 5 modes",
        set: &[("first", "1"), ("last", "5")],
        samples: include_str!("data/cantilever-5.csv"),
        frequencies: &[52.497055901157715, 328.99343350045797, 921.1911401611882, 1805.1669747903136, 2984.0703534250006],
        ..CANTILEVER
    },
    Case {
        name: "beam.json, cantilever, 200 modes",
        parts: Parts::Modes(200),
        samples: include_str!("data/cantilever-200.csv"),
        ..CANTILEVER
    },
    Case { name: "beam.json, beam spun up, 4 modes", set: &[("n", "4")], samples: include_str!("data/spin-up-beam-4.csv"), ..SPIN_UP },
    Case { name: "beam.json, beam spun up, 6 modes", set: &[("n", "6")], samples: include_str!("data/spin-up-beam-6.csv"), ..SPIN_UP },
    Case {
        name: "beam.json, beam spun up, 8 modes",
        set: &[("n", "8")],
        samples: include_str!("data/spin-up-beam-8.csv"),
        frequencies: &[4.512605351579656, 27.63481768674246, 71.03245721330178, 135.32307938805047],
        ..SPIN_UP
    },
    Case {
        name: "beam.json, steady stretch of the beam",
        model: include_str!("../models/stretched-beam.toml"),
        samples: include_str!("data/stretched-beam.csv"),
        ..MODEL_ONLY
    },
];
