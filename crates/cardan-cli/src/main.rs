//! The `cardan` command.

mod commands;
mod reproduce;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Simulate mechanical systems.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Reproduce(commands::reproduce::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Reproduce(arguments) => commands::reproduce::run(&arguments),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
