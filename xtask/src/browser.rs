//! A browser for the tests of the report page, installed where that needs no asking.

use crate::apt;
use std::env;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes sure of a browser, or says that the tests of the page will do without.
pub fn provide() {
    if !installed() && !apt::install(&["chromium"]) {
        println!("no browser found ({}): the report page will not be tested", NAMES.join(", "));
    }
}

fn installed() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| NAMES.iter().any(|name| folder.join(name).is_file()))
}
