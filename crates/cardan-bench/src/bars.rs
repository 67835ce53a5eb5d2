//! The bars that Cardan has to clear, and whether it does.

use crate::compare::{Measured, Run};
use crate::plan::{FIRST, Fineness, Program};

/// A bar.
pub struct Bar {
    /// The family it is about.
    pub family: &'static str,
    /// The size.
    pub n: usize,
    /// What is asked for.
    pub demand: Demand,
}

/// What a bar asks for.
#[derive(Debug, Clone, Copy)]
pub enum Demand {
    /// At a peer's fixed step: a step so many times faster, with the same error; or with at most a part of its error, however it is reached.
    Step { peer: Program, settings: Option<&'static str>, h: f64, times: f64, error: f64 },
    /// Where both are at or below this error: so many times faster.
    Error { peer: Program, error: f64, times: f64 },
    /// CPU time of the first steps against those of the same problem of size 100, over the ratio of the sizes, at most this.
    Growth(f64),
    /// Memory in MB below this.
    Memory(f64),
    /// CPU time from the model to the end of the first step in s below this.
    Compile(f64),
}

/// A verdict on a bar.
pub struct Verdict {
    /// The bar in words.
    pub bar: String,
    /// What was measured.
    pub measured: String,
    /// Whether it is cleared; `None` if it was not measured.
    pub cleared: Option<bool>,
}

const fn faster(family: &'static str, n: usize, peer: Program, h: f64, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Step { peer, settings: None, h, times, error: 1.0 } }
}

const fn at_error(family: &'static str, n: usize, peer: Program, error: f64, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Error { peer, error, times } }
}

/// All bars.
pub const BARS: &[Bar] = &[
    faster("pendulum", 1, Program::Exudyn, 1e-3, 8.0),
    at_error("stiff-double-pendulum", 1, Program::Ida, 1e-6, 1.0),
    at_error("stiff-double-pendulum", 1, Program::Exudyn, 1e-6, 30.0),
    at_error("n-four-bar", 40, Program::Exudyn, 4e-5, 25.0),
    at_error("n-four-bar", 40, Program::Mujoco, 4e-5, 1.0),
    faster("spatial-four-bar", 40, Program::Exudyn, 1e-2, 1000.0),
    faster("chain-revolute", 100, Program::Exudyn, 1e-3, 20.0),
    Bar {
        family: "chain-revolute",
        n: 100,
        demand: Demand::Step { peer: Program::Mujoco, settings: Some("Euler"), h: 1e-3, times: 1.0, error: 0.01 },
    },
    faster("chain-revolute", 1000, Program::Exudyn, 1e-3, 25.0),
    faster("chain-revolute", 1000, Program::Mujoco, 1e-3, 1.0),
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "chain-spherical", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "tree", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Memory(200.0) },
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Compile(1.0) },
];

impl Bar {
    /// Compares what was measured with the bar.
    pub fn verdict(&self, all: &[Measured]) -> Verdict {
        let case = |n| all.iter().find(|m| m.family == self.family && m.n == n);
        let found = case(self.n).and_then(|measured| self.judge(measured, case(100)));
        let (measured, cleared) = found.map_or(("not measured".into(), None), |(text, cleared)| (text, Some(cleared)));
        Verdict { bar: format!("{} N = {}: {}", self.family, self.n, self.demand.words()), measured, cleared }
    }

    fn judge(&self, case: &Measured, hundred: Option<&Measured>) -> Option<(String, bool)> {
        match self.demand {
            Demand::Step { peer, settings, h, times, error } => {
                let at = |r: &&Run| r.planned.fineness == Fineness::Step(h) && settings.is_none_or(|s| s == r.planned.settings);
                let slow = case.of(peer).filter(at).min_by(|a, b| a.outcome.own_s().total_cmp(&b.outcome.own_s()))?;
                if error < 1.0 {
                    return Some(against(case, slow, error * slow.error?, times));
                }
                let own = case.of(Program::Cardan).find(|r| r.planned.fineness == Fineness::Step(h))?;
                let (ratio, errors) = (slow.outcome.step_s() / own.outcome.step_s(), [own.error?, slow.error?]);
                let text = format!("{ratio:.1} times, error {:.1e} against {:.1e}", errors[0], errors[1]);
                Some((text, ratio >= times && errors[0] <= crate::compare::EQUAL * errors[1]))
            }
            Demand::Error { peer, error, times } => match case.fastest(peer, error) {
                Some(slow) => Some(against(case, slow, error, times)),
                None => {
                    case.of(peer).next()?;
                    let own = case.fastest(Program::Cardan, error);
                    Some((format!("{} does not get there", peer.name()), own.is_some()))
                }
            },
            Demand::Growth(most) => {
                let (large, small) = (case.first_steps()?, hundred?.first_steps()?);
                let growth = large.step_s() / small.step_s() * 100.0 / self.n as f64;
                let work = large.work()? / small.work()?;
                Some((format!("{growth:.2} times; {work:.2} times the iterations and Jacobians"), growth <= most))
            }
            Demand::Memory(most) => {
                let memory = case.of(Program::Cardan).next()?.outcome.memory_mb?;
                Some((format!("{memory:.0} MB"), memory < most))
            }
            Demand::Compile(most) => {
                let outcome = &case.of(Program::Cardan).next()?.outcome;
                let time = outcome.compile_s? + outcome.assemble_s? + outcome.first_step_s?;
                Some((format!("{time:.2} s"), time < most))
            }
        }
    }
}

/// Compares a peer's run with the fastest of Cardan within an error.
fn against(case: &Measured, slow: &Run, error: f64, times: f64) -> (String, bool) {
    let Some(own) = case.fastest(Program::Cardan, error) else {
        return (format!("Cardan does not reach an error of {error:.1e}"), false);
    };
    let ratio = slow.outcome.own_s() / own.outcome.own_s();
    (
        format!("{ratio:.1} times, error {:.1e} against {:.1e}", own.error.unwrap_or(f64::NAN), slow.error.unwrap_or(f64::NAN)),
        ratio >= times,
    )
}

impl Demand {
    fn words(&self) -> String {
        let faster = |peer: Program, times: f64| {
            if times == 1.0 { format!("ahead of {}", peer.name()) } else { format!("≥ {times} times faster than {}", peer.name()) }
        };
        match *self {
            Demand::Step { peer, settings, h, times, error } => {
                let which = settings.map_or(String::new(), |s| format!(" {s}"));
                let part = if error < 1.0 { format!(", with {} times smaller error", 1.0 / error) } else { String::new() };
                format!("{}{which} at h = {h:e}{part}", faster(peer, times))
            }
            Demand::Error { peer, error, times } => format!("{} at an error of {error:e}", faster(peer, times)),
            Demand::Growth(most) => format!("the first {} steps at most {most} times those of N = 100, per body", FIRST),
            Demand::Memory(most) => format!("less than {most} MB"),
            Demand::Compile(most) => format!("from the model to the first step in less than {most} s"),
        }
    }
}
