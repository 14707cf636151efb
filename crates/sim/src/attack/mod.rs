//! Algorithmic complexity attacks on packet processors, and the innocent traffic that they displace.
//!
//! A processor works on one packet after another, and the work differs from packet to packet. An attacker with a budget of bits sends
//! packets that make much work; innocent packets are then dropped. The displacement factor is the number of innocent bits that are lost for
//! each bit of the attacker (SurgeProtector, section 3.3.3).
//!
//! This crate has the traffic of both, the attacks that are best against a given order of service (sections 3.4.3 and 3.4.4) and the
//! published bounds. It also has trials that measure, and a search that tries to do more harm than the bounds allow.
//!
//! No policy is in here: a trial gets the queue that it loads, as an [`Element`](forebay_core::Element).

#[path = "applications/registry.rs"]
pub mod applications;
pub mod bounds;
pub mod estimator;
pub mod fluid;
mod innocents;
pub mod job_csv;
pub mod jobs;
mod measure;
pub mod optimal;
mod preemption;
mod processor;
pub mod quantity;
mod reserved_servers;
pub mod search;
pub mod traffic;
pub mod trial;
mod watermark;

pub use estimator::Estimator;
pub use jobs::{Job, Jobs};
pub use preemption::{InTurns, Turn, Turns};
pub use quantity::Quantity;
pub use reserved_servers::{SetAside, Suspected, Waiting};
pub use traffic::{Arrival, Attack, Innocent, Strategy, Timing, Traffic};
pub use watermark::Watermark;
