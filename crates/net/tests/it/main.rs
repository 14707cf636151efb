//! Routes and topologies.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod reference;
mod routing;
mod topologies;
mod topology_file;
