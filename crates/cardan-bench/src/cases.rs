//! Which runs are made: the problems and sizes, and for each the steps and tolerances of Cardan and of its peers.

use crate::plan::{Case, FIRST, Program, Recursive};

/// Nothing to run yet.
const NONE: Case = Case {
    family: "",
    n: 1,
    quick: false,
    repeat: 1,
    steps: &[],
    tolerances: &[],
    precise: &[],
    exudyn: &[],
    exudyn_steps: &[],
    mujoco: &[],
    mujoco_steps: &[],
    ida: &[],
    recursive: &[],
    first: 0,
};

const DENSE: &str = "--solver dense --newton modified";
const SPARSE: &str = "--solver sparse --newton modified";
/// Trapezoidal rule with index-2 constraints, Exudyn's other implicit method.
const TRAPEZOIDAL: &str = "--solver sparse --newton modified --method trapezoidal";
const SINGULAR: &str = "--solver eigen --newton modified --redundant";
/// Newton's method at its default tolerance of 1e-8 ends in round-off or takes many iterations where forces are stiff or hinges are parallel, for the
/// same error.
const LOOSE: &str = "--solver sparse --newton modified --tolerance 1e-5";
const INTEGRATORS: &[&str] = &["Euler", "RK4", "implicit", "implicitfast"];
/// Methods for high accuracy.
const PRECISE: &[(&str, &[f64])] =
    &[("bdf", &[1e-9, 1e-10, 1e-11]), ("dormand-prince", &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]), ("radau", &[1e-6, 1e-7, 1e-8, 1e-9])];
/// Those for stiff forces.
const PRECISE_STIFF: &[(&str, &[f64])] = &[("bdf", &[1e-9, 1e-10, 1e-11]), ("radau", &[1e-6, 1e-7, 1e-8, 1e-9])];
/// Those for many bodies.
const PRECISE_LARGE: &[(&str, &[f64])] = &[("bdf", &[1e-8, 1e-9, 1e-10]), ("dormand-prince", &[1e-4, 1e-6, 1e-8])];
/// The best of them.
const PRECISE_LONG: &[(&str, &[f64])] = &[("bdf", &[1e-10]), ("dormand-prince", &[1e-6, 1e-8])];
const fn simbody(integrator: &'static str, tolerances: &'static [f64]) -> Recursive {
    Recursive { program: Program::Simbody, integrator, steps: &[], tolerances }
}
const fn drake(integrator: &'static str, tolerances: &'static [f64]) -> Recursive {
    Recursive { program: Program::Drake, integrator, steps: &[], tolerances }
}
/// Drake's own steps for plants in discrete time.
const DISCRETE: Recursive = Recursive { program: Program::Drake, integrator: "discrete", steps: &[1e-3], tolerances: &[] };
/// All integrators that are worth it, for short chains and small trees.
const RECURSIVE: &[Recursive] = &[
    simbody("RungeKuttaMerson", &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8]),
    simbody("RungeKuttaFeldberg", &[1e-5, 1e-6, 1e-7]),
    simbody("CPodesAdams", &[1e-6, 1e-7, 1e-8]),
    DISCRETE,
    drake("runge_kutta3", &[1e-3, 1e-4, 1e-5]),
    drake("runge_kutta5", &[1e-5, 1e-6, 1e-7]),
    drake("radau3", &[1e-3]),
];
/// The best of them, for long ones.
const RECURSIVE_LONG: &[Recursive] = &[
    simbody("RungeKuttaMerson", &[1e-4, 1e-5, 1e-6, 1e-7]),
    simbody("RungeKuttaFeldberg", &[1e-6]),
    DISCRETE,
    drake("runge_kutta3", &[1e-3, 1e-4]),
    drake("runge_kutta5", &[1e-6, 1e-7]),
];
const HUNDRED: Case = Case {
    n: 100,
    steps: &[2e-3, 1e-3, 5e-4],
    tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
    precise: PRECISE,
    exudyn: &[SPARSE, TRAPEZOIDAL],
    mujoco: INTEGRATORS,
    mujoco_steps: &[1e-3, 1e-4],
    recursive: RECURSIVE,
    ..NONE
};
const THOUSAND: Case = Case {
    n: 1000,
    steps: &[2e-3, 1e-3, 5e-4],
    tolerances: &[1e-4, 1e-5, 1e-6, 1e-7],
    precise: PRECISE_LARGE,
    exudyn: &[SPARSE],
    mujoco: &["Euler"],
    mujoco_steps: &[1e-3],
    recursive: RECURSIVE_LONG,
    ..NONE
};
const TEN_THOUSAND: Case = Case {
    n: 10000,
    steps: &[1e-3],
    precise: &[("bdf", &[1e-5, 1e-7, 1e-9]), ("dormand-prince", &[1e-4, 1e-6])],
    exudyn: &[SPARSE],
    recursive: &[simbody("RungeKuttaMerson", &[1e-4, 1e-6])],
    first: FIRST,
    ..NONE
};

/// Chains and ladders whose joints and directions are compared with each other.
const DIRECTIONS: Case = Case { n: 100, repeat: 3, steps: &[1e-3, 5e-4], exudyn: &[SPARSE, LOOSE], ..NONE };
const MANY_DIRECTIONS: Case = Case { n: 1000, first: FIRST, ..DIRECTIONS };
/// Bodies on forces alone.
const FORCES: Case = Case { n: 100, steps: &[2e-3, 1e-3, 5e-4], tolerances: &[1e-4, 1e-5, 1e-6, 1e-7], exudyn: &[SPARSE, LOOSE], ..NONE };

/// Rapier's only integrator.
const RAPIER: Recursive = Recursive { program: Program::Rapier, integrator: "rapier", steps: &[1e-3, 1e-4, 1e-5], tolerances: &[] };
/// Bodies that touch.
const CONTACTS: Case = Case {
    tolerances: &[1e-4, 1e-5, 1e-6],
    precise: &[("bdf", &[1e-6, 1e-7]), ("dormand-prince", &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]), ("radau", &[1e-4, 1e-5, 1e-6, 1e-7])],
    exudyn: &["--method euler", "--method verlet", "--method rk44"],
    exudyn_steps: &[2e-4, 5e-5, 2e-5, 1e-5, 2e-6],
    mujoco: &["Euler", "RK4"],
    mujoco_steps: &[2e-4, 2e-5],
    recursive: &[drake("runge_kutta3", &[1e-2, 1e-3, 1e-4]), RAPIER],
    ..NONE
};

/// All cases.
pub const CASES: &[Case] = &[
    Case {
        family: "pendulum",
        quick: true,
        repeat: 50,
        steps: &[1e-2, 1e-3, 1e-4],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        precise: PRECISE,
        exudyn: &[DENSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-2, 1e-3],
        ida: &[1e-4, 1e-6, 1e-8, 1e-10],
        ..NONE
    },
    Case {
        family: "stiff-double-pendulum",
        quick: true,
        repeat: 7,
        steps: &[1e-3, 1e-4, 2e-5],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        precise: PRECISE_STIFF,
        exudyn: &[DENSE],
        mujoco: &["Euler", "implicit", "implicitfast"],
        mujoco_steps: &[1e-3, 1e-4],
        ida: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        ..NONE
    },
    Case {
        family: "squeezer",
        quick: true,
        repeat: 3,
        steps: &[1e-4, 3e-5, 1e-5, 2e-6],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        precise: PRECISE,
        exudyn: &[DENSE, SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-5, 1e-6],
        ida: &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 1,
        repeat: 3,
        steps: &[1e-2, 1e-3, 2e-4],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7],
        precise: &[("bdf", &[1e-8, 1e-9, 1e-10, 1e-11]), ("dormand-prince", &[1e-6, 1e-7, 1e-8, 1e-9, 1e-10])],
        exudyn: &[DENSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3, 1e-4],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 40,
        quick: true,
        steps: &[1e-2, 1e-3, 5e-4],
        tolerances: &[1e-5, 1e-6, 1e-7, 1e-8, 1e-9],
        precise: &[("bdf", &[1e-10])],
        exudyn: &[SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3, 5e-4],
        ..NONE
    },
    Case {
        family: "n-four-bar",
        n: 400,
        steps: &[1e-2, 1e-3],
        tolerances: &[1e-4, 1e-5, 1e-6],
        precise: &[("bdf", &[1e-7, 1e-8, 1e-9, 1e-10]), ("dormand-prince", &[1e-6])],
        exudyn: &[SPARSE],
        mujoco: INTEGRATORS,
        mujoco_steps: &[1e-3],
        ..NONE
    },
    Case {
        family: "spatial-four-bar",
        n: 40,
        quick: true,
        steps: &[2e-2, 1e-2],
        tolerances: &[1e-4, 1e-5],
        precise: &[("bdf", &[1e-6, 1e-7, 1e-9, 1e-11]), ("radau", &[1e-5, 1e-7])],
        exudyn: &[SINGULAR],
        mujoco: &["Euler", "RK4"],
        mujoco_steps: &[1e-3, 5e-4],
        ..NONE
    },
    Case { family: "chain-revolute", n: 10, repeat: 3, ..HUNDRED },
    Case { family: "chain-revolute", quick: true, repeat: 3, ..HUNDRED },
    Case { family: "chain-revolute", quick: true, repeat: 3, first: FIRST, ..THOUSAND },
    Case { family: "chain-revolute", quick: true, ..TEN_THOUSAND },
    Case {
        family: "chain-revolute-1s",
        n: 1000,
        steps: &[1e-3],
        tolerances: &[1e-6, 1e-7, 1e-8, 1e-9],
        precise: PRECISE_LONG,
        recursive: RECURSIVE_LONG,
        ..NONE
    },
    Case { family: "chain-parallel", quick: true, ..DIRECTIONS },
    Case { family: "chain-parallel", quick: true, ..MANY_DIRECTIONS },
    Case { family: "chain-random", ..DIRECTIONS },
    Case { family: "chain-random", ..MANY_DIRECTIONS },
    Case { family: "chain-universal", ..DIRECTIONS },
    Case { family: "chain-universal", ..MANY_DIRECTIONS },
    Case { family: "chain-fixed", ..DIRECTIONS },
    Case { family: "chain-fixed", ..MANY_DIRECTIONS },
    Case { family: "chain-bushing", quick: true, repeat: 3, ..FORCES },
    Case { family: "chain-bushing", n: 1000, ..FORCES },
    Case { family: "chain-expression", repeat: 3, ..FORCES },
    Case {
        family: "suspension",
        n: 1,
        repeat: 7,
        steps: &[1e-3, 1e-4],
        tolerances: &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        precise: PRECISE_STIFF,
        exudyn: &[DENSE],
        ..NONE
    },
    Case { family: "frame", n: 200, quick: true, exudyn: &[LOOSE], ..FORCES },
    Case { family: "net", n: 900, quick: true, precise: PRECISE, mujoco: INTEGRATORS, mujoco_steps: &[1e-3, 5e-4], ..FORCES },
    Case { family: "chain-spherical", n: 10, repeat: 3, ..HUNDRED },
    Case { family: "chain-spherical", repeat: 3, ..HUNDRED },
    Case { family: "chain-spherical", first: FIRST, ..THOUSAND },
    Case { family: "chain-spherical", ..TEN_THOUSAND },
    Case { family: "tree", repeat: 3, ..HUNDRED },
    Case { family: "tree", first: FIRST, ..THOUSAND },
    Case { family: "tree", ..TEN_THOUSAND },
    Case { family: "ladder", ..DIRECTIONS },
    Case { family: "ladder", ..MANY_DIRECTIONS },
    Case { family: "grid", precise: &[("bdf", &[1e-9, 1e-10])], recursive: &[], ..HUNDRED },
    Case { family: "grid", precise: &[], recursive: &[], ..THOUSAND },
    Case {
        family: "bouncing",
        n: 49,
        repeat: 3,
        precise: &[("bdf", &[1e-7, 1e-8, 1e-9]), ("dormand-prince", &[1e-6, 1e-7, 1e-8]), ("radau", &[1e-5, 1e-6, 1e-7, 1e-8])],
        exudyn: &["--method rk44"],
        exudyn_steps: &[1e-4],
        mujoco: &["Euler", "RK4"],
        mujoco_steps: &[1e-4],
        recursive: &[drake("runge_kutta3", &[1e-4]), RAPIER],
        ..CONTACTS
    },
    Case {
        family: "cradle",
        n: 5,
        repeat: 3,
        precise: &[("bdf", &[1e-6, 1e-7, 1e-8]), ("dormand-prince", &[1e-5, 1e-6, 1e-7, 1e-8]), ("radau", &[1e-5, 1e-6, 1e-7, 1e-8])],
        exudyn: &["", "--method trapezoidal"],
        exudyn_steps: &[1e-5, 5e-6],
        mujoco: &["Euler", "RK4"],
        mujoco_steps: &[1e-5, 1e-6],
        recursive: &[],
        ..CONTACTS
    },
    Case {
        family: "bowling",
        repeat: 7,
        precise: &[("bdf", &[1e-4, 1e-5, 1e-6]), ("radau", &[1e-4, 1e-5, 1e-6])],
        exudyn: &["", "--method rk44"],
        exudyn_steps: &[1e-3, 1e-4, 1e-5],
        mujoco: &["Euler", "implicitfast"],
        mujoco_steps: &[1e-3, 1e-4],
        recursive: &[drake("runge_kutta3", &[1e-3, 1e-5]), Recursive { steps: &[1e-3, 1e-4], ..DISCRETE }, RAPIER],
        ..CONTACTS
    },
    Case { family: "spheres", n: 100, ..CONTACTS },
    Case {
        family: "spheres",
        n: 500,
        quick: true,
        tolerances: &[1e-4, 1e-5],
        precise: &[("bdf", &[1e-6]), ("dormand-prince", &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8]), ("radau", &[1e-5])],
        exudyn_steps: &[2e-4, 5e-5, 2e-5, 1e-5],
        recursive: &[drake("runge_kutta3", &[1e-2, 1e-3]), RAPIER],
        ..CONTACTS
    },
];
