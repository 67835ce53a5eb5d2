//! What a force costs as an expression against its built-in twin: a chain of 20 bodies with spring-dampers. Prints the medians
//! of both, taken in turns, and their ratio; `cargo bench --bench expressions -- count evaluate built-in` only repeats one of them, for counting
//! instructions.

use cardan::prelude::*;
use cardan::system::{Weights, Work};
use std::hint::black_box;
use std::time::Instant;

const BODIES: usize = 20;
const ROUNDS: usize = 41;

#[derive(Clone, Copy, PartialEq)]
enum Springs {
    BuiltIn,
    Written,
}

fn chain(springs: Springs) -> Model {
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
        let name = format!("spring{k}");
        match springs {
            Springs::BuiltIn => model.add_force(SpringDamper::new(&name, i, j).stiffness(300.0).damping(2.0).free_length(0.1)),
            Springs::Written => {
                let text = format!("-300*(DM({top}, {foot}) - 0.1) - 2*VR({top}, {foot})");
                model.add_force(ExpressionForce::single(&name, i, j, Line::Between, text));
            }
        }
        last = body;
    }
    model
}

/// One of the things measured, on one of the systems.
fn work(what: &str, system: &System, scratch: &mut Work, matrix: &mut cardan::linear::BlockMatrix) {
    let x = system.initial();
    match what {
        "evaluate" => (0..200).for_each(|_| system.evaluate(black_box(x), scratch)),
        "tangent" => {
            let w = Weights { position: 1e-3, velocity: 1e-2, ..Weights::accelerations(&[]) };
            (0..50).for_each(|_| system.tangent(black_box(x), &w, scratch, matrix));
        }
        _ => {
            let run = Simulation::new(system).step(1e-3).record(Record::Ends).run(0.02);
            black_box(run.map(|r| r.statistics).ok());
        }
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let systems: Vec<System> = [Springs::BuiltIn, Springs::Written].into_iter().filter_map(|s| System::new(&chain(s)).ok()).collect();
    let mut scratch: Vec<_> = systems.iter().map(|s| (Work::new(s), s.matrix())).collect();
    for (system, (work, _)) in systems.iter().zip(&mut scratch) {
        system.evaluate(system.initial(), work);
    }
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [count, what, which] = &arguments[..] {
        let k = usize::from(which != "built-in");
        let (own, matrix) = &mut scratch[k];
        (0..if count == "count" { 5 } else { 1 }).for_each(|_| work(what, &systems[k], own, matrix));
        return;
    }
    for what in ["evaluate", "tangent", "run"] {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (k, system) in systems.iter().enumerate() {
                let (own, matrix) = &mut scratch[k];
                let start = Instant::now();
                work(what, system, own, matrix);
                times[k].push(start.elapsed().as_secs_f64());
            }
        }
        let [built_in, written] = times.map(median);
        println!("{what:10} built-in {:9.1} µs   expression {:9.1} µs   ratio {:.3}", 1e6 * built_in, 1e6 * written, written / built_in);
    }
}
