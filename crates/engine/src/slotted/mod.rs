//! The slotted model of buffer management: it compares what a policy and an optimum transmit.
//!
//! Source: the paper, sections II-C, IV-A and IV-B; Keslassy et al., "Providing performance guarantees in multipass network
//! processors", 2012 (its reference 26). Time is divided into slots. In each, any number of packets of one size arrive, and
//! are admitted or not; then one cycle of one packet is done. A packet whose cycles are done leaves in that slot. [`run`]
//! puts a policy through an [`Input`]; the optima know the whole input in advance.

pub mod adversarial;
pub mod fifo_processing;
mod input;
pub mod random;
pub mod search;
pub mod separate_queues;
mod simulation;
pub mod single_queue;
pub mod weighted;

pub use input::{Arrival, Input};
pub use simulation::{Service, SlottedOutcome, run};
