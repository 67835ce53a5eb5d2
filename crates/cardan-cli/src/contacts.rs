//! What is said about the contacts of a run: how much there was of each, and what it did to the steps.

use crate::output::{count, number};
use crate::summary::{list, short, shortened, word};
use cardan::forces::PairForce;
use cardan::results::{ContactRecord, Results};
use cardan::system::System;
use cardan_io::report::ContactEntry;
use serde_json::{Value, json};

/// All contacts as a JSON object.
pub fn json(system: &System, results: &Results) -> Value {
    let statistics = &results.statistics;
    let each: Vec<ContactEntry> =
        system.pair_forces().iter().zip(&results.contacts).map(|(force, record)| entry(system, force, record)).collect();
    json!({
        "found": statistics.contacts,
        "capped_steps": statistics.capped,
        "rejected_steps": statistics.rejected_by_contacts,
        "each": each,
    })
}

fn entry(system: &System, force: &PairForce, record: &ContactRecord) -> ContactEntry {
    let ContactRecord { name, touches, first, peak, peak_time, impulse, lost, capped, rejected } = record.clone();
    let shapes = force.markers().iter().map(|marker| system.marker_name(*marker)).collect();
    ContactEntry { name, shapes, touches, first, peak, peak_time, impulse, lost, capped_steps: capped, rejected_steps: rejected }
}

/// Contacts in a line for all of them and one for each; nothing where nothing has touched.
pub fn text(contacts: &Value) -> Vec<String> {
    let all = |key: &str, what: &str| of(contacts, key, what);
    if contacts["found"].as_u64().unwrap_or(0) == 0 {
        return Vec::new();
    }
    let head = format!(
        "  contacts: {}; {} shortened and {} repeated for them",
        all("found", "touch"),
        all("capped_steps", "step"),
        all("rejected_steps", "step")
    );
    let each = list(&contacts["each"]).filter(|contact| contact["touches"] != 0).map(line).collect();
    std::iter::once(head).chain(shortened(each, "contact")).collect()
}

fn line(contact: &Value) -> String {
    let value = |key: &str| contact[key].as_f64().unwrap_or(0.0);
    format!(
        "    {}: {} from t = {} s, at most {} N, {} N s, {} J lost; {} shortened, {} repeated",
        word(&contact["name"]),
        of(contact, "touches", "touch"),
        short(value("first")),
        number(value("peak")),
        number(value("impulse")),
        number(value("lost")),
        of(contact, "capped_steps", "step"),
        contact["rejected_steps"]
    )
}

fn of(value: &Value, key: &str, what: &str) -> String {
    count(value[key].as_u64().unwrap_or(0) as usize, what)
}
