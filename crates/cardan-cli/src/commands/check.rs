//! `cardan check`: what a model is, before it is run.

use super::real_time::Trial;
use crate::args::{CheckArgs, Format};
use crate::exit::{Code, Failure};
use crate::output::{count, number};
use crate::size::Size;
use crate::{input, output};
use cardan::analysis::{Assembly, assemble};
use cardan::bodies::{Body, Kind};
use cardan::contact::Contact;
use cardan::forces::PairLaw;
use cardan::results::Channels;
use cardan::system::{Reader, System};
use cardan_io::model_file::{self, Problems};
use serde_json::{Value, json};

/// Bodies that are listed at most.
const LISTED: usize = 24;

/// Checks a model.
pub fn check(args: &CheckArgs) -> Result<Code, Failure> {
    let checked = examine(args);
    match (&checked, args.json) {
        (Ok(checked), true) => output::print(&format!("{:#}\n", checked.json()))?,
        (Ok(checked), false) => output::print(&checked.text())?,
        (Err(failure), true) => output::print(&format!("{:#}\n", failure.to_json()))?,
        (Err(_), false) => {}
    }
    checked.map(|_| Code::Done)
}

fn examine(args: &CheckArgs) -> Result<Checked, Failure> {
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    if !args.realtime {
        input::check_settings(&document, &system)?;
    }
    let lint = model_file::lint(&document);
    let size = Size::of(&document.simulation, Channels::new(&system).list().len(), &[Format::Parquet]);
    let excess = size.and_then(|size| size.excess());
    let assembly = assemble(&system).map_err(|error| Failure::new(Code::Assembly, error))?;
    let trial = if args.realtime { Some(Trial::of(&document, &system, &assembly)?) } else { None };
    let contacts = laws(document.model.settled_contacts());
    Ok(Checked { bodies: document.model.bodies()[1..].to_vec(), contacts, system, assembly, lint, excess, trial })
}

/// A sentence for each contact, or for all that have the same laws.
fn laws(contacts: impl Iterator<Item = Contact>) -> Vec<String> {
    let mut groups: Vec<(String, String, usize)> = Vec::new();
    for contact in contacts {
        let words = contact.laws_in_words();
        match groups.iter_mut().find(|(_, known, _)| *known == words) {
            Some((.., more)) => *more += 1,
            None => groups.push((contact.name().into(), words, 0)),
        }
    }
    let sentence = |(name, words, more): &(String, String, usize)| match more {
        0 => format!("contact '{name}': {words}"),
        more => format!("contact '{name}' and {more} more: {words}"),
    };
    groups.iter().map(sentence).collect()
}

/// What was found.
struct Checked {
    /// Without the ground.
    bodies: Vec<Body>,
    /// Which laws the pairs of contacts have.
    contacts: Vec<String>,
    system: System,
    assembly: Assembly,
    lint: Problems,
    /// That a run would write too much.
    excess: Option<String>,
    /// What a step in real time costs.
    trial: Option<Trial>,
}

impl Checked {
    fn mass(&self) -> f64 {
        self.bodies.iter().map(|b| b.shape.mass()).sum::<f64>() + 0.0
    }

    /// Forces of all kinds, contacts among them.
    fn forces(&self) -> usize {
        self.system.force_elements().count() + self.system.pair_forces().len()
    }

    fn json(&self) -> Value {
        let (system, redundancy) = (&self.system, &self.assembly.redundancy);
        let redundant = redundancy
            .redundant
            .iter()
            .map(|r| json!({ "constraint": r.constraint, "direction": r.direction, "with": others(&r.constraint, &r.joints) }));
        let bodies = self.bodies.iter().map(|b| json!({ "name": b.name, "kind": kind(b), "mass": b.shape.mass() }));
        json!({
            "model": system.name(),
            "dof": redundancy.degrees_of_freedom,
            "equations": system.nv() + system.rows(),
            "bodies": bodies.collect::<Vec<_>>(),
            "constraints": system.constraints().len(),
            "constraint_rows": system.rows(),
            "forces": self.forces(),
            "contacts": self.contacts,
            "mass": self.mass(),
            "redundant": redundant.collect::<Vec<_>>(),
            "moved": output::moved(&self.assembly.moved),
            "initial_velocities": self.assembly.velocities.as_ref().map(output::velocities),
            "warnings": self.warnings(),
            "lint": self.lint.to_json(),
            "realtime": self.trial.as_ref().map(Trial::json),
        })
    }

    fn text(&self) -> String {
        let system = &self.system;
        let mut out = format!(
            "{}: {}\n{}, {} with {}, {}; {}\n",
            system.name(),
            count(self.assembly.redundancy.degrees_of_freedom, "degree") + " of freedom",
            count(self.bodies.len(), "body"),
            count(system.constraints().len(), "constraint"),
            count(system.rows(), "row"),
            count(self.forces(), "force"),
            count(system.nv() + system.rows(), "equation"),
        );
        out.push_str(&self.masses());
        if !self.contacts.is_empty() {
            out.push_str(&format!("\n{}\n", self.contacts.join("\n")));
        }
        let findings: Vec<String> = self.redundant().into_iter().chain(self.moved()).chain(self.remarks()).collect();
        if !findings.is_empty() {
            out.push_str(&format!("\n{}\n", findings.join("\n")));
        }
        out.extend(self.trial.as_ref().map(Trial::text));
        out
    }

    fn masses(&self) -> String {
        if self.bodies.is_empty() {
            return String::new();
        }
        let row = |b: &Body| vec![b.name.clone(), kind(b), format!("{} kg", number(b.shape.mass()))];
        let mut rows: Vec<Vec<String>> = self.bodies.iter().take(LISTED).map(row).collect();
        if let Some(more) = self.bodies.len().checked_sub(LISTED).filter(|more| *more > 0) {
            rows.push(vec![format!("… and {more} more")]);
        }
        rows.push(vec!["total".into(), String::new(), format!("{} kg", number(self.mass()))]);
        format!("\n{}", output::table(&rows))
    }

    /// Redundant constraints: one line for all directions of a joint.
    fn redundant(&self) -> Vec<String> {
        let all = &self.assembly.redundancy.redundant;
        let mut names: Vec<&str> = all.iter().map(|r| r.constraint.as_str()).collect();
        names.dedup();
        let mut lines: Vec<String> = names
            .iter()
            .map(|name| {
                let own = all.iter().filter(|r| r.constraint == *name);
                let directions: Vec<String> = own.clone().map(|r| r.direction.to_string()).collect();
                let mut with: Vec<String> = own.flat_map(|r| others(name, &r.joints)).collect();
                with.sort();
                with.dedup();
                let by = if with.is_empty() { String::new() } else { format!("; already held by {}", with.join(", ")) };
                format!("redundant: {name} in {}{by}", directions.join(", "))
            })
            .collect();
        if !lines.is_empty() {
            let motion = match self.assembly.readers.iter().any(Reader::acts) {
                true => "the motion depends on how they share the load, see the warnings",
                false => "the motion does not depend on them",
            };
            lines.push(format!("           {motion}; reactions of these joints are not unique"));
        }
        lines
    }

    /// Small repairs; larger ones are among the warnings.
    fn moved(&self) -> Vec<String> {
        let line = |m: &cardan::analysis::Moved| format!("moved to fit: {} by {:.3e} m and {:.3e} rad", m.body, m.distance, m.rotation);
        let all = if self.assembly.displaced.is_some() { &[][..] } else { &self.assembly.moved[..] };
        let mut lines: Vec<String> = all.iter().take(LISTED).map(line).collect();
        if let Some(more) = all.len().checked_sub(LISTED).filter(|more| *more > 0) {
            lines.push(format!("… and {more} more bodies"));
        }
        lines
    }

    /// Warnings of the assembly, and about the run to come.
    fn warnings(&self) -> Vec<String> {
        self.assembly.remarks().into_iter().chain(self.excess.clone()).collect()
    }

    /// Warnings, and notes about what is probably not meant, with their places.
    fn remarks(&self) -> Vec<String> {
        let warnings = self.warnings().into_iter().map(|w| format!("warning: {w}"));
        let notes = self.lint.list.iter().map(|p| {
            let (line, column) = self.lint.position(p);
            let place = if p.span.is_empty() { String::new() } else { format!(" ({}:{line}:{column})", self.lint.name) };
            let help = p.help.as_ref().map(|help| format!("\n      {help}")).unwrap_or_default();
            format!("note: {}{place}{help}", p.message)
        });
        warnings.chain(notes).collect()
    }
}

/// The joints besides the one named, in order.
fn others(name: &str, joints: &[String]) -> Vec<String> {
    let mut out: Vec<String> = joints.iter().filter(|j| *j != name).cloned().collect();
    out.sort();
    out
}

/// As it is written in model files.
fn kind(body: &Body) -> String {
    body.shape.kind_name().to_lowercase().replace(' ', "-")
}
