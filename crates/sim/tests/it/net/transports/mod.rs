//! Transports between two hosts, over a path that loses, delays, repeats and marks as configured.

mod allocations;
mod any_loss;
mod cubic;
mod dctcp;
mod echoes;
mod newreno;
mod path;
mod pfabric;
mod sack;
mod unacknowledged;
