//! Rapier, a peer in Rust: a crate of its own outside of the workspace, so that nothing else depends on it.

use crate::cargo;
use std::path::Path;

/// The library.
const LIBRARY: &str = "rapier3d-f64";

/// Builds the program that runs the problems in it, in the folder of the peers, and returns the library's version. Without it, its runs say so.
pub fn provide(source: &Path, folder: &Path) -> Option<String> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--manifest-path"]).arg(source.join("Cargo.toml"));
    build.arg("--target-dir").arg(folder.join("rapier"));
    build.env("RUSTFLAGS", "-C target-cpu=native");
    if !build.status().is_ok_and(|status| status.success()) {
        eprintln!("Rapier cannot be built: its runs will say so");
        return None;
    }
    let lock = std::fs::read_to_string(source.join("Cargo.lock")).unwrap_or_default();
    version(&lock)
}

/// The version of the library in a lock file.
fn version(lock: &str) -> Option<String> {
    let after = lock.split(&format!("name = \"{LIBRARY}\"\nversion = \"")).nth(1)?;
    Some(after.split('"').next()?.into())
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn the_version_is_that_of_the_library() {
        let lock =
            "[[package]]\nname = \"parry3d-f64\"\nversion = \"0.26.1\"\n\n[[package]]\nname = \"rapier3d-f64\"\nversion = \"0.32.0\"\n";
        assert_eq!(version(lock), Some("0.32.0".into()));
        assert_eq!(version(""), None);
    }
}
