//! Forces twice: the same formula as a Rust closure over dual numbers and as an expression, on the links of a chain.

use cardan::forces::Relative;
use cardan::math::dual::DualVec3;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};
use std::hint::black_box;
use std::time::Instant;

const BODIES: usize = 10;

/// Which of the twins is on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twin {
    /// None of them.
    None,
    /// The closure.
    Closure,
    /// The expression.
    Written,
}

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Evaluations of the residual.
    Residual,
    /// Evaluations of the tangent.
    Tangent,
    /// A run.
    Run,
}

/// A force between two markers, in two ways.
pub struct Pair {
    /// What it is.
    pub name: &'static str,
    closure: fn(&str, MarkerId, MarkerId) -> Force,
    /// The functions of the expressions, with `#` where the markers stand; one is along `line`, six are in the axes of j.
    written: &'static [&'static str],
    line: Line,
}

/// All pairs.
pub const PAIRS: [Pair; 5] = [
    Pair {
        name: "spring-damper",
        closure: |name, i, j| SingleForce::new(name, i, j, Line::Between, |_, s, rate| (s - 0.1) * -300.0 - rate * 2.0).into(),
        written: &["-300*(DM(#) - 0.1) - 2*VR(#)"],
        line: Line::Between,
    },
    Pair {
        name: "rotational spring-damper",
        closure: |name, i, j| SingleForce::new(name, i, j, Line::Rotation, |_, s, rate| (s - 0.1) * -3.0 - rate * 0.02).into(),
        written: &["-3*(AZ(#) - 0.1) - 0.02*WZ(#, @)"],
        line: Line::Rotation,
    },
    Pair {
        name: "three components",
        closure: |name, i, j| VectorForce::new(name, i, j, |k| k.displacement.map(|x| x * -9.0) - k.velocity.map(|x| x * 0.2)).into(),
        written: &["-9*DX(#, @) - 0.2*VX(#, @, @)", "-9*DY(#, @) - 0.2*VY(#, @, @)", "-9*DZ(#, @) - 0.2*VZ(#, @, @)"],
        line: Line::Between,
    },
    Pair {
        name: "six components",
        closure: |name, i, j| GeneralForce::new(name, i, j, six_components).into(),
        written: &[
            "-9*DX(#, @) - 0.2*VX(#, @, @)",
            "-9*DY(#, @) - 0.2*VY(#, @, @)",
            "-9*DZ(#, @) - 0.2*VZ(#, @, @)",
            "-9*AX(#) - 0.2*WX(#, @)",
            "-9*AY(#) - 0.2*WY(#, @)",
            "-9*AZ(#) - 0.2*WZ(#, @)",
        ],
        line: Line::Between,
    },
    Pair {
        name: "bump stop",
        closure: |name, i, j| SingleForce::new(name, i, j, Line::Between, bump_stop).into(),
        written: &["IF(DM(#) < 0.1, POLY(DM(#), 0.1, 0, -30, 0, -5000), -30*(DM(#) - 0.1)) - STEP(DM(#), 0.05, 0, 0.15, 1)*VR(#)"],
        line: Line::Between,
    },
];

fn six_components(k: &Relative) -> (DualVec3, DualVec3) {
    let r = &k.rotation;
    let angles = DualVec3::new((-r[(1, 2)]).atan2(r[(2, 2)]), r[(0, 2)].atan2(r[(2, 2)]), r[(1, 0)].atan2(r[(0, 0)]));
    let law = |x: &DualVec3, rate: &DualVec3| x.map(|x| x * -9.0) - rate.map(|x| x * 0.2);
    (law(&k.displacement, &k.velocity), law(&angles, &k.angular_velocity))
}

fn bump_stop(_: Dual, s: Dual, rate: Dual) -> Dual {
    let u = s - 0.1;
    let part = ((s - 0.05) / 0.1).max(0.0).min(1.0);
    let damping = part * part * (part * -2.0 + 3.0);
    let hard = if u < 0.0 { u * u * u * -5e3 } else { Dual::default() };
    hard - u * 30.0 - rate * damping
}

impl Pair {
    fn add(&self, model: &mut Model, twin: Twin, name: &str, i: (&str, MarkerId), j: (&str, MarkerId)) {
        let text = |k: usize| self.written[k].replace('#', &format!("{}, {}", i.0, j.0)).replace('@', j.0);
        match (twin, self.written.len()) {
            (Twin::None, _) => {}
            (Twin::Closure, _) => model.add_force((self.closure)(name, i.1, j.1)),
            (Twin::Written, 1) => model.add_force(ExpressionForce::single(name, i.1, j.1, self.line, text(0))),
            (Twin::Written, 3) => model.add_force(ExpressionForce::vector(name, i.1, j.1, j.1, std::array::from_fn::<_, 3, _>(text))),
            (Twin::Written, _) => model.add_force(ExpressionForce::general(name, i.1, j.1, j.1, std::array::from_fn::<_, 6, _>(text))),
        }
    }

    /// A chain with some forces on every link.
    pub fn chain(&self, twin: Twin, forces: usize) -> Model {
        let mut model = Model::new("chain");
        model.set_gravity([0.0, 0.0, -9.81]);
        let mut last = BodyId::GROUND;
        for k in 0..BODIES {
            let at = [0.2 * (k as f64 + 0.5), 0.0, 0.0];
            let body = model.add_body(Body::rigid(&format!("link{k}"), 0.5, Inertia::cuboid(0.5, 0.2, 0.05, 0.05)).at(at));
            let i = model.add_marker(Marker::on(body).at([-0.1, 0.0, 0.0]).z_along([0.0, 1.0, 0.2]));
            let before = if k == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
            let j = model.add_marker(Marker::on(last).at(before).z_along([0.0, 1.0, 0.2]));
            model.add_joint(Joint::new(&format!("pin{k}"), Revolute, i, j));
            let (top, foot) = (format!("top{k}"), format!("foot{k}"));
            let i = model.add_marker(Marker::on(body).at([0.0, 0.0, 0.1]).named(&top));
            let shift = if k == 0 { [0.0, 0.0, 0.15] } else { [0.02, 0.0, 0.15] };
            let j = model.add_marker(Marker::on(last).at(shift).named(&foot));
            (0..forces).for_each(|n| self.add(&mut model, twin, &format!("force{k}-{n}"), (&top, i), (&foot, j)));
            last = body;
        }
        model
    }
}

/// A compiled chain with its work arrays.
pub struct Rig {
    system: System,
    work: Work,
    jacobian: Jacobian,
}

impl Rig {
    /// Compiles a chain.
    pub fn new(model: &Model) -> Self {
        let system = System::new(model).unwrap_or_else(|e| panic!("{e}"));
        let (work, jacobian) = (Work::new(&system), Jacobian::new(&system));
        Self { system, work, jacobian }
    }

    /// Does a task some times; for tangents and runs fewer times.
    pub fn perform(&mut self, task: Task, times: usize) {
        let Self { system, work, jacobian } = self;
        let x = system.initial();
        let w = Weights { position: 1e-3, velocity: 1e-2, ..Weights::accelerations(&[]) };
        match task {
            Task::Residual => (0..times).for_each(|_| _ = black_box(system.evaluate(black_box(x), work).f())),
            Task::Tangent => {
                let mut at = system.evaluate(x, work);
                (0..times.div_ceil(4)).for_each(|_| at.tangent(black_box(&w), jacobian));
            }
            Task::Run => (0..times.div_ceil(50)).for_each(|_| {
                let run = Simulation::new(system).step(1e-3).record(Record::Ends).run(0.004);
                black_box(run.map(|r| r.statistics).ok());
            }),
        }
    }
}

/// The times of all twins (none, closure, written) in s, taken in turns and sorted.
pub fn times(rigs: &mut [Rig; 3], task: Task, times: usize, rounds: usize) -> [Vec<f64>; 3] {
    let mut out = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (rig, out) in rigs.iter_mut().zip(&mut out) {
            let start = Instant::now();
            rig.perform(task, times);
            out.push(start.elapsed().as_secs_f64());
        }
    }
    out.iter_mut().for_each(|t| t.sort_by(f64::total_cmp));
    out
}

/// The chain without the forces of a pair, with the closures and with the expressions, which must give the same.
pub fn rigs(pair: &Pair, forces: usize) -> [Rig; 3] {
    let mut rigs = [Twin::None, Twin::Closure, Twin::Written].map(|twin| Rig::new(&pair.chain(twin, forces)));
    let [_, closure, written] = rigs.each_mut().map(|rig| rig.system.evaluate(rig.system.initial(), &mut rig.work).f().to_vec());
    let worst = closure.iter().zip(&written).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-10, "{}: twins differ by {worst:e}", pair.name);
    rigs
}
