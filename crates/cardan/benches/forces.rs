//! What one force costs: its wrenches, and its wrenches with their tangent, at a state without zeros.
//!
//! `cargo bench -p cardan --bench forces`; times are those of one force.
//! `cargo bench -p cardan --bench forces -- count tangent bushing` only repeats one of them a million times, for counting instructions.

use cardan::forces::{ForceLaw, Tangent};
use cardan::math::Mat6;
use cardan::measures::Context;
use cardan::prelude::*;
use cardan::system::Work;
use divan::Bencher;
use std::hint::black_box;

const FORCES: [&str; 11] = [
    "bushing",
    "bushing, nearly parallel",
    "bushing, full matrices",
    "beam",
    "spring-damper",
    "rotational spring-damper",
    "friction, sliding",
    "friction, pin",
    "single force along an axis",
    "vector force",
    "general force",
];

/// A full matrix, symmetric and definite.
fn full(scale: f64) -> Mat6 {
    Mat6::from_fn(|a, b| scale * if a == b { 3.0 } else { 1.0 / (1.0 + (a + b) as f64) })
}

fn force(name: &str, joint: JointId, i: MarkerId, j: MarkerId) -> Force {
    let bushing = || Bushing::new("force", i, j).offset([0.1, 0.2, 0.3]);
    match name {
        "bushing" | "bushing, nearly parallel" => bushing().diagonal_stiffness([3.0; 6]).diagonal_damping([0.1; 6]).into(),
        "bushing, full matrices" => bushing().stiffness(full(1.0)).damping(full(0.1)).into(),
        "beam" => Beam::new("force", i, j, 1.0, Section::round(0.01, 2e11, 0.3)).damping_ratio(1e-3).into(),
        "spring-damper" => SpringDamper::new("force", i, j).stiffness(3.0).damping(0.1).into(),
        "rotational spring-damper" => RotationalSpringDamper::new("force", i, j).stiffness(3.0).damping(0.1).into(),
        "friction, sliding" => JointFriction::sliding("force", joint, 0.3, 0.2).into(),
        "friction, pin" => JointFriction::pin("force", joint, 0.1, 0.3, 0.2).into(),
        "single force along an axis" => SingleForce::new("force", i, j, Line::Axis, |_, s, rate| s * -3.0 - rate * 0.1).into(),
        "vector force" => VectorForce::new("force", i, j, |k| k.displacement.map(|x| x * -3.0) - k.velocity.map(|x| x * 0.1)).into(),
        _ => GeneralForce::new("force", i, j, |k| (k.displacement.map(|x| x * -3.0), k.angular_velocity.map(|x| x * -0.1))).into(),
    }
}

/// A force between two moving bodies, and what it sees.
struct Rig {
    system: System,
    x: State,
    work: Work,
    tangent: Tangent,
}

impl Rig {
    fn new(name: &str) -> Self {
        let mut model = Model::new("force");
        let turn = if name.ends_with("parallel") { 0.01 } else { 0.4 };
        let markers = [0.0, 1.0].map(|k| {
            let body = Body::rigid(&format!("body {k}"), 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.2)).at([1.1 * k, 0.2 * k, -0.1 * k]);
            let body =
                model.add_body(body.moving([0.3 - k, 0.2, 0.1 * k]).spinning([0.1, 0.2, 0.3 * k]).oriented(cardan::math::exp(&Vec3::new(
                    turn * k,
                    -turn * k,
                    turn,
                ))));
            model.add_marker(Marker::on(body).at([0.1 * k, 0.0, 0.2]))
        });
        let kind = if name == "friction, sliding" {
            Joint::new("joint", Cylindrical, markers[1], markers[0])
        } else {
            Joint::new("joint", Revolute, markers[1], markers[0])
        };
        let joint = model.add_joint(kind);
        model.add_force(force(name, joint, markers[1], markers[0]));
        #[allow(clippy::unwrap_used, reason = "the model above is right")]
        let system = System::new(&model).unwrap();
        let mut x = system.initial().clone();
        x.lambda.iter_mut().enumerate().for_each(|(k, l)| *l = (k as f64).cos());
        let mut work = Work::new(&system);
        system.kinematics(&x.q, &x.v, &mut work);
        Self { system, x, work, tangent: Tangent::zero() }
    }

    fn wrench(&mut self) {
        let ctx = black_box(context(&self.x, &self.work));
        black_box(self.system.forces()[0].wrench(&ctx));
    }

    fn tangent(&mut self) {
        let ctx = black_box(context(&self.x, &self.work));
        black_box(self.system.forces()[0].wrench_and_tangent(&ctx, &mut self.tangent));
        black_box(&self.tangent);
    }
}

fn context<'a>(x: &'a State, work: &'a Work) -> Context<'a> {
    Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch }
}

#[divan::bench(args = FORCES)]
fn wrench(bencher: Bencher, name: &str) {
    let mut rig = Rig::new(name);
    bencher.bench_local(|| rig.wrench());
}

#[divan::bench(args = FORCES)]
fn tangent(bencher: Bencher, name: &str) {
    let mut rig = Rig::new(name);
    bencher.bench_local(|| rig.tangent());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [count, task, name @ ..] = &arguments[..]
        && count == "count"
    {
        let mut rig = Rig::new(&name.join(" "));
        let task = if task == "wrench" { Rig::wrench } else { Rig::tangent };
        return (0..1_000_000).for_each(|_| task(&mut rig));
    }
    divan::main();
}
