//! Attacks on the disciplines of forebay, and on applications behind them.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod decompression;
mod hash_table;
mod live;
mod matcher_traffic;
mod preemption;
mod recorded_flows;
mod registered;
mod running;
mod search;
mod support;
mod tcp_reference;
mod tcp_traffic;
mod tuple_space_search;
mod watermark;
