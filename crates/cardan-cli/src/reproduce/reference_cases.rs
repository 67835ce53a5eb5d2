//! Reference solutions: models, and numbers of them that were computed in two independent ways each (closed forms, extended precision, other
//! formulations), to 13 digits and more.

/// A model and what is known of it at the end of a run.
pub struct Case {
    /// The reference file, and which problem of it.
    pub name: &'static str,
    /// The model file.
    pub model: &'static str,
    /// Parameters in place of the model's.
    pub set: &'static [(&'static str, &'static str)],
    /// End of the run, s.
    pub t_end: f64,
    /// Channels and their values at the end.
    pub values: &'static [(&'static str, f64)],
}

/// All problems that rigid bodies can express.
pub const CASES: &[Case] = &[
    Case {
        name: "pendulum.json",
        model: include_str!("../../../../gallery/pendulum/model.toml"),
        set: &[],
        t_end: 4.0,
        values: &[
            ("bob.position.x", 0.6185801137750822),
            ("bob.position.y", -0.7857217337213006),
            ("bob.velocity.x", 1.8603296423332882),
            ("bob.velocity.y", 1.4645934717415676),
        ],
    },
    Case {
        name: "stiff_double_pendulum.json, θ₁(0) = 2π",
        model: include_str!("../../../../gallery/stiff-double-pendulum/model.toml"),
        set: &[("theta1", "360 deg")],
        t_end: 2.0,
        values: &[
            ("upper.angle", 4.640478183221331),
            ("lower.angle", 4.640496701688532),
            ("upper.angular_velocity.z", -1.6298924540837665),
            ("lower.angular_velocity.z", -1.6302527153802555),
        ],
    },
    Case {
        name: "stiff_double_pendulum.json, θ₁(0) = 0",
        model: include_str!("../../../../gallery/stiff-double-pendulum/model.toml"),
        set: &[("theta1", "0")],
        t_end: 2.0,
        values: &[
            ("upper.angle", 5.120369590159002),
            ("lower.angle", 5.120433001946562),
            ("upper.angular_velocity.z", 1.745465099230539),
            ("lower.angular_velocity.z", 1.7459844107573),
        ],
    },
    Case {
        name: "circular_track.json",
        model: include_str!("../../../../gallery/circular-track/model.toml"),
        set: &[],
        t_end: 10.0,
        values: &[
            ("car.position.x", -0.8393184277974401),
            ("car.position.y", -0.5436401169520451),
            ("car.velocity.x", 0.5438622479601763),
            ("car.velocity.y", -0.8396613727764735),
            ("lag", 0.0004539992976248485),
        ],
    },
    Case {
        name: "car_axle.json",
        model: include_str!("../../../../gallery/car-axle/model.toml"),
        set: &[],
        t_end: 3.0,
        values: &[
            ("left.position.x", 0.04934557842752407),
            ("left.position.y", 0.4969894602300079),
            ("right.position.x", 1.0417425248854262),
            ("right.position.y", 0.37391102726536557),
            ("left.velocity.x", -0.07705836840359144),
            ("left.velocity.y", 0.007446866592074526),
            ("right.velocity.x", 0.017556815753542378),
            ("right.velocity.y", 0.7703410437796069),
        ],
    },
    Case {
        name: "controlled_spring_mass.json",
        model: include_str!("models/controlled-mass.toml"),
        set: &[],
        t_end: 20.0,
        values: &[("mass.position.x", -0.10889184542209239), ("mass.velocity.x", 0.012641312917356571), ("command", -0.11054538094908392)],
    },
    Case {
        name: "local_linearization.json, equation (35)",
        model: include_str!("models/equation-35.toml"),
        set: &[],
        t_end: 1.0,
        values: &[("x1", 0.6878675264444326), ("x2", 0.7258362529270758)],
    },
    Case {
        name: "local_linearization.json, stiff double pendulum",
        model: include_str!("models/stiff-rods.toml"),
        set: &[],
        t_end: 2.0,
        values: &[
            ("upper.angle", -1.7693728188675728),
            ("lower.angle", -1.772017073375009),
            ("upper.angular_velocity.z", -0.8200458203087794),
            ("lower.angular_velocity.z", 13.976407570462712),
        ],
    },
    Case {
        name: "local_linearization.json, bouncing balls",
        model: include_str!("models/bouncing-balls.toml"),
        set: &[],
        t_end: 3.0,
        values: &[
            ("high.position.y", 0.33464907907383007),
            ("low.position.y", 0.10106836786671113),
            ("high.velocity.y", -4.072892670755727),
            ("low.velocity.y", 5.807130873635522),
        ],
    },
    Case {
        name: "tops.json, heavy top, −4.61538 rad/s",
        model: include_str!("../../../../gallery/heavy-top/model.toml"),
        set: &[("precession", "-4.61538 rad/s")],
        t_end: 2.0,
        values: &[
            ("top.position.x", -0.15041682274564178),
            ("top.position.y", -0.7241655916368961),
            ("top.position.z", -0.6730222695604435),
            ("top.orientation.w", 0.12294713504153319),
            ("top.orientation.x", -0.4910798925500269),
            ("top.orientation.y", 0.3504300303436207),
            ("top.orientation.z", -0.787986887550486),
            ("top.velocity.x", -2.7491863125818927),
            ("top.velocity.y", -3.202718635574881),
            ("top.velocity.z", 4.060523149756695),
        ],
    },
    Case {
        name: "tops.json, heavy top, −60/13 rad/s",
        model: include_str!("../../../../gallery/heavy-top/model.toml"),
        set: &[("precession", "-4.615384615384615 rad/s")],
        t_end: 2.0,
        values: &[
            ("top.position.x", -0.15041925575801057),
            ("top.position.y", -0.7241673470213307),
            ("top.position.z", -0.6730198370072712),
            ("top.orientation.w", 0.12294460963041148),
            ("top.orientation.x", -0.4910786628589181),
            ("top.orientation.y", 0.35042966405851034),
            ("top.orientation.z", -0.7879882108225746),
            ("top.velocity.x", -2.7492065256083418),
            ("top.velocity.y", -3.2026909043210985),
            ("top.velocity.z", 4.060530796790028),
        ],
    },
    Case {
        name: "tops.json, free top about its middle axis",
        model: include_str!("models/free-top.toml"),
        set: &[("jx", "1"), ("jy", "2"), ("jz", "3"), ("wx", "0.01"), ("wy", "2.0"), ("wz", "0.01")],
        t_end: 10.0,
        values: &[
            ("top.orientation.w", -0.012931118997557018),
            ("top.orientation.x", 0.998548307446118),
            ("top.orientation.y", -0.006665672431725672),
            ("top.orientation.z", -0.05186166859055823),
        ],
    },
    Case {
        name: "tops.json, free top",
        model: include_str!("models/free-top.toml"),
        set: &[("jx", "1"), ("jy", "2"), ("jz", "3"), ("wx", "0.5"), ("wy", "1.5"), ("wz", "-0.7")],
        t_end: 10.0,
        values: &[
            ("top.orientation.w", 0.14447926107006778),
            ("top.orientation.x", 0.41904384981558873),
            ("top.orientation.y", -0.0011492438757487212),
            ("top.orientation.z", -0.8963964939081877),
        ],
    },
    Case {
        name: "tops.json, free symmetric top",
        model: include_str!("models/free-top.toml"),
        set: &[("jx", "2"), ("jy", "2"), ("jz", "1"), ("wx", "1.0"), ("wy", "0.5"), ("wz", "3.0")],
        t_end: 10.0,
        values: &[
            ("top.orientation.w", -0.39884909699336235),
            ("top.orientation.x", 0.030769301630520857),
            ("top.orientation.y", -0.028847133896947028),
            ("top.orientation.z", -0.9160461182553425),
        ],
    },
];
