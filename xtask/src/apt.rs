//! Packages of the system, installed where that needs no asking: as root, with apt-get.

use std::process::{Command, Stdio};

/// Installs packages and says whether that worked.
pub fn install(packages: &[&str]) -> bool {
    is_root() && apt_get(&["update"]) && apt_get(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn apt_get(arguments: &[&str]) -> bool {
    let status = Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
