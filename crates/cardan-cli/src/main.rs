//! The `cardan` command.
fn main() {}
