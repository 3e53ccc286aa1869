//! Every fault with its whole message: place, code, text, notes, repair. One fault gives one message.

mod declarations;
mod structure;
#[path = "../support/mod.rs"]
mod support;
mod words;

use expect_test::Expect;
use support::messages;

fn module(text: &str, expected: Expect) {
    expected.assert_eq(&messages(text));
}

/// The statements in a kernel; they begin on line 2.
fn body(text: &str, expected: Expect) {
    module(&format!(".kernel @k() {{\n{text}\n}}\n"), expected);
}
