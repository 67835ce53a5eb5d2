//! Whether what was measured clears a bar.

use super::{Bar, Cost, Demand, Verdict};
use crate::compare::{EQUAL, Measured, Run};
use crate::growth::Growth;
use crate::plan::{Fineness, Program};

impl Bar {
    /// Compares what was measured with the bar.
    pub fn verdict(&self, all: &[Measured]) -> Verdict {
        let case = all.iter().find(|m| m.family == self.family && m.n == self.n);
        let found = case.and_then(|measured| self.judge(measured, all));
        let (measured, cleared) = found.map_or(("not measured".into(), None), |(text, cleared)| (text, Some(cleared)));
        Verdict { bar: format!("{} N = {}: {}", self.family, self.n, self.demand.words()), measured, cleared }
    }

    fn judge(&self, case: &Measured, all: &[Measured]) -> Option<(String, bool)> {
        match self.demand {
            Demand::Step { peer, settings, h, times, error } => {
                let at = |r: &&Run| r.planned.fineness == Fineness::Step(h) && settings.is_none_or(|s| s == r.planned.settings);
                let slow = case.of(peer).filter(at).min_by(|a, b| a.outcome.own_s().total_cmp(&b.outcome.own_s()))?;
                if error < 1.0 {
                    return Some(against(case, slow, error * slow.error?, times));
                }
                let own = case.at_step(Program::Cardan, h)?;
                let (ratio, errors) = (slow.outcome.step_s() / own.outcome.step_s(), [own.error?, slow.error?]);
                if errors[0] > EQUAL * errors[1] {
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
            Demand::Like { family, h, most } => {
                let other = all.iter().find(|m| m.family == family && m.n == self.n)?;
                let step_s = |case: &Measured| case.at_step(Program::Cardan, h).map(|run| run.outcome.step_s());
                let ratio = step_s(case)? / step_s(other)?;
                Some((format!("{ratio:.2} times"), ratio <= most))
            }
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
                let run = case.at_step(Program::Cardan, h)?;
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
}
