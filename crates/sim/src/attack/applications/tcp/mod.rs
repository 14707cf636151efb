//! TCP reassembly with a linked list for each flow, as Pigasus does it (SurgeProtector, sections 3.2 and 3.5.1).
//!
//! Segments that arrive ahead of a gap wait in a list ordered by sequence number. To insert a segment, the list is followed from its head,
//! and each visited node is a traversal. Innocent flows have few waiting segments; an attacker sends flows with a gap before each segment,
//! so each packet is inserted at the end of a longer list.
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

use super::ApplicationEntry;
use forebay_core::{About, Exactness, ParamSpec};

mod attack_flows;
mod innocent_flows;
mod memory;
mod out_of_order;
mod reassembler;
mod replay;
mod structure;
mod workload;

pub use attack_flows::AttackFlows;
pub use innocent_flows::InnocentFlows;
pub use memory::Victim;
pub use out_of_order::{OutOfOrder, Placed};
pub use reassembler::{Costs, NODE_BYTES, Reassembler, WINDOW_BYTES};
pub use replay::replay;
pub use structure::Structure;
pub use workload::{InnocentSegments, Reassembly};

/// The registry's entry for [`Reassembly`].
pub const ENTRY: ApplicationEntry = ApplicationEntry {
    about: About {
        name: "tcp-reassembly",
        title: "reassembly of TCP flows; an attacker sends flows with gaps",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "`fixed`, and `traversal` for each node that is looked at; at most half a window of nodes, or `max_nodes`",
        source: "SurgeProtector (thesis), sections 3.2, 3.5.1 and 3.8",
        params: &[],
    },
    attack: &[
        ParamSpec::integer("out_of_order", 1, 1 << 20, None, "segments of an attack flow beyond its gap"),
        ParamSpec::integer(
            "repeats",
            0,
            u32::MAX as u64,
            Some(0),
            "how often the last segment of a flow is sent again",
        ),
        ParamSpec::integer("flows", 1, 1_000, Some(1), "number of attack flows that are sent in turn"),
    ],
    make: None,
};

/// Ethernet, IPv4 and TCP headers without options, in bytes.
const HEADER_BYTES: u32 = 14 + 20 + 20;

/// The least Ethernet frame, with its check sequence.
const LEAST_BYTES: u32 = 64;

/// Length on the wire of a segment with this much data.
const fn wire_bytes(payload_bytes: u32) -> u32 {
    let bytes = payload_bytes + HEADER_BYTES;
    if bytes < LEAST_BYTES { LEAST_BYTES } else { bytes }
}
