//! Tests of the switch without a network, whose interfaces are in memory and whose clock is moved by hand; and with devices of the kernel
//! ([`devices`]).

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod accounting;
mod changes;
mod control;
mod devices;
mod frames;
mod membership;
mod network;
mod oracle;
mod pace;
mod preparing;
mod replay;
mod same;
mod shared;
mod shared_changes;
mod soak;
mod support;
