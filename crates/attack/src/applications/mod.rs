//! Applications that work on packets: how much work each makes, and what can be known of it in advance.
//!
//! [`tcp`] puts the segments of TCP flows in order. [`matcher`] looks for rules in payloads. Each can be used in two
//! ways:
//!
//! - As a stream of [`Arrival`](crate::Arrival)s ([`Application::arrivals`]), whose work is that of a packet whose
//!   predecessors have all been served, in order of arrival. So the same packets make the same work under every policy,
//!   and the truth can be known in advance, as the simulations of section 3.6.2 assume.
//! - As a [`Service`](forebay_sim::Service) ([`Running`]), whose state is that of the packets that were really served.
//!   There a packet that was dropped leaves its mark, and only an estimate is known in advance, as in section 3.6.1.

mod application;
mod goodput;
pub mod matcher;
mod merged;
mod running;
pub mod tcp;

pub use application::{Application, Input, Told};
pub use goodput::{Innocents, Span};
pub use merged::Merged;
pub use running::Running;

/// A stream of inputs in order of time.
pub type Inputs<T> = Box<dyn Iterator<Item = T> + Send>;
