use super::*;
use crate::cases::CASES;
use crate::compare::{Measured, Run};
use crate::measure::Outcome;
use crate::plan::{FIRST, Fineness, Planned};

/// Cardan's run of a chain that took so many seconds for 1000 steps.
fn run(fineness: Fineness, cpu_s: f64, error: f64) -> Run {
    let outcome = Outcome { steps: 1000, cpu_s, ..Outcome::default() };
    Run { planned: Planned::new(Program::Cardan, "bdf", fineness, "", 1), outcome, error: Some(error) }
}

#[test]
fn a_step_with_a_larger_error_than_the_peers_does_not_count() {
    let exudyn =
        |cpu_s| Run { planned: Planned::new(Program::Exudyn, "", Fineness::Step(1e-3), "", 1), ..run(Fineness::Step(1e-3), cpu_s, 1e-5) };
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
            Demand::Like { family, h, .. } => {
                has(Program::Cardan, Fineness::Step(h)) && CASES.iter().any(|c| c.family == family && c.n == *n && c.steps.contains(&h))
            }
            Demand::Growth(_) => has(Program::Cardan, Fineness::First(FIRST)),
            _ => !runs.is_empty(),
        };
        assert!(planned, "{family} N = {n}: {}", demand.words());
    }
}

#[test]
fn the_page_lists_the_numbers_from_elsewhere() {
    let page = include_str!("../../pages/elsewhere.md");
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
