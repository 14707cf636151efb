//! Networks as a whole.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a test may stop")]

mod caches;
mod congestion;
mod conservation;
mod controls;
mod head_of_line;
mod hooks;
mod host_transport;
mod impaired;
mod lateness;
mod notified;
mod notified_unqueued;
mod one_port;
mod queueing_theory;
mod random_networks;
mod reference;
mod relayed;
mod remote_fetches;
mod rerouting;
mod routing;
mod sack;
mod shared_element;
mod states;
mod strict_priority_ports;
mod support;
mod topologies;
mod topology_file;
mod transports;
mod unloaded_flow_time;
mod workload;
