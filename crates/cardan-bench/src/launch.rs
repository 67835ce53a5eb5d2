//! Starting Cardan and its peers: every run is a process of its own, on one core, and prints one line of JSON.

use crate::measure::Outcome;
use crate::plan::{Planned, Program};
use crate::problems::problem;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A run that takes longer than this is given up.
const PATIENCE: Duration = Duration::from_secs(90);

/// What is needed to start runs.
#[derive(Debug, Clone)]
pub struct Launcher {
    /// The Python with the peers in it.
    pub python: PathBuf,
    /// The folder with the peers' programs.
    pub scripts: PathBuf,
    /// A folder for descriptions of problems.
    pub scratch: PathBuf,
}

/// A problem that cannot be prepared.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The problem cannot be made.
    #[error(transparent)]
    Problem(#[from] crate::problems::ProblemError),
    /// It cannot be described to peers.
    #[error(transparent)]
    Describe(#[from] crate::describe::DescribeError),
    /// A file cannot be written.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Launcher {
    /// Writes the description of a problem and returns its file.
    pub fn describe(&self, family: &str, n: usize) -> Result<PathBuf, LaunchError> {
        let text = crate::describe::describe(&problem(family, n)?)?.to_string();
        let path = self.scratch.join(format!("{family}-{n}.json"));
        let written = std::fs::create_dir_all(&self.scratch).and_then(|()| std::fs::write(&path, text));
        written.map_err(|source| LaunchError::Write { path: path.clone(), source })?;
        Ok(path)
    }

    /// Makes a run; failures are part of its outcome.
    pub fn run(&self, family: &str, n: usize, description: &Path, planned: &Planned) -> Outcome {
        let mut command = match planned.program {
            Program::Cardan => pinned(&std::env::current_exe().unwrap_or_else(|_| "cardan-bench".into())),
            Program::Rapier => pinned(&self.scratch.join("rapier/release/rapier_problems")),
            _ => pinned(&self.python),
        };
        match planned.program {
            Program::Cardan => command.args(["run", family, "--n", &n.to_string()]),
            Program::Exudyn => command.arg(self.scripts.join("exudyn_problems.py")).arg(description),
            Program::Mujoco => command.arg(self.scripts.join("mujoco_problems.py")).arg(description),
            Program::Simbody => {
                command.arg(self.scripts.join("simbody_problems.py")).arg(self.scratch.join("simbody_problems")).arg(description)
            }
            Program::Drake => command.arg(self.scripts.join("drake_problems.py")).arg(description),
            Program::Rapier => command.arg(description),
            Program::Ida => command.arg(self.scripts.join("ida_problems.py")).arg(family).arg(description),
        };
        finish(command.args(&planned.arguments))
    }

    /// The solution by the equations of motion in the fewest coordinates.
    pub fn exact(&self, family: &str, description: &Path) -> Outcome {
        finish(pinned(&self.python).arg(self.scripts.join("exact.py")).arg(family).arg(description))
    }
}

/// The program on one core, where `taskset` is there; linear algebra on one thread.
fn pinned(program: &Path) -> Command {
    let mut command = if Command::new("taskset").args(["-c", "0", "true"]).status().is_ok_and(|s| s.success()) {
        let mut taskset = Command::new("taskset");
        taskset.args(["-c", "0"]).arg(program);
        taskset
    } else {
        Command::new(program)
    };
    command.env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
    command
}

/// Runs a command to its end and reads the last line it prints.
fn finish(command: &mut Command) -> Outcome {
    let failed = |reason: String| Outcome { failure: Some(reason), ..Outcome::default() };
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("cannot be started: {error}")),
    };
    if !wait(&mut child) {
        return failed(format!("took longer than {} s", PATIENCE.as_secs()));
    }
    let (mut out, mut complaint) = (String::new(), String::new());
    let _ = child.stdout.take().map(|mut s| s.read_to_string(&mut out));
    let _ = child.stderr.take().map(|mut s| s.read_to_string(&mut complaint));
    let line = out.lines().last().unwrap_or_default();
    serde_json::from_str(line).unwrap_or_else(|_| failed(complaint.trim().lines().last().unwrap_or("no result").to_string()))
}

/// Waits for a process that prints little; one that takes too long is ended.
fn wait(child: &mut Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Ok(Some(_)) => return true,
            Err(_) => return false,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}
