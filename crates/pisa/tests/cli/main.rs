//! The command as its users see it: statuses, what it prints where, files.

mod check;
mod common;
mod explain;
mod fmt;
mod link;
mod reference;
mod run;
mod streams;
