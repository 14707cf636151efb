//! Applications that work on packets: how much work each makes, and what can be known of it in advance.
//!
//! [`tcp`] puts the segments of TCP flows in order. [`matcher`] looks for rules in payloads. Each can be used in two
//! ways:
//!
//! - As a stream of [`Arrival`](crate::attack::Arrival)s ([`Application::arrivals`]), whose work is that of a packet whose
//!   predecessors have all been served, in order of arrival. So the same packets make the same work under every policy,
//!   and the truth can be known in advance, as the simulations of section 3.6.2 assume.
//! - As a [`Service`](crate::Service) ([`Running`]), whose state is that of the packets that were really served.
//!   There a packet that was dropped leaves its mark, and only an estimate is known in advance, as in section 3.6.1.
//!
//! A [`Workload`] is an application with its innocent and attack inputs: [`Innocent`](crate::attack::Innocent) makes the first
//! of it, [`LiveTrial`] the second.

mod application;
pub mod matcher;
mod running;
pub mod tcp;
mod workload;

pub use application::{Application, Told};
pub use running::Running;
pub use workload::{Live, LiveTrial, Workload};
