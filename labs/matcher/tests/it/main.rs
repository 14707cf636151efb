//! Tests of the matcher. Those that run it need the libraries and rules of Debian, and are skipped with a message where
//! they are missing.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod agreement;
mod attack;
mod command;
mod native;
mod pace;
mod processor;
mod rules;
mod slices;
mod support;
