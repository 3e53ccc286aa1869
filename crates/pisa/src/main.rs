//! The `pisa` command.

fn main() {}
