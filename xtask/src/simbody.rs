//! Simbody, a peer in C++: its library, installed where that needs no asking, and the program that runs the problems in it.

use crate::apt;
use std::path::Path;
use std::process::Command;

/// What has to be installed for it.
const PACKAGES: [&str; 3] = ["libsimbody-dev", "g++", "pkg-config"];
/// The program, beside its source and in the folder of the peers.
const PROGRAM: &str = "simbody_problems";

/// Makes the program in a folder and returns Simbody's version. Without it, Simbody's runs say so.
pub fn provide(sources: &Path, folder: &Path) -> Option<String> {
    let make = || if compile(sources, folder) { library("--modversion") } else { None };
    let version = make().or_else(|| if apt::install(&PACKAGES) { make() } else { None });
    if version.is_none() {
        eprintln!("Simbody cannot be had ({}): its runs will say so", PACKAGES.join(", "));
    }
    version
}

fn compile(sources: &Path, folder: &Path) -> bool {
    let (Some(flags), Some(libraries)) = (library("--cflags"), library("--libs")) else { return false };
    let mut compiler = Command::new("g++");
    compiler.args(["-O3", "-march=native"]).args(flags.split_whitespace());
    compiler.arg(sources.join(PROGRAM).with_extension("cpp")).arg("-o").arg(folder.join(PROGRAM));
    compiler.args(libraries.split_whitespace()).status().is_ok_and(|status| status.success())
}

/// What pkg-config tells about the library.
fn library(question: &str) -> Option<String> {
    let output = Command::new("pkg-config").args([question, "simbody"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}
