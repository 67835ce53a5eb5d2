//! Formatting of every Rust file of the project. `cargo fmt` follows the `mod` items that it can read, and those that a macro declares
//! (the joints, say) are not among them: so the files are listed by git.

use crate::root;
use std::env;
use std::path::Path;
use std::process::Command;

/// Files given to rustfmt at a time: some systems allow only short command lines.
const PORTION: usize = 200;

/// What to do with the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Do {
    /// Say what is not formatted, and fail.
    Check,
    /// Format it.
    Apply,
}

/// Checks or formats all files, with the settings of `rustfmt.toml`.
pub fn run(what: Do) -> Result<(), String> {
    let root = root();
    let mut outcome = Ok(());
    for portion in files(&root)?.chunks(PORTION) {
        let mut rustfmt = Command::new(env::var("RUSTFMT").unwrap_or_else(|_| "rustfmt".into()));
        if what == Do::Check {
            rustfmt.arg("--check");
        }
        let status = rustfmt.args(portion).current_dir(&root).status();
        match status.map_err(|error| format!("rustfmt could not be started: {error}"))? {
            status if status.success() => {}
            status => outcome = Err(status.to_string()),
        }
    }
    outcome
}

/// The Rust files that git knows or would add; whose the clone is does not matter here.
fn files(root: &Path) -> Result<Vec<String>, String> {
    let list = ["-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "*.rs"];
    let output = Command::new("git").args(list).current_dir(root).output().map_err(|error| format!("git could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("git cannot list the files: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.lines().filter(|name| root.join(name).is_file()).map(String::from).collect())
}
