//! `cardan check`: what a model is, before it is run.

use crate::args::CheckArgs;
use crate::exit::{Code, Failure};
use crate::{input, output};
use cardan::analysis::{Assembly, assemble};
use cardan::bodies::Kind;
use cardan::system::System;
use cardan_io::model_file;
use serde_json::{Value, json};

/// Checks a model.
pub fn check(args: &CheckArgs) -> Result<Code, Failure> {
    let checked = examine(args);
    match (&checked, args.json) {
        (Ok(summary), true) => output::print(&format!("{summary:#}\n"))?,
        (Ok(summary), false) => output::print(&text(summary))?,
        (Err(failure), true) => output::print(&format!("{:#}\n", json!({ "error": failure.message, "hints": failure.hints })))?,
        (Err(_), false) => {}
    }
    checked.map(|_| Code::Done)
}

fn examine(args: &CheckArgs) -> Result<Value, Failure> {
    let document = input::read(&args.model, &args.set)?;
    let system = input::compile(&document)?;
    let lint = model_file::lint(&document).list.into_iter().map(|p| p.message).collect();
    let assembly = assemble(&system).map_err(|error| Failure::new(Code::Assembly, error))?;
    Ok(summary(&system, &assembly, lint))
}

fn summary(system: &System, assembly: &Assembly, lint: Vec<String>) -> Value {
    let redundancy = &assembly.redundancy;
    let redundant = redundancy.redundant.iter().map(|r| json!({ "constraint": r.constraint, "direction": r.direction, "with": r.joints }));
    let bodies = system.bodies().iter().map(|b| json!({ "name": b.name, "kind": b.shape.kind_name(), "mass": b.shape.mass() }));
    let moved = assembly.moved.iter().map(|m| json!({ "body": m.body, "distance": m.distance, "rotation": m.rotation }));
    json!({
        "model": system.name(),
        "dof": redundancy.degrees_of_freedom,
        "equations": system.nv() + system.rows(),
        "bodies": bodies.collect::<Vec<_>>(),
        "constraints": system.constraints().len(),
        "constraint_rows": system.rows(),
        "forces": system.force_elements().count(),
        "mass": system.bodies().iter().map(|b| b.shape.mass()).sum::<f64>(),
        "redundant": redundant.collect::<Vec<_>>(),
        "moved": moved.collect::<Vec<_>>(),
        "warnings": assembly.warnings,
        "lint": lint,
    })
}

fn text(summary: &Value) -> String {
    let list = |key: &str| summary[key].as_array().cloned().unwrap_or_default();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut out = format!(
        "{}: {} degrees of freedom\n{} bodies, {} constraints with {} rows, {} forces; {} equations\n",
        word(&summary["model"]),
        summary["dof"],
        list("bodies").len(),
        summary["constraints"],
        summary["constraint_rows"],
        summary["forces"],
        summary["equations"]
    );
    let mut masses: Vec<Vec<String>> =
        list("bodies").iter().map(|b| vec![word(&b["name"]), word(&b["kind"]), format!("{} kg", b["mass"])]).collect();
    masses.push(vec!["total".into(), String::new(), format!("{} kg", summary["mass"])]);
    out.push_str(&format!("\n{}", output::table(&masses)));
    for r in list("redundant") {
        let with: Vec<String> = r["with"].as_array().into_iter().flatten().map(word).collect();
        out.push_str(&format!(
            "\nredundant: {} ({}), together with {}; reactions there are not unique\n",
            word(&r["constraint"]),
            word(&r["direction"]),
            with.join(", ")
        ));
    }
    for m in list("moved") {
        let moved = |key: &str| m[key].as_f64().unwrap_or(0.0);
        out.push_str(&format!("\nmoved to fit: {} by {:.3e} m and {:.3e} rad\n", word(&m["body"]), moved("distance"), moved("rotation")));
    }
    list("warnings").iter().for_each(|w| out.push_str(&format!("\nwarning: {}\n", word(w))));
    list("lint").iter().for_each(|w| out.push_str(&format!("\nnote: {}\n", word(w).trim_end())));
    out
}
