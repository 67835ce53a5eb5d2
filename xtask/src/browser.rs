//! A browser for the tests of the report page, installed where that needs no asking.

use crate::apt;
use std::env;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Makes sure of a browser. Where none can be had, this is what will not be tested; in continuous integration (CI=true), where all has
/// to be tested, that is a failure.
pub fn provide() -> Result<Option<&'static str>, String> {
    if installed() || (apt::install(&["chromium"]) && installed()) {
        return Ok(None);
    }
    if env::var("CI").as_deref() == Ok("true") {
        return Err(format!("no Chromium found, and with CI=true the report has to be tested: install one of {}", NAMES.join(", ")));
    }
    Ok(Some("the report in a browser (no Chromium found)"))
}

fn installed() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| NAMES.iter().any(|name| folder.join(name).is_file()))
}
