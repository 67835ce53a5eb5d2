//! The command as people and programs use it: exit codes, streams, files, interruption.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod analyses;
mod models;
mod runs;
mod starts;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PENDULUM: &str = r#"
name = "swing"
gravity = [0, -9.81, 0]

[parameters]
length = "1 m"

[bodies.bob]
kind = "planar"
mass = 2
inertia = 0.01
position = ["length", 0, 0]

[joints.pin]
kind = "revolute"
between = ["bob", "ground"]
at = [0, 0, 0]
axis = [0, 0, 1]

[simulation]
t_end = 1
tolerance = 1e-6
"#;

/// A folder of its own for a test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cardan-command-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardan"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn saved(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
