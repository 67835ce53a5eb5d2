//! The project's chores. `cargo xtask test` runs every check that must pass before a change is merged.

mod apt;
mod browser;
mod format;
mod peers;
mod rapier;
mod simbody;

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// One check: what it is called, how it is made, and what to do when it fails.
struct Check {
    name: &'static str,
    means: Means,
    advice: &'static str,
}

/// How a check is made.
enum Means {
    /// By rustfmt, on every file.
    Formatting,
    /// By cargo, with these arguments and perhaps an environment variable.
    Cargo(&'static [&'static str], Option<(&'static str, &'static str)>),
}

/// The checks in order, the quickest first.
const CHECKS: [Check; 4] = [
    Check { name: "formatting", means: Means::Formatting, advice: "run `cargo xtask fmt` and look at what it changed" },
    Check {
        name: "lints",
        means: Means::Cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], None),
        advice: "every warning counts; see the messages above",
    },
    Check {
        name: "documentation",
        means: Means::Cargo(&["doc", "--workspace", "--no-deps"], Some(("RUSTDOCFLAGS", "-D warnings"))),
        advice: "a broken link, a missing comment or an unfenced formula; see the messages above",
    },
    Check {
        name: "tests, examples and documentation tests",
        means: Means::Cargo(&["test", "--workspace", "--no-fail-fast"], None),
        advice: "the failing tests are listed above; `cargo test <name>` runs one of them",
    },
];

const USAGE: &str = "usage: cargo xtask test     formatting, lints, documentation, all tests; stops at the first failure
       cargo xtask fmt      formats all Rust files
       cargo xtask papers   computes the papers' tables and figures again and writes docs/papers.md
       cargo xtask bench-peers [--quick | --only PROBLEM]
                            runs Cardan and other programs on the same problems and writes benches/peers.md
       cargo xtask bench-references [--only PROBLEM]
                            computes the reference solutions of these problems and writes benches/reference.json
       cargo xtask torture [--seeds N] [--from K] [--all] [--free] [--seconds S]
       cargo xtask torture --seed K [--method M [--tol T]] [--write model.toml]
                            runs random mechanisms with every method and compares with tight runs (docs/trust.md)";

/// What stands above the output in docs/papers.md.
const PAPERS_HEAD: &str = "\
# Papers, computed again

Tables and figures of papers, with the published number and the own one side by side. Written by `cargo xtask papers`;
`cardan reproduce ID` computes one of them.

";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => reported(test()),
        ["fmt"] => reported(format::run(format::Do::Apply)),
        ["papers"] => papers(),
        ["bench-peers", ref arguments @ ..] => reported(peers::run("compare", arguments)),
        ["bench-references", ref arguments @ ..] => reported(peers::run("reference", arguments)),
        ["torture", ref arguments @ ..] => torture(arguments),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Says what went wrong, if anything did.
fn reported(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("\nFAILED: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all checks, stopping at the first that fails. The last lines say what could not be tested.
fn test() -> Result<(), String> {
    let start = Instant::now();
    let untested = browser::provide()?;
    for (number, check) in CHECKS.iter().enumerate() {
        println!("\n[{}/{}] {}: {}", number + 1, CHECKS.len(), check.name, check.means);
        let begin = Instant::now();
        check.means.run().map_err(|reason| format!("{} ({reason})\n        {}", check.name, check.advice))?;
        println!("      passed in {:.1} s", begin.elapsed().as_secs_f64());
    }
    println!("\nAll {} checks passed in {:.1} s.", CHECKS.len(), start.elapsed().as_secs_f64());
    if let Some(what) = untested {
        println!("not tested: {what}");
    }
    Ok(())
}

/// Writes docs/papers.md and its figures.
fn papers() -> ExitCode {
    let docs = root().join("docs");
    let arguments = ["run", "--package", "cardan-cli", "--", "reproduce", "all", "--out", "papers"];
    let output = match cargo().args(arguments).current_dir(&docs).stderr(Stdio::inherit()).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            return ExitCode::FAILURE;
        }
    };
    let text = [PAPERS_HEAD.as_bytes(), &output.stdout].concat();
    match std::fs::write(docs.join("papers.md"), text) {
        Ok(()) if output.status.success() => ExitCode::SUCCESS,
        Ok(()) => {
            eprintln!("FAILED: not every number meets its bar; see docs/papers.md");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cannot write docs/papers.md: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Random mechanisms against tight runs. It runs where it is called, so that files are written there.
fn torture(arguments: &[&str]) -> ExitCode {
    let manifest = root().join("Cargo.toml");
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "cardan-bench", "--manifest-path"]).arg(manifest);
    match command.args(["--", "torture"]).args(arguments).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo could not be started: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this program.
fn cargo() -> Command {
    Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
}

/// The workspace. Cargo sets the variable when it runs the program; baked in at compile time it could be another clone's.
fn root() -> PathBuf {
    env::var("CARGO_MANIFEST_DIR").map_or_else(|_| PathBuf::from("."), |own| Path::new(&own).join(".."))
}

impl Means {
    fn run(&self) -> Result<(), String> {
        let Means::Cargo(arguments, variable) = self else { return format::run(format::Do::Check) };
        let mut command = cargo();
        command.args(*arguments).envs(*variable).current_dir(root());
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(format!("cargo could not be started: {error}")),
        }
    }
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Means::Formatting => write!(f, "rustfmt --check, on every Rust file"),
            Means::Cargo(arguments, _) => write!(f, "cargo {}", arguments.join(" ")),
        }
    }
}
