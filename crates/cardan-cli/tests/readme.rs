//! The first commands and the tutorial of the README do what it says.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The TOML blocks of the README, in order.
fn blocks() -> Vec<String> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    readme.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap().into()).collect()
}

/// The command lines of the README's shell blocks, in order, without comments.
fn commands() -> Vec<String> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).map(|line| line.split('#').next().unwrap().trim().into()).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn cardan(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardan")).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn the_first_command_runs_a_model_of_a_fresh_clone() {
    let command = &commands()[0];
    let arguments = command.strip_prefix("cargo run --release -- ").unwrap_or_else(|| panic!("{command}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(manifest.contains("default-run = \"cardan\""), "or cargo does not know which program to run");
    let (verb, model) = arguments.split_once(' ').unwrap();
    let folder = folder("readme-first");
    let output = cardan(&folder, &[verb, root.join("../..").join(model).to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.join("four-bar-results/report.html").exists());
}

#[test]
fn the_installed_command_starts_from_a_model_of_the_gallery() {
    let folder = folder("readme-new");
    let lines: Vec<String> = commands().into_iter().filter(|line| line.contains("my-linkage")).collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let output = cardan(&folder, &words);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.join("my-linkage-results/report.html").exists());
}

#[test]
fn the_tutorial_runs_as_written() {
    let (folder, blocks) = (folder("readme-runs"), blocks());
    std::fs::write(folder.join("four-bar.toml"), &blocks[0]).unwrap();
    let check = cardan(&folder, &["check", "four-bar.toml"]);
    assert!(String::from_utf8_lossy(&check.stdout).contains("1 degree"), "{check:?}");
    std::fs::write(folder.join("four-bar.toml"), blocks.join("\n")).unwrap();
    for line in [
        &["run", "four-bar.toml"][..],
        &["plot", "four-bar-results", "rocker_angle", "motor_torque", "--out", "torque.svg"],
        &["run", "four-bar.toml", "--set", "crank=90 mm", "--out", "shorter-crank"],
    ] {
        let output = cardan(&folder, line);
        assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for file in ["four-bar-results/report.html", "four-bar-results/results.parquet", "torque.svg", "shorter-crank/report.html"] {
        assert!(folder.join(file).exists(), "{file}");
    }
}

#[test]
fn the_mistake_of_the_tutorial_is_shown_as_printed() {
    let folder = folder("readme-mistake");
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let printed = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let model = blocks().join("\n").replace("rocker.top", "rocker.tip");
    std::fs::write(folder.join("four-bar.toml"), model).unwrap();
    let check = cardan(&folder, &["check", "four-bar.toml"]);
    assert_eq!(check.status.code(), Some(3));
    let shown = String::from_utf8_lossy(&check.stderr);
    for line in printed.lines() {
        assert!(shown.contains(line.trim_end()), "{line}\nis not in\n{shown}");
    }
}
