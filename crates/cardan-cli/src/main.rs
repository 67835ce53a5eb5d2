//! The `cardan` command: parse, call, print. No physics.

mod args;
mod at;
mod book;
mod commands;
mod contacts;
mod energy;
mod exit;
mod input;
mod output;
mod outputs;
mod progress;
mod real_time;
mod recorder;
mod scene;
mod size;
mod summary;
mod table;
mod timing;
mod touches;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    match commands::execute(&arguments.command) {
        Ok(code) => code.into(),
        Err(failure) => failure.report(),
    }
}
