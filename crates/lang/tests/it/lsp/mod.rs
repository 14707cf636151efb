//! The server as a client meets it: JSON in, JSON out.

#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "a test may stop at what it did not expect; messages are made where they are sent"
)]

mod any_message;
mod completion;
mod diagnostics;
mod editing;
mod includes;
mod names;
mod protocol;
mod rename;
mod support;
mod vscode;
