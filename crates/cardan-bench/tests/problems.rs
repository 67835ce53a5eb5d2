//! The problems are what they claim to be, and their references are those of the motion that Cardan computes.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::prelude::*;
use cardan_bench::cases::CASES;
use cardan_bench::describe::describe;
use cardan_bench::measure::{Settings, Steps, measure};
use cardan_bench::plan::Program;
use cardan_bench::problems::{FAMILIES, Problem, problem};
use cardan_bench::reference::{References, distance};

fn references() -> References {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/reference.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_problem_assembles_where_it_is_placed_with_its_degrees_of_freedom() {
    // Free rods of a net: three coordinates a node, one length a link, one spin a link.
    let cases = [
        ("pendulum", 1, 1, 0),
        ("stiff-double-pendulum", 1, 2, 0),
        ("squeezer", 1, 1, 0),
        ("n-four-bar", 3, 1, 0),
        ("spatial-four-bar", 3, 1, 9),
        ("chain-revolute", 7, 7, 0),
        ("chain-revolute-1s", 7, 7, 0),
        ("chain-parallel", 7, 7, 0),
        ("chain-random", 7, 7, 0),
        ("chain-universal", 7, 14, 0),
        ("chain-fixed", 7, 1, 0),
        ("chain-bushing", 7, 42, 0),
        ("chain-expression", 7, 42, 0),
        ("suspension", 1, 17, 0),
        ("frame", 8, 48, 0),
        ("net", 9, 21, 0),
        ("chain-spherical", 7, 21, 0),
        ("tree", 7, 7, 0),
        ("ladder", 10, 7 * 3 - 10 + 10, 0),
        ("grid", 12, 8 * 3 - 12 + 12, 0),
        ("bouncing", 4, 24, 0),
        ("cradle", 3, 3, 0),
        ("spheres", 5, 15, 0),
        ("bowling", 1, 6, 0),
    ];
    assert_eq!(cases.len(), FAMILIES.len());
    for (name, n, freedoms, redundant) in cases {
        let system = System::new(&problem(name, n).unwrap().model).unwrap();
        let assembly = assemble(&system).unwrap();
        assert_eq!(assembly.redundancy.degrees_of_freedom, freedoms, "{name}");
        assert_eq!(assembly.redundancy.redundant.len(), redundant, "{name}");
        assert!(assembly.moved.iter().all(|m| m.distance < 1e-9 && m.rotation < 1e-9), "{name} is moved: {:?}", assembly.moved);
        let jump = distance(&system.initial().v, &assembly.state.v);
        assert!(jump < 1e-9, "{name}: velocities change by {jump:e}");
    }
}

fn settings(steps: Steps) -> Settings {
    let parameters = vec![("rho".into(), 0.9)];
    Settings { method: "gen-alpha".into(), parameters, formulation: Formulation::Index2, steps, end: None, repeat: 1 }
}

#[test]
fn small_problems_come_to_their_references() {
    let references = references();
    for (name, n, h, bar) in [
        ("pendulum", 1, 1e-3, 3e-5),
        ("stiff-double-pendulum", 1, 1e-4, 2e-4),
        ("squeezer", 1, 1e-5, 5e-4),
        ("n-four-bar", 1, 1e-3, 3e-4),
        ("chain-revolute", 10, 1e-3, 3e-4),
        ("chain-spherical", 10, 1e-3, 3e-4),
    ] {
        let outcome = measure(&problem(name, n).unwrap(), &settings(Steps::Fixed(h))).unwrap();
        let error = distance(&outcome.observed, &references[&format!("{name}-{n}")].observed);
        assert!(error < bar, "{name}: {error:e}");
    }
}

#[test]
fn references_are_there_and_were_confirmed_in_another_way() {
    let references = references();
    for case in CASES {
        let reference = &references[&case.key()];
        let bar = 1e-4_f64.min(20.0 * reference.accuracy).max(1e-6);
        assert!(reference.difference < bar, "{}: {:e} from {}", case.key(), reference.difference, reference.check);
    }
}

#[test]
fn programs_with_joint_coordinates_get_trees_of_rigid_bodies() {
    for case in CASES.iter().filter(|c| !c.recursive.is_empty()) {
        let description = describe(&problem(case.family, 10).unwrap()).unwrap();
        let list = |key: &str| description[key].as_array().unwrap();
        assert_eq!(list("joints").len(), list("bodies").len(), "{}", case.family);
        assert!(list("forces").is_empty() && list("bodies").iter().all(|b| b["kind"] == "rigid"), "{}", case.family);
        assert!(list("joints").iter().all(|j| j["kind"] == "revolute" || j["kind"] == "spherical"), "{}", case.family);
    }
}

#[test]
fn runs_of_programs_with_joint_coordinates_name_integrator_and_fineness() {
    let case = CASES.iter().find(|c| c.key() == "chain-revolute-1s-1000").unwrap();
    let lines = |program| case.runs().into_iter().filter(move |r| r.program == program).map(|r| r.arguments.join(" "));
    assert!(lines(Program::Simbody).any(|line| line == "--integrator RungeKuttaMerson --tol 0.000001 --repeat 1"));
    assert!(lines(Program::Drake).any(|line| line == "--integrator discrete --step 0.001 --repeat 1"));
    assert!(lines(Program::Cardan).any(|line| line == "--method dormand-prince --tol 0.000001 --repeat 1"));
}

#[test]
fn a_chain_of_any_length_runs_for_a_whole_second() {
    assert_eq!(problem("chain-revolute-1s", 1000).unwrap().t_end, 1.0);
    assert!(problem("chain-revolute", 1000).unwrap().t_end < 1.0);
}

#[test]
fn peers_get_the_same_mechanism_where_they_know_no_functions_as_text() {
    let written = problem("chain-expression", 5).unwrap();
    let built_in = Problem { model: written.for_peers().clone(), ..written.clone() };
    let run = |problem: &Problem| measure(problem, &settings(Steps::Fixed(1e-3))).unwrap().observed;
    assert!(distance(&run(&written), &run(&built_in)) < 1e-9);
}

#[test]
fn descriptions_have_every_body_joint_and_force() {
    let description = describe(&problem("squeezer", 1).unwrap()).unwrap();
    let count = |key: &str| description[key].as_array().unwrap().len();
    assert_eq!([count("bodies"), count("joints"), count("forces"), count("observed")], [7, 10, 2, 7]);
    assert_eq!(description["forces"][1]["torque"], 0.033);
}
