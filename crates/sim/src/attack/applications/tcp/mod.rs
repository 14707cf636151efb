//! TCP reassembly with a linked list for each flow, as Pigasus does it (SurgeProtector, sections 3.2 and 3.5.1).
//!
//! Segments that arrive ahead of a gap wait in a list ordered by sequence number. To place a segment the list is
//! followed from its head, and each node that is looked at is a traversal. Innocent flows have few waiting segments; an
//! attacker sends flows that are nothing but gaps, so that each packet has to be carried to the end of a longer list.
//!
//! ```
//! use forebay_sim::attack::applications::tcp::{AttackFlows, InnocentFlows, Reassembler};
//! use forebay_sim::attack::applications::{Application as _, Told};
//! use forebay_core::Seed;
//!
//! let innocent = Reassembler::pigasus().arrivals(InnocentFlows::default().segments(10e9, Seed(1)), Told::Truth);
//! let attack = Reassembler::pigasus().arrivals(AttackFlows::longest().segments(100e6), Told::Truth);
//! assert!(innocent.take(1_000).all(|arrival| arrival.job.work.as_ns() < 1_000));
//! assert!(attack.skip(8_000).take(100).all(|arrival| arrival.job.work.as_ns() > 30_000));
//! ```

mod attack_flows;
mod innocent_flows;
mod out_of_order;
mod reassembler;
mod replay;
mod workload;

pub use attack_flows::AttackFlows;
pub use innocent_flows::InnocentFlows;
pub use out_of_order::OutOfOrder;
pub use reassembler::{Costs, Reassembler, WINDOW_BYTES};
pub use replay::replay;
pub use workload::{InnocentSegments, Reassembly};

/// Ethernet, IPv4 and TCP headers without options, in bytes.
const HEADER_BYTES: u32 = 14 + 20 + 20;

/// The least Ethernet frame, with its check sequence.
const LEAST_BYTES: u32 = 64;

/// Length on the wire of a segment with this much data.
const fn wire_bytes(payload_bytes: u32) -> u32 {
    let bytes = payload_bytes + HEADER_BYTES;
    if bytes < LEAST_BYTES { LEAST_BYTES } else { bytes }
}
