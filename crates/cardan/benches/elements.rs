//! What the equations cost: residual, tangent, kinematics and retraction on chains in space, a pendulum and four-bars in the plane.
//!
//! `cargo bench -p cardan --bench elements`; times are those of a whole call, to be divided by the number of links.
//! `cargo bench -p cardan --bench elements -- count evaluate revolute 100` only repeats one of them, for counting instructions.

use cardan::constraints::JointType;
use cardan::prelude::*;
use cardan::system::{Jacobian, Placement, Weights, Work};
use divan::Bencher;

const MECHANISMS: [(&str, usize); 10] = [
    ("revolute", 100),
    ("revolute", 1000),
    ("revolute", 10_000),
    ("spherical", 100),
    ("spherical", 1000),
    ("spherical", 10_000),
    ("planar", 1),
    ("four-bars", 100),
    ("springs", 100),
    ("bushings", 100),
];

/// A hanging chain in space, every second axis turned.
fn chain(links: usize, joint: impl JointType + Copy + 'static) -> Model {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let axis = |k: usize| if k.is_multiple_of(2) { [0.0, 1.0, 0.0] } else { [0.0, 1.0, 1.0] };
    let mut last = model.add_marker(Marker::on(BodyId::GROUND).z_along(axis(0)));
    for k in 0..links {
        let body = Body::rigid(&format!("link {k}"), 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.2)).at([k as f64 + 0.5, 0.0, 0.0]);
        let body = model.add_body(body.spinning([0.1, 0.2, 0.3]));
        let near = model.add_marker(Marker::on(body).at([-0.5, 0.0, 0.0]).z_along(axis(k)));
        model.add_joint(Joint::new(&format!("joint {k}"), joint, near, last));
        last = model.add_marker(Marker::on(body).at([0.5, 0.0, 0.0]).z_along(axis(k + 1)));
    }
    model
}

/// A chain of planar bodies on revolute joints; with loops, every third body is tied to the ground again.
fn planar(links: usize, loops: bool) -> Model {
    let mut model = Model::new("planar");
    model.set_gravity([0.0, -9.81, 0.0]);
    let mut last = model.add_marker(Marker::on(BodyId::GROUND));
    for k in 0..links {
        let body = Body::planar(&format!("link {k}"), 1.0, 0.1).at([k as f64 + 0.5, 0.0, 0.0]).spinning([0.0, 0.0, 0.3]);
        let body = model.add_body(body);
        let near = model.add_marker(Marker::on(body).at([-0.5, 0.0, 0.0]));
        model.add_joint(Joint::new(&format!("joint {k}"), Revolute, near, last));
        last = model.add_marker(Marker::on(body).at([0.5, 0.0, 0.0]));
        if loops && k % 3 == 2 {
            let pin = model.add_marker(Marker::on(BodyId::GROUND).at([k as f64 + 1.0, 0.0, 0.0]));
            model.add_joint(Joint::new(&format!("pin {k}"), Revolute, last, pin));
        }
    }
    model
}

/// A force between the inner ends of neighbours.
fn with_forces(mut model: Model, force: impl Fn(&str, MarkerId, MarkerId) -> Force) -> Model {
    let near: Vec<MarkerId> = model.joints().iter().map(|joint| joint.i).collect();
    for (k, pair) in near.windows(2).enumerate() {
        model.add_force(force(&format!("force {k}"), pair[1], pair[0]));
    }
    model
}

/// A mechanism in a state without zeros, and everything that evaluations need.
struct Rig {
    system: System,
    x: State,
    increment: Vec<f64>,
    work: Work,
    jacobian: Jacobian,
}

impl Rig {
    fn new((name, links): (&str, usize)) -> Self {
        let model = match name {
            "revolute" => chain(links, Revolute),
            "spherical" => chain(links, Spherical),
            "springs" => {
                with_forces(chain(links, Spherical), |name, i, j| SpringDamper::new(name, i, j).stiffness(9.0).damping(0.1).into())
            }
            "bushings" => with_forces(chain(links, Spherical), |name, i, j| Bushing::new(name, i, j).diagonal_stiffness([3.0; 6]).into()),
            "planar" => planar(links, false),
            _ => planar(3 * links, true),
        };
        #[allow(clippy::unwrap_used, reason = "the models above are right")]
        let system = System::new(&model).unwrap();
        let mut x = system.initial().clone();
        let increment: Vec<f64> = (0..system.nv()).map(|k| 0.01 * (k as f64).sin()).collect();
        system.retract(&system.initial().q, &increment, &mut x.q);
        x.lambda.iter_mut().enumerate().for_each(|(k, l)| *l = (k as f64).cos());
        let (work, jacobian) = (Work::new(&system), Jacobian::new(&system));
        Self { system, x, increment, work, jacobian }
    }

    fn evaluate(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        repeat(&mut || _ = self.system.evaluate(&self.x, &mut self.work));
    }

    fn tangent(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        let w = Weights {
            velocity: 5e-3,
            position: 2.5e-5,
            placed: Some(Placement::by(Chart::Exponential, &self.increment)),
            ..Weights::accelerations(&[])
        };
        let mut at = self.system.evaluate(&self.x, &mut self.work);
        repeat(&mut || at.tangent(&w, &mut self.jacobian));
    }

    fn mass_only(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        let mut at = self.system.evaluate(&self.x, &mut self.work);
        repeat(&mut || at.tangent(&Weights::mass_only(&[]), &mut self.jacobian));
    }

    fn kinematics(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        repeat(&mut || self.system.kinematics(&self.x.q, &self.x.v, &mut self.work));
    }

    fn retract(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        repeat(&mut || self.system.retract(&self.system.initial().q, &self.increment, &mut self.x.q));
    }

    fn mass_times(&mut self, repeat: impl FnOnce(&mut dyn FnMut())) {
        let mut out = vec![0.0; self.system.nv()];
        repeat(&mut || self.system.add_mass_times(&self.x.q, &self.x.v, 1e-9, &mut out));
    }
}

macro_rules! tasks {
    ($($task:ident),*) => {
        $(#[divan::bench(args = MECHANISMS)]
        fn $task(bencher: Bencher, mechanism: (&str, usize)) {
            Rig::new(mechanism).$task(|once| bencher.bench_local(once));
        })*

        fn repeat(task: &str, rig: &mut Rig, times: usize) {
            match task {
                $(stringify!($task) => rig.$task(|once| (0..times).for_each(|_| once())),)*
                _ => {}
            }
        }
    };
}
tasks!(evaluate, tangent, mass_only, kinematics, retract, mass_times);

#[divan::bench(args = [100, 10_000], sample_count = 3)]
fn compile(bencher: Bencher, links: usize) {
    let model = chain(links, Revolute);
    bencher.bench_local(|| System::new(&model));
}

#[divan::bench(args = [100, 10_000], sample_count = 3)]
fn assemble(bencher: Bencher, links: usize) {
    let rig = Rig::new(("revolute", links));
    bencher.bench_local(|| cardan::analysis::assemble(&rig.system));
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [count, task, name, links] = &arguments[..]
        && count == "count"
    {
        return repeat(task, &mut Rig::new((name, links.parse().unwrap_or(100))), 1000);
    }
    divan::main();
}
