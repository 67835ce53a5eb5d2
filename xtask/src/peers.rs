//! The comparison with other programs: a Python environment with the peers, Simbody, Rapier, a release build of `cardan-bench` for
//! the processor at hand (Exudyn and MuJoCo come compiled for AVX), and its run.

use crate::{cargo, rapier, root, simbody};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The peers, and what their programs need, in the versions that are compared.
const PACKAGES: [&str; 6] = ["exudyn==1.13.6", "mujoco==4.0.0", "scikit-sundae==1.2.0", "drake==1.51.1", "numpy==2.4.6", "scipy==1.17.1"];

/// Runs `cardan-bench compare` (or `reference`) with these further arguments.
pub fn run(command: &str, arguments: &[&str]) -> Result<(), String> {
    let root = root();
    let folder = root.join("target/peers");
    let python = environment(&folder)?;
    let simbody = simbody::provide(&root.join("benches/peers"), &folder);
    let rapier = rapier::provide(&root.join("benches/peers/rapier"), &folder);
    let mut build = cargo();
    build
        .args(["build", "--release", "--package", "cardan-bench", "--target-dir", "target/native"])
        .env("RUSTFLAGS", "-C target-cpu=native");
    succeed(build.current_dir(&root), "cardan-bench cannot be built")?;
    let mut bench = Command::new(root.join("target/native/release/cardan-bench"));
    bench.arg(command).arg("--python").arg(python).arg("--benches").arg(root.join("benches")).arg("--scratch").arg(folder);
    if command == "compare" {
        let built = [("simbody", simbody), ("rapier3d-f64", rapier)];
        let built = built.into_iter().filter_map(|(name, version)| Some(format!("{name} {}", version?)));
        let versions = PACKAGES[..4].iter().map(|package| package.replace("==", " ")).chain(built);
        bench.args(versions.flat_map(|version| ["--version".to_string(), version]));
    }
    succeed(bench.args(arguments), "the comparison failed")
}

/// Makes the Python environment if it is not there, and returns its Python. What cannot be installed fails in its own runs.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    if !python.is_file() {
        let mut make = Command::new("python3");
        succeed(
            make.args(["-m", "venv"]).arg(folder.join("venv")),
            "python3 cannot make an environment; is its package 'venv' installed?",
        )?;
    }
    for package in PACKAGES {
        let mut install = Command::new(&python);
        let advice = format!("{package} cannot be installed");
        if let Err(reason) = succeed(install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]), &advice) {
            eprintln!("{reason}: its runs will say so");
        }
    }
    Ok(python)
}

fn succeed(command: &mut Command, advice: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{advice} ({status})")),
        Err(error) => Err(format!("{advice} ({error})")),
    }
}
