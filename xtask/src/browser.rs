//! A browser for the tests of the report page, installed where that needs no asking: as root, with apt-get.

use std::env;
use std::process::{Command, Stdio};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes sure of a browser, or says that the tests of the page will do without.
pub fn provide() {
    if installed() {
        return;
    }
    if is_root() && succeeds("apt-get", &["update"]) && succeeds("apt-get", &["install", "-y", "--no-install-recommends", "chromium"]) {
        return;
    }
    println!("no browser found ({}): the report page will not be tested", NAMES.join(", "));
}

fn installed() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| NAMES.iter().any(|name| folder.join(name).is_file()))
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
