//! Routes and topologies.

#![allow(clippy::unwrap_used, reason = "a test may stop")]

mod routing;
