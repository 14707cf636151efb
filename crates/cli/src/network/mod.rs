//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.

pub(crate) mod measure;
mod ports;
mod quantity;
pub(crate) mod report;
pub(crate) mod run_result;
mod spread;
mod unfinished;
