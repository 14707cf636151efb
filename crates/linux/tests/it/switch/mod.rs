//! Tests of the switch without a network: its interfaces are in memory, and its clock is moved by hand.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod accounting;
mod changes;
mod control;
mod frames;
mod membership;
mod oracle;
mod pace;
mod preparing;
mod replay;
mod same;
mod shared;
mod shared_changes;
mod soak;
mod support;
