//! `[simulation]`: what makes no sense is said at its place, whatever else is in the file.

use crate::{PENDULUM, bad, good};
use cardan_io::model_file::lint;

/// The pendulum with these settings.
fn with(settings: &str) -> String {
    let (model, _) = PENDULUM.split_once("[simulation]").unwrap();
    format!("{model}[simulation]\n{settings}\n")
}

#[test]
fn every_setting_that_makes_no_sense_is_marked() {
    for (line, says) in [
        ("t_end = 0", "the end time must be positive, it is 0 s"),
        ("t_end = \"-2 s\"", "the end time must be positive, it is -2 s"),
        ("t_end = inf", "a finite number"),
        ("t_end = nan", "a finite number"),
        ("output_interval = 0", "the time between samples must be positive, it is 0 s"),
        ("output_interval = \"-10 ms\"", "the time between samples must be positive, it is -0.01 s"),
        ("output_interval = 1e-13", "does not resolve"),
        ("output_interval = -inf", "a finite number"),
        ("tolerance = 0", "the tolerance must be between 0 and 1, it is 0"),
        ("tolerance = -1e-5", "between 0 and 1"),
        ("tolerance = 1e5", "between 0 and 1, it is 100000"),
        ("tolerance = 1", "between 0 and 1"),
        ("step = 0", "the step must be positive"),
        ("step = \"-1 ms\"", "the step must be positive, it is -0.001 s"),
        ("step = 1e-20", "does not resolve"),
        ("first_step = -1", "the first step must be positive, it is -1 s"),
        ("largest_step = 0", "the largest step must be positive"),
        ("largest_step = 1e-18", "does not resolve"),
        ("threads = 0", "the number of threads must be between 1 and 1024, it is 0"),
        ("threads = 100000", "threads must be between"),
        ("newton_iterations = 0", "at least one Newton iteration"),
        ("newton_iterations = 1.5", "a whole number"),
        ("method = \"bdf\"\nmax_order = 0", "between 1 and 5, it is 0"),
        ("method = \"bdf\"\nmax_order = 6", "between 1 and 5, it is 6"),
        ("method = \"hht\"\nalpha = 0.2", "−1/3 ≤ α ≤ 0"),
        ("method = \"gen-alpha\"\nrho = 1.5", "0 ≤ ρ_∞ ≤ 1, it is 1.5"),
        ("method = \"newmark\"\ngamma = 0.4", "γ ≥ ½"),
        ("method = \"newmark\"\ngamma = 0.6\nbeta = 0.1", "it is 0.1"),
        ("method = \"local-linearization\"\norder = 3", "of order 2 or 4, not 3"),
        ("method = \"radau\"\norder = 4", "has no parameter 'order'"),
        ("method = \"radau\"\nrho = 0.5", "has no parameter 'rho'"),
        ("method = \"euler-explicit\"\nstep = 1e-3\nprojections = 0", "give 1 to 20"),
        ("tolerance = 1e-5\nstep = 1e-3", "not both"),
    ] {
        let first = if line.starts_with("t_end") { String::new() } else { "t_end = 1\n".into() };
        let source = with(&format!("{first}{line}"));
        let problems = bad(&source);
        assert_eq!(problems.list.len(), 1, "{line}: {problems}");
        let problem = &problems.list[0];
        assert!(format!("{} {}", problem.message, problem.label).contains(says), "{line}: {problems}");
        // The mark stands on the value of the last line.
        let last = line.lines().last().unwrap();
        assert_eq!(problems.position(problem).0, source.trim_end().lines().count(), "{line}: {problems}");
        assert_eq!(&source[problem.span.clone()], last.split_once(" = ").unwrap().1, "{problems}");
    }
}

#[test]
fn mistakes_of_settings_are_shown_with_all_others() {
    let source = with("t_end = -1\ntolerance = 2\noutput_interval = 0").replace("rod.tip", "rod.tap");
    let problems = bad(&source);
    assert_eq!(problems.list.len(), 4, "{problems}");
    let expected = "\
Error: simulation.tolerance: the tolerance must be between 0 and 1, it is 2; 1e-3 to 1e-9 are usual
    ╭─[ model.toml:34:13 ]
    │
 34 │ tolerance = 2
    │             ┬
    │             ╰── this setting
────╯
";
    assert!(problems.to_string().contains(expected), "{problems}");
}

#[test]
fn settings_that_do_not_go_together_are_shown_at_their_place() {
    for (settings, says, at) in [
        ("method = \"euler-explicit\"", "does not estimate its error", "\"euler-explicit\""),
        ("method = \"euler-explicit\"\ntolerance = 1e-3", "give it a fixed step", "1e-3"),
        ("method = \"dormand-prince\"\nformulation = \"index3\"", "solves the constraints as", "\"index3\""),
        ("newton_iterations = 2", "needs fixed steps", "2"),
    ] {
        let source = with(settings);
        let document = good(&source);
        let problems = document.check_settings(&document.compile().unwrap()).unwrap_err();
        assert_eq!(problems.list.len(), 1, "{settings}: {problems}");
        assert!(problems.list[0].message.contains(says), "{settings}: {problems}");
        assert_eq!(&source[problems.list[0].span.clone()], at, "{problems}");
    }
    let document = good(PENDULUM);
    assert!(document.check_settings(&document.compile().unwrap()).is_ok());
}

#[test]
fn settings_without_effect_are_noted() {
    for (settings, says) in [
        ("step = 1e-3\nfirst_step = 1e-4", "simulation.first_step has no effect"),
        ("step = 1e-3\nlargest_step = 1e-4", "simulation.largest_step has no effect"),
        ("tolerance = 0.5", "keeps hardly a digit"),
        ("t_end = 1\noutput_interval = 20", "longer than the run"),
    ] {
        let notes = lint(&good(&with(settings)));
        assert!(notes.list.iter().any(|p| p.message.contains(says) && !p.span.is_empty()), "{settings}: {notes}");
    }
}
