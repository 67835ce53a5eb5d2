//! One file a subcommand: its arguments and what it does.

pub mod reproduce;
