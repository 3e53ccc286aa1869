//! The command as its users see it: statuses, what it prints where, files.

mod check;
mod common;
mod decisions;
mod docs;
mod examples;
mod explain;
mod findings;
mod fmt;
mod link;
mod llvm;
mod marks;
mod opt;
mod optimiser;
mod progress;
mod reference;
mod run;
mod schedules;
mod smith;
mod streams;
mod test;
