//! Attacks on the disciplines of forebay, and on applications behind them.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod live;
mod matcher_traffic;
mod recorded_flows;
mod running;
mod search;
mod support;
mod tcp_reference;
mod tcp_traffic;
