//! `cardan completions`: for the shell to load.

use crate::args::Arguments;
use crate::exit::{Code, Failure};
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completions of a shell.
pub fn completions(shell: Shell) -> Result<Code, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "cardan", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Code::Done)
}
