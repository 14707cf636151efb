//! Runs the programs of the target `p4`, packet by packet: an interpreter of the used part of P4_16, and the queues after it.
//!
//! A [`Switch`] does what v1model does with a program before its queues; [`Queues`] are those of a port. Widths are checked as a compiler
//! checks them. Reads of values that were never written are errors.

#![allow(clippy::unwrap_used, reason = "what the target does not write is a mistake of the target, at which it stops")]

mod egress;
mod parsing;
mod queues;
mod reader;
mod switch;
mod syntax;
mod tokens;

pub use queues::Queues;
pub use switch::{FrameOutcome, Switch};
