//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.

pub(crate) mod run_result;
