//! The page `benches/peers.md` and its plots.

use crate::bars::BARS;
use crate::compare::{Measured, Run};
use crate::plan::{Fineness, GROWTH_STEP, Program};
use crate::problems::FAMILIES;
use crate::reference::References;
use cardan_io::figure::{Axis, Curve, Figure, Mark, Scale};
use std::fmt::Write;

/// What stands above the tables.
const HEAD: &str = include_str!("../pages/head.md");
/// Numbers of programs that are not run here.
const ELSEWHERE: &str = include_str!("../pages/elsewhere.md");

/// The machine and the versions, one line each.
pub fn machine(versions: &[String]) -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|l| l.starts_with("model name")).and_then(|l| l.split(':').nth(1)).map_or("unknown", str::trim);
    format!("Machine: {model}, one core. Versions: Cardan {}, {}.\n", env!("CARGO_PKG_VERSION"), versions.join(", "))
}

/// The whole page.
pub fn page(all: &[Measured], references: &References, machine: &str) -> String {
    let mut out = format!("{HEAD}\n{machine}\n## Bars\n\n| bar | measured | |\n|---|---|---|\n");
    for verdict in BARS.iter().map(|bar| bar.verdict(all)) {
        let mark = verdict.cleared.map_or("–", |cleared| if cleared { "cleared" } else { "**missed**" });
        line(&mut out, format_args!("| {} | {} | {mark} |", verdict.bar, verdict.measured));
    }
    for measured in all {
        section(&mut out, measured, references);
    }
    out + "\n" + ELSEWHERE
}

fn section(out: &mut String, measured: &Measured, references: &References) {
    let key = format!("{}-{}", measured.family, measured.n);
    let summary = FAMILIES.iter().find(|f| f.name == measured.family).map_or("", |f| f.summary);
    line(out, format_args!("\n## {}, N = {}\n\n{summary}. ![error against CPU time](peers/{key}.svg)\n", measured.family, measured.n));
    if let Some(r) = references.get(&key) {
        let (source, check) = (&r.source, &r.check);
        line(out, format_args!("Reference: {source}, accurate to {:.0e}; {:.0e} away from {check}.\n", r.accuracy, r.difference));
    }
    line(out, format_args!("| program | settings | | equations | steps | Newton | Jacobians | error | CPU, ms | per step, µs | ratio |"));
    line(out, format_args!("|---|---|---|---|---|---|---|---|---|---|---|"));
    measured.runs.iter().for_each(|run| row(out, measured, run));
}

fn row(out: &mut String, measured: &Measured, run: &Run) {
    let o = &run.outcome;
    let fineness = match run.planned.fineness {
        Fineness::Step(h) => format!("h = {h:e}"),
        Fineness::Tolerance(e) => format!("tol {e:e}"),
        Fineness::First(steps) => format!("first {steps} steps of {GROWTH_STEP:e}"),
    };
    let (program, settings) = (run.planned.program.name(), &run.planned.settings);
    if let Some(reason) = &o.failure {
        line(out, format_args!("| {program} | {settings} | {fineness} | | | | | {} | | | |", reason.replace('|', "/")));
        return;
    }
    let count = |n: Option<usize>| n.map_or("–".into(), |n| n.to_string());
    let ratio = match run.planned.program {
        Program::Cardan => String::new(),
        _ => measured.ratio(run).map_or("–".into(), |r| format!("{r:.2}")),
    };
    line(
        out,
        format_args!(
            "| {program} | {settings} | {fineness} | {} | {} | {} | {} | {} | {:.3} | {:.2} | {ratio} |",
            o.equations,
            o.steps,
            count(o.newton_iterations),
            count(o.jacobians),
            run.error.map_or("–".into(), |e| format!("{e:.1e}")),
            1e3 * o.own_s(),
            1e6 * o.own_s() / o.steps.max(1) as f64,
        ),
    );
}

/// Error against CPU time, one curve for each program and settings; `None` where there are no errors.
pub fn plot(measured: &Measured) -> Option<String> {
    let mut curves: Vec<Curve> = Vec::new();
    for run in measured.runs.iter().filter(|r| r.outcome.failure.is_none()) {
        let Some(error) = run.error.filter(|e| *e > 0.0 && *e < 1e3) else { continue };
        let name = format!("{} {}", run.planned.program.name(), run.planned.settings);
        let point = (run.outcome.own_s(), error);
        match curves.iter_mut().find(|c| c.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name: name.into(), points: vec![point], mark: Mark::Dots }),
        }
    }
    let axis = |label| Axis { label, scale: Scale::Logarithmic };
    (!curves.is_empty()).then(|| Figure { x: axis("CPU time, s"), y: axis("error"), curves }.svg())
}

fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{text}");
}
