//! What a force costs as an expression against its built-in twin, on a chain of bodies: for residual and tangent of the forces
//! alone (the time of the chain without forces is taken out) and for a whole run. Times are taken in turns; of many the lowest
//! decile counts, which other programs on the machine hardly change.
//!
//! `cargo bench --bench expressions -- bushing residual written` only repeats one of them, for counting instructions.

#[path = "../tests/common/twins.rs"]
mod twins;

use twins::{PAIRS, Pair, Rig, Task, Twin, rigs, times};

const ROUNDS: usize = 301;
/// Many forces on a link, so that they are not lost in the noise of the rest.
const FORCES: usize = 8;

/// The times without forces, built-in and written.
fn deciles(pair: &Pair, forces: usize, task: Task, rounds: usize) -> [f64; 3] {
    times(&mut rigs(pair, forces), task, 20, rounds).map(|t| t[t.len() / 10])
}

/// The ratio for the forces alone.
fn alone(pair: &Pair, task: Task) -> f64 {
    let [none, built_in, written] = deciles(pair, FORCES, task, ROUNDS);
    (written - none) / (built_in - none)
}

fn count(pair: &str, task: &str, twin: &str) {
    let task = [("residual", Task::Residual), ("tangent", Task::Tangent)].iter().find(|t| t.0 == task).map_or(Task::Run, |t| t.1);
    let twin = [("none", Twin::None), ("built-in", Twin::BuiltIn)].iter().find(|t| t.0 == twin).map_or(Twin::Written, |t| t.1);
    let Some(pair) = PAIRS.iter().find(|p| p.name.starts_with(pair)) else { return };
    Rig::new(&pair.chain(twin, FORCES)).perform(task, 1000);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [pair, task, twin] = &arguments[..] {
        return count(pair, task, twin);
    }
    println!("{:26}{:>16}{:>16}{:>12}", "written / built-in", "residual alone", "tangent alone", "whole run");
    for pair in &PAIRS {
        let (residual, tangent) = (alone(pair, Task::Residual), alone(pair, Task::Tangent));
        let [_, built_in, written] = deciles(pair, 1, Task::Run, ROUNDS / 2);
        println!("{:26}{residual:>16.2}{tangent:>16.2}{:>12.3}", pair.name, written / built_in);
    }
}
