//! What a force costs as an expression against the same formula as a Rust closure over dual numbers, on a chain of bodies: for residual
//! and tangent of the forces alone (the time of the chain without forces is taken out) and for a whole run. The bar is twice the
//! time of the closure. Times are taken in turns; of many the lowest decile counts, which other programs hardly change.
//!
//! `cargo bench -p cardan --bench expressions -- bump residual written` only repeats one of them, for counting instructions.

#[path = "common/twins.rs"]
mod twins;

use twins::{PAIRS, Pair, Rig, Task, Twin, rigs, times};

const ROUNDS: usize = 301;
/// Many forces on a link, so that they are not lost in the noise of the rest.
const FORCES: usize = 8;

/// The times without forces, closure and written.
fn deciles(pair: &Pair, forces: usize, task: Task, rounds: usize) -> [f64; 3] {
    times(&mut rigs(pair, forces), task, 20, rounds).map(|t| t[t.len() / 10])
}

/// The ratio for the forces alone.
fn alone(pair: &Pair, task: Task) -> f64 {
    let [none, closure, written] = deciles(pair, FORCES, task, ROUNDS);
    (written - none) / (closure - none)
}

fn count(pair: &str, task: &str, twin: &str) {
    let task = [("residual", Task::Residual), ("tangent", Task::Tangent)].iter().find(|t| t.0 == task).map_or(Task::Run, |t| t.1);
    let twin = [("none", Twin::None), ("closure", Twin::Closure)].iter().find(|t| t.0 == twin).map_or(Twin::Written, |t| t.1);
    let Some(pair) = PAIRS.iter().find(|p| p.name.starts_with(pair)) else { return };
    Rig::new(&pair.chain(twin, FORCES)).perform(task, 1000);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [pair, task, twin] = &arguments[..] {
        return count(pair, task, twin);
    }
    println!("{:26}{:>16}{:>16}{:>12}", "written / closure", "residual alone", "tangent alone", "whole run");
    for pair in &PAIRS {
        let (residual, tangent) = (alone(pair, Task::Residual), alone(pair, Task::Tangent));
        let [_, closure, written] = deciles(pair, 1, Task::Run, ROUNDS / 2);
        println!("{:26}{residual:>16.2}{tangent:>16.2}{:>12.3}", pair.name, written / closure);
    }
}
