//! How the command ends: exit codes, and failures with their message.

use crate::output;
use serde_json::{Value, json};
use std::fmt::Display;
use std::process::ExitCode;

/// The table of exit codes, for `--help`.
pub const TABLE: &str = "Exit codes:
  0    done
  1    a file could not be read or written
  2    wrong use of the command
  3    the model is invalid
  4    the mechanism could not be assembled
  5    the integration failed; results up to the failure are kept
  6    a reproduced number misses its bar
  7    a step in real time took too long (--overrun stop)
  130  interrupted by Ctrl-C; results so far are kept";

/// Exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Done.
    Done = 0,
    /// A file could not be read or written.
    File = 1,
    /// Wrong use of the command.
    Usage = 2,
    /// The model is invalid.
    Model = 3,
    /// The mechanism could not be assembled.
    Assembly = 4,
    /// The integration failed.
    Integration = 5,
    /// A reproduced number misses its bar.
    Missed = 6,
    /// A step in real time took too long.
    Late = 7,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(code as u8)
    }
}

/// Why a command failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The exit code.
    pub code: Code,
    /// What happened, empty where nothing is to be said.
    pub message: String,
    /// What to try.
    pub hints: Vec<String>,
    /// The mistakes of a model file, for programs.
    pub problems: Vec<Value>,
}

impl Failure {
    /// With this code and message.
    pub fn new(code: Code, message: impl Display) -> Self {
        Self { code, message: message.to_string(), hints: Vec::new(), problems: Vec::new() }
    }

    /// A file that could not be read or written.
    pub fn file(error: impl Display) -> Self {
        Self::new(Code::File, error)
    }

    /// Nobody reads our output any more: nothing to say.
    pub fn silent() -> Self {
        Self::new(Code::Done, "")
    }

    /// The failure for programs.
    pub fn to_json(&self) -> Value {
        let mut out = json!({ "error": self.message.trim_end(), "hints": self.hints });
        if !self.problems.is_empty() {
            out["problems"] = self.problems.clone().into();
        }
        out
    }

    /// Says why on stderr.
    pub fn report(&self) -> ExitCode {
        if !self.message.is_empty() {
            output::say(&format!("error: {}", self.message.trim_end()));
            self.hints.iter().for_each(|hint| output::say(&format!("  try: {hint}")));
        }
        self.code.into()
    }
}
