//! Runs that are watched, ended early, or fail: what the observer sees, what is kept, what the error says.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::forces::Relative;
use cardan::math::dual::DualVec3;
use cardan::prelude::*;
use models::*;
use std::ops::ControlFlow;

#[derive(Default)]
struct Watcher {
    assembled: usize,
    times: Vec<f64>,
    steps: Vec<Progress>,
    most: usize,
    most_samples: usize,
}

impl Observer for Watcher {
    fn assembled(&mut self, assembly: &Assembly) {
        assert!(self.times.is_empty());
        self.assembled += assembly.redundancy.degrees_of_freedom;
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.times.push(sample.state.t);
        if self.times.len() == self.most_samples { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.steps.push(*progress);
        if self.steps.len() == self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_sees_every_sample_and_step() {
    let system = System::new(&pendulum()).unwrap();
    let all = Simulation::new(&system).run(1.0).unwrap();
    let mut watcher = Watcher::default();
    let kept = Simulation::new(&system).keep(Keep::Ends).run_observed(1.0, &mut watcher).unwrap();
    assert_eq!(watcher.assembled, 1);
    assert_eq!(watcher.times, all.times());
    assert_eq!(watcher.steps.len(), all.statistics.steps);
    assert!(watcher.steps.iter().enumerate().all(|(k, p)| p.statistics.steps == k + 1 && p.t_end == 1.0));
    assert!(watcher.steps.windows(2).all(|w| (w[1].t - w[0].t - w[1].h).abs() < 1e-12));
    assert_eq!(kept.samples, [all.samples[0].clone(), all.samples.last().unwrap().clone()]);
    assert_eq!((kept.energy_drift, kept.ending), (all.energy_drift, Ending::Time));
}

#[test]
fn an_observer_ends_a_run_that_keeps_what_it_has() {
    let system = System::new(&pendulum()).unwrap();
    for record in [Record::Steps, Record::Interval(0.05), Record::Ends] {
        let mut watcher = Watcher { most: 10, ..Watcher::default() };
        let run = Simulation::new(&system).step(0.01).record(record).run_observed(1.0, &mut watcher).unwrap();
        assert_eq!((run.ending, run.statistics.steps), (Ending::Stopped, 10));
        assert!((run.last().unwrap().t - 0.1).abs() < 1e-12);
        assert_eq!(watcher.times, run.times());
    }
    // Also amid the samples of one step.
    let mut watcher = Watcher { most_samples: 10, ..Watcher::default() };
    let run = Simulation::new(&system).step(0.01).record(Record::Interval(1e-9)).run_observed(1.0, &mut watcher).unwrap();
    assert_eq!((run.ending, run.samples.len(), run.statistics.steps), (Ending::Stopped, 10, 0));
    assert_eq!(watcher.times, run.times());
    let stop = Event::new("stop", |x| x.t - 0.25).terminal();
    assert_eq!(Simulation::new(&system).event(stop).run(1.0).unwrap().ending, Ending::Event);
}

/// Takes samples so many behind the steps, and ends the run at one of them.
#[derive(Default)]
struct Late {
    lag: usize,
    most: Option<usize>,
    samples: Vec<Sample>,
}

impl Observer for Late {
    fn lag(&self) -> usize {
        self.lag
    }
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        self.samples.push(sample.clone());
        if Some(self.samples.len()) == self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Bodies hanging on hinges whose axes turn from one to the next: enough of them to be worth a thread.
fn chain() -> System {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut before = (BodyId::GROUND, [0.0; 3]);
    for k in 0..60 {
        let body = model.add_body(Body::rigid(&format!("link{k}"), 1.0, Inertia::ball(1.0, 0.1)).at([k as f64 + 0.5, 0.0, 0.0]));
        let axis = [0.0, (k as f64).cos(), (k as f64).sin()];
        let (i, j) = (
            model.add_marker(Marker::on(body).at([-0.5, 0.0, 0.0]).z_along(axis)),
            model.add_marker(Marker::on(before.0).at(before.1).z_along(axis)),
        );
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
        before = (body, [0.5, 0.0, 0.0]);
    }
    System::new(&model).unwrap()
}

#[test]
fn samples_finished_beside_the_steps_are_the_same() {
    let system = chain();
    for record in [Record::Interval(7e-4), Record::Interval(1e-3), Record::Steps] {
        let simulation = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-3).record(record);
        let at_once = simulation.run(0.02).unwrap();
        for lag in [1, 3] {
            let mut late = Late { lag, ..Late::default() };
            let results = simulation.run_observed(0.02, &mut late).unwrap();
            assert_eq!(results, at_once);
            assert_eq!(late.samples, at_once.samples);
        }
    }
}

#[test]
fn a_run_that_is_ended_late_keeps_the_samples_under_way() {
    let system = chain();
    let mut late = Late { lag: 2, most: Some(5), ..Late::default() };
    let simulation = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-3).record(Record::Steps);
    let run = simulation.run_observed(0.1, &mut late).unwrap();
    assert_eq!((run.ending, run.samples.len()), (Ending::Stopped, 5 + 2));
    assert_eq!(late.samples, run.samples);
    assert!((run.last().unwrap().t - 6e-3).abs() < 1e-12);
}

/// A slider pushed along y by a force of time and state.
fn pushed(push: impl Fn(&Relative) -> f64 + Send + Sync + 'static) -> System {
    let mut model = Model::new("slider");
    let slider = model.add_body(Body::point("slider", 1.0));
    let (i, j) = (model.add_marker(Marker::on(slider)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(VectorForce::new("push", i, j, move |k| DualVec3::new(0.0.into(), Dual::constant(push(k)), 0.0.into())));
    System::new(&model).unwrap()
}

#[test]
fn a_step_that_does_not_converge_names_the_equation() {
    // The force turns against every correction: no solution within reach.
    let system = pushed(|k| if k.time < 0.05 { 0.0 } else { -1e6 * (k.displacement.y.v + 1e-9).signum() });
    let mut watcher = Watcher::default();
    let error = Simulation::new(&system).step(0.01).record(Record::Interval(0.03)).run_observed(1.0, &mut watcher).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.culprit(), Some(("slider", "the force balance along y")), "{text}");
    assert!((error.time().unwrap() - 0.04).abs() < 0.011 && (error.step().unwrap() - 0.01).abs() < 1e-9, "{text}");
    assert!(text.contains("slider") && text.contains("smaller step"), "{text}");
    assert!(!error.likely_mistake().is_empty() && error.hints()[0].contains("smaller step"));
    assert_eq!(watcher.times.last(), error.time().as_ref(), "what was reached is kept to the last step");
}

#[test]
fn a_tolerance_out_of_reach_names_the_body() {
    let system = pushed(|k| if k.time < 0.5 { 0.0 } else { 1e5 });
    let options = Options { smallest_step: 1e-3, ..Options::default() };
    let error = Simulation::new(&system).method(Hht::default()).options(options).tolerance(1e-9).run(1.0).unwrap_err();
    let text = error.to_string();
    assert_eq!(error.culprit(), Some(("slider", "force balance along y")), "{text}");
    assert!(text.contains("jump") && error.hints()[0].contains("jump"), "{text}");
}

#[test]
fn an_assembly_that_fails_says_what_to_try() {
    let mut model = pendulum();
    let tip = Marker::on(model.markers()[0].body);
    let (tip, far) = (model.add_marker(tip), model.add_marker(Marker::on(BodyId::GROUND).at([9.0, 0.0, 0.0])));
    model.add_joint(Joint::new("short", Rod { length: 1.0 }, tip, far));
    let error = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap_err();
    assert!(error.time().is_none() && error.results().is_none());
    assert!(error.hints()[0].contains("lengths"));
}

#[test]
fn settings_that_make_no_sense_are_refused_before_the_run() {
    let system = System::new(&pendulum()).unwrap();
    let new = || Simulation::new(&system);
    let cases: Vec<(Simulation, f64, &str)> = vec![
        (new(), 0.0, "t_end"),
        (new(), -1.0, "t_end"),
        (new(), f64::NAN, "t_end"),
        (new(), f64::INFINITY, "t_end"),
        (new().record(Record::Interval(0.0)), 1.0, "output_interval"),
        (new().record(Record::Interval(-0.1)), 1.0, "output_interval"),
        (new().record(Record::Interval(f64::NAN)), 1.0, "output_interval"),
        (new().record(Record::Interval(1e-13)), 1.0, "output_interval"),
        (new().record(Record::Times(vec![0.1, f64::NAN])), 1.0, "times"),
        (new().record(Record::Times(vec![0.2, 0.1])), 1.0, "times"),
        (new().first_step(-1.0), 1.0, "first_step"),
        (new().first_step(f64::INFINITY), 1.0, "first_step"),
        (new().largest_step(0.0), 1.0, "largest_step"),
        (new().largest_step(f64::NAN), 1.0, "largest_step"),
        (new().largest_step(1e-15), 1.0, "largest_step"),
        (new().step(0.0), 1.0, "step"),
        (new().step(1e-17), 1.0, "step"),
        (new().tolerance(-1e-3), 1.0, "tolerance"),
        (new().tolerance(1e3), 1.0, "tolerance"),
        (new().tolerance(f64::NAN), 1.0, "tolerance"),
        (new().options(Options { threads: 0, ..Options::default() }), 1.0, "threads"),
        (new().options(Options { threads: 1_000_000, ..Options::default() }), 1.0, "threads"),
        (new().step(0.1).options(Options { iterations: Iterations::Fixed(0), ..Options::default() }), 1.0, "newton_iterations"),
        (new().options(Options { iterations: Iterations::Fixed(2), ..Options::default() }), 1.0, "newton_iterations"),
        (new().method(Bdf { max_order: 9 }), 1.0, "method"),
    ];
    for (simulation, t_end, setting) in cases {
        let mistakes = simulation.mistakes(t_end);
        assert_eq!(mistakes.iter().map(|m| m.setting).collect::<Vec<_>>(), [setting], "{mistakes:?}");
        let mut watcher = Watcher::default();
        let error = simulation.run_observed(t_end, &mut watcher).unwrap_err();
        assert_eq!((error.to_string(), watcher.assembled), (mistakes[0].message.clone(), 0));
    }
    assert!(new().largest_step(f64::INFINITY).first_step(1e-9).mistakes(1.0).is_empty());
}
