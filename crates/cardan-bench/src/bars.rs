//! The bars that Cardan has to clear, and whether it does.

use crate::compare::{Measured, Run};
use crate::growth::Growth;
use crate::plan::{FIRST, Fineness, Program, SMALL};

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
    /// At a peer's fixed step: a step so many times faster, with the same error, or a whole run that is; or a run with at most a part of its
    /// error, however it is reached.
    Step { peer: Program, settings: Option<&'static str>, h: f64, times: f64, error: f64 },
    /// Where both are at or below this error: so many times faster.
    Error { peer: Program, error: f64, times: f64 },
    /// So many times faster than a program that was measured elsewhere.
    Elsewhere { peer: &'static str, cost: Cost, times: f64 },
    /// CPU time of the first steps against those of the same problem of size 100, over the ratio of the sizes, at most this.
    Growth(f64),
    /// Memory in MB below this.
    Memory(f64),
    /// CPU time from the model to the end of the first step in s below this.
    Compile(f64),
}

/// What a run took a program that is not part of the comparison; its page lists these numbers.
#[derive(Debug, Clone, Copy)]
pub enum Cost {
    /// So many ms a step, at a fixed step in s.
    Step { h: f64, ms: f64 },
    /// So many seconds, with at most this error.
    Run { error: f64, seconds: f64 },
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

const fn elsewhere(family: &'static str, n: usize, peer: &'static str, cost: Cost, times: f64) -> Bar {
    Bar { family, n, demand: Demand::Elsewhere { peer, cost, times } }
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
    elsewhere("chain-revolute", 100, "MBDyn", Cost::Step { h: 1e-3, ms: 0.9 }, 8.0),
    elsewhere("chain-revolute", 100, "Simbody", Cost::Run { error: 1e-6, seconds: 0.41 }, 1.0),
    at_error("chain-revolute", 100, Program::Simbody, 1e-6, 1.0),
    elsewhere("chain-revolute-1s", 1000, "MBDyn", Cost::Step { h: 1e-3, ms: 14.0 }, 10.0),
    elsewhere("chain-revolute-1s", 1000, "Simbody", Cost::Run { error: 1e-6, seconds: 8.8 }, 1.0),
    at_error("chain-revolute-1s", 1000, Program::Simbody, 1e-6, 1.0),
    faster("chain-revolute-1s", 1000, Program::Drake, 1e-3, 10.0),
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "chain-spherical", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "tree", n: 10000, demand: Demand::Growth(1.3) },
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Memory(200.0) },
    Bar { family: "chain-revolute", n: 10000, demand: Demand::Compile(1.0) },
];

impl Bar {
    /// Compares what was measured with the bar.
    pub fn verdict(&self, all: &[Measured]) -> Verdict {
        let case = all.iter().find(|m| m.family == self.family && m.n == self.n);
        let found = case.and_then(|measured| self.judge(measured));
        let (measured, cleared) = found.map_or(("not measured".into(), None), |(text, cleared)| (text, Some(cleared)));
        Verdict { bar: format!("{} N = {}: {}", self.family, self.n, self.demand.words()), measured, cleared }
    }

    fn judge(&self, case: &Measured) -> Option<(String, bool)> {
        match self.demand {
            Demand::Step { peer, settings, h, times, error } => {
                let at = |r: &&Run| r.planned.fineness == Fineness::Step(h) && settings.is_none_or(|s| s == r.planned.settings);
                let slow = case.of(peer).filter(at).min_by(|a, b| a.outcome.own_s().total_cmp(&b.outcome.own_s()))?;
                if error < 1.0 {
                    return Some(against(case, slow, error * slow.error?, times));
                }
                let own = case.of(Program::Cardan).find(|r| r.planned.fineness == Fineness::Step(h))?;
                let (ratio, errors) = (slow.outcome.step_s() / own.outcome.step_s(), [own.error?, slow.error?]);
                if errors[0] > crate::compare::EQUAL * errors[1] {
                    return Some(against(case, slow, errors[1], times));
                }
                Some((format!("{ratio:.1} times, error {:.1e} against {:.1e}", errors[0], errors[1]), ratio >= times))
            }
            Demand::Error { peer, error, times } => match case.fastest(peer, error) {
                Some(slow) => Some(against(case, slow, error, times)),
                None => {
                    case.of(peer).next()?;
                    let own = case.fastest(Program::Cardan, error);
                    Some((format!("{} does not get there", peer.name()), own.is_some()))
                }
            },
            Demand::Elsewhere { peer, cost, times } => cost.judge(case, peer, times),
            Demand::Growth(most) => {
                let Growth { time, range: [least, largest], work } = case.growth()?;
                Some((format!("{time:.2} times ({least:.2} to {largest:.2}); {work:.2} times the iterations and Jacobians"), time <= most))
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

impl Cost {
    /// Compares Cardan's runs of the same kind with what a peer took elsewhere.
    fn judge(self, case: &Measured, peer: &str, times: f64) -> Option<(String, bool)> {
        let (ratio, text) = match self {
            Cost::Step { h, ms } => {
                let run = case.of(Program::Cardan).find(|r| r.planned.fineness == Fineness::Step(h))?;
                let own = 1e3 * run.outcome.step_s();
                (ms / own, format!("{own:.3} ms a step against {ms} ms of {peer}"))
            }
            Cost::Run { error, seconds } => {
                case.of(Program::Cardan).next()?;
                let Some(run) = case.fastest(Program::Cardan, error) else {
                    return Some((format!("Cardan does not reach an error of {error:e}"), false));
                };
                let (own, method) = (run.outcome.own_s(), &run.planned.settings);
                (seconds / own, format!("{own:.3} s, {method}, against {seconds} s of {peer}"))
            }
        };
        Some((format!("{ratio:.1} times ({text}, measured elsewhere)"), ratio >= times))
    }

    fn words(self) -> String {
        match self {
            Cost::Step { h, .. } => format!("h = {h:e}"),
            Cost::Run { error, .. } => format!("an error of {error:e}"),
        }
    }
}

impl Demand {
    fn words(&self) -> String {
        let ahead = |peer: &str, times: f64| {
            if times == 1.0 { format!("ahead of {peer}") } else { format!("≥ {times} times faster than {peer}") }
        };
        let faster = |peer: Program, times: f64| ahead(peer.name(), times);
        match *self {
            Demand::Step { peer, settings, h, times, error } => {
                let which = settings.map_or(String::new(), |s| format!(" {s}"));
                let part = if error < 1.0 { format!(", with {} times smaller error", 1.0 / error) } else { String::new() };
                format!("{}{which} at h = {h:e}{part}", faster(peer, times))
            }
            Demand::Error { peer, error, times } => format!("{} at an error of {error:e}", faster(peer, times)),
            Demand::Elsewhere { peer, cost, times } => format!("{} elsewhere at {}", ahead(peer, times), cost.words()),
            Demand::Growth(most) => format!("the first {FIRST} steps at most {most} times those of N = {SMALL}, per body"),
            Demand::Memory(most) => format!("less than {most} MB"),
            Demand::Compile(most) => format!("from the model to the first step in less than {most} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::CASES;
    use crate::measure::Outcome;
    use crate::plan::Planned;

    /// Cardan's run of a chain that took so many seconds for 1000 steps.
    fn run(fineness: Fineness, cpu_s: f64, error: f64) -> Run {
        let outcome = Outcome { steps: 1000, cpu_s, ..Outcome::default() };
        Run { planned: Planned::new(Program::Cardan, "bdf", fineness, "", 1), outcome, error: Some(error) }
    }

    #[test]
    fn a_step_with_a_larger_error_than_the_peers_does_not_count() {
        let exudyn = |cpu_s| Run {
            planned: Planned::new(Program::Exudyn, "", Fineness::Step(1e-3), "", 1),
            ..run(Fineness::Step(1e-3), cpu_s, 1e-5)
        };
        let judged = |error: f64| {
            let own = [run(Fineness::Step(1e-3), 0.5, error), run(Fineness::Tolerance(1e-6), 2.0, 1e-6)];
            let runs = own.into_iter().chain([exudyn(20.0)]).collect();
            let found = faster("chain-revolute", 100, Program::Exudyn, 1e-3, 20.0).verdict(&[Measured {
                family: "chain-revolute".into(),
                n: 100,
                runs,
            }]);
            (found.measured, found.cleared)
        };
        assert_eq!(judged(1e-5), ("40.0 times, error 1.0e-5 against 1.0e-5".into(), Some(true)));
        assert_eq!(judged(2e-5), ("10.0 times, error 1.0e-6 against 1.0e-5".into(), Some(false)));
    }

    fn verdict(cost: Cost, times: f64, runs: Vec<Run>) -> Verdict {
        elsewhere("chain-revolute", 100, "Other", cost, times).verdict(&[Measured { family: "chain-revolute".into(), n: 100, runs }])
    }

    #[test]
    fn steps_are_compared_with_those_elsewhere_at_the_same_step() {
        let runs = || vec![run(Fineness::Step(1e-2), 9.0, 1e-2), run(Fineness::Step(1e-3), 0.5, 1e-5)];
        let cost = Cost::Step { h: 1e-3, ms: 10.0 };
        let found = verdict(cost, 20.0, runs());
        assert_eq!(found.bar, "chain-revolute N = 100: ≥ 20 times faster than Other elsewhere at h = 1e-3");
        assert_eq!(found.measured, "20.0 times (0.500 ms a step against 10 ms of Other, measured elsewhere)");
        assert_eq!(found.cleared, Some(true));
        assert_eq!(verdict(cost, 21.0, runs()).cleared, Some(false));
        assert_eq!(verdict(Cost::Step { h: 1e-4, ms: 10.0 }, 1.0, runs()).cleared, None);
    }

    #[test]
    fn runs_are_compared_with_those_elsewhere_by_the_fastest_that_is_close_enough() {
        let runs = || vec![run(Fineness::Tolerance(1e-5), 0.1, 1e-4), run(Fineness::Tolerance(1e-8), 0.4, 9e-7)];
        let found = verdict(Cost::Run { error: 1e-6, seconds: 0.8 }, 1.0, runs());
        assert_eq!(found.bar, "chain-revolute N = 100: ahead of Other elsewhere at an error of 1e-6");
        assert_eq!(found.measured, "2.0 times (0.400 s, bdf, against 0.8 s of Other, measured elsewhere)");
        assert_eq!(found.cleared, Some(true));
        assert_eq!(verdict(Cost::Run { error: 1e-9, seconds: 0.8 }, 1.0, runs()).cleared, Some(false));
        assert_eq!(verdict(Cost::Run { error: 1e-6, seconds: 0.8 }, 1.0, Vec::new()).cleared, None);
    }

    #[test]
    fn every_bar_has_a_case_with_the_runs_it_compares() {
        for Bar { family, n, demand } in BARS {
            let case = CASES.iter().find(|c| c.family == *family && c.n == *n);
            let runs = case.map(|c| c.runs()).unwrap_or_default();
            let has = |program, fineness| runs.iter().any(|r| r.program == program && fineness == r.fineness);
            let planned = match *demand {
                Demand::Step { peer, h, .. } => has(peer, Fineness::Step(h)),
                Demand::Error { peer, .. } => runs.iter().any(|r| r.program == peer),
                Demand::Elsewhere { cost: Cost::Step { h, .. }, .. } => has(Program::Cardan, Fineness::Step(h)),
                Demand::Growth(_) => has(Program::Cardan, Fineness::First(FIRST)),
                _ => !runs.is_empty(),
            };
            assert!(planned, "{family} N = {n}: {}", demand.words());
        }
    }

    #[test]
    fn the_page_lists_the_numbers_from_elsewhere() {
        let page = include_str!("../pages/elsewhere.md");
        for bar in BARS {
            let Demand::Elsewhere { peer, cost, .. } = bar.demand else { continue };
            let number = match cost {
                Cost::Step { ms, .. } => format!(" {ms}"),
                Cost::Run { seconds, .. } => format!(" {seconds} s"),
            };
            let listed = page.lines().any(|line| line.starts_with(&format!("| {peer}")) && line.contains(&number));
            assert!(listed, "{peer}{number} is not on the page");
        }
    }
}
