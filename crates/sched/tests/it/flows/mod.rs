//! In-order scheduling of flows: the structure and the discipline against a list that does what the manual says.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod discipline;
mod naive;
mod queue;
