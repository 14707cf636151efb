//! Workloads of flows.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop, and say why it skips")]

mod flows;
mod patterns;
mod sizes;
mod support;
