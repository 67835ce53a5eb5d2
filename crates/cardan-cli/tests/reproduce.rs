//! The published tables and figures, recomputed by the command as a user would.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cardan(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardan")).current_dir(folder).args(arguments).output().unwrap()
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn every_number_holds_and_the_documentation_shows_it() {
    let folder = folder("reproduce");
    let output = cardan(&folder, &["reproduce", "all", "--untimed", "--out", "papers"]);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let documented = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/papers.md")).unwrap();
    let computed = text(&output.stdout);
    for section in computed.split("\n## ").flat_map(|paper| paper.split("\n### ")) {
        assert!(documented.contains(section.trim()), "docs/papers.md is out of date, run `cargo xtask papers`; computed now:\n{section}");
    }

    let gavrea: &[_] = &[("table-1", 30), ("table-2", 30), ("table-3", 22), ("figure-2", 10), ("figure-3", 10)];
    let burgermeister: &[_] = &[
        ("figure-3", 32),
        ("figure-5", 12),
        ("car-axle-1-ms", 36),
        ("figure-6", 22),
        ("predicted-matrix", 8),
        ("figure-7", 13),
        ("figure-8", 15),
    ];
    let gil: &[_] = &[("figure-2", 5), ("figure-2-cost", 3), ("figure-5", 23), ("figure-6", 7), ("figure-7", 4)];
    let papers = [
        ("newmark-index3-gavrea", gavrea),
        ("generalized-alpha-bruls", &[("figure-3", 11), ("figure-4", 11), ("figure-5", 12), ("figure-6", 24)]),
        ("hht-index3-negrut", &[("faster", 3), ("slower", 2)]),
        ("realtime-dae-burgermeister", burgermeister),
        ("local-linearization-gil", gil),
        ("radau", &[("references", 179)]),
    ];
    for (paper, (item, numbers)) in papers.into_iter().flat_map(|(paper, items)| items.iter().map(move |item| (paper, *item))) {
        let path = |extension| folder.join(format!("papers/{paper}-{item}.{extension}"));
        let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path("json")).unwrap()).unwrap();
        assert_eq!(rows.len(), numbers, "{item}");
        assert!(rows.iter().all(|row| row["holds"] == true && row["item"] == item));
        let link = format!("]({paper}-{item}.svg)");
        assert!(std::fs::read_to_string(path("md")).unwrap().contains(&link), "{item}");
        let picture = std::fs::read_to_string(path("svg")).unwrap();
        assert!(picture.starts_with("<svg") && picture.len() < 150_000 && !picture.contains("NaN"), "{item}: {} bytes", picture.len());
    }
}

#[test]
fn one_item_as_json() {
    let output = cardan(&folder("reproduce-json"), &["reproduce", "newmark-index3-gavrea-table-2", "--json"]);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.len(), 30);
    let keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["paper", "item", "row", "quantity", "published", "own", "against", "bar", "holds"]);
    assert_eq!((&rows[0]["row"], &rows[0]["quantity"], &rows[0]["published"]), (&"2^-4".into(), &"Δq".into(), &0.156.into()));
}

#[test]
fn without_an_item_lists_them_and_unknown_ones_are_refused() {
    let here = folder("reproduce-list");
    let list = cardan(&here, &["reproduce"]);
    assert!(list.status.success() && text(&list.stdout).contains("newmark-index3-gavrea-figure-3"));
    let unknown = cardan(&here, &["reproduce", "table-99"]);
    assert!(unknown.status.code() == Some(2) && text(&unknown.stderr).contains("nothing is called `table-99`"));
}
