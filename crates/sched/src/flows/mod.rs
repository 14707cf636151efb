//! In-order scheduling: packets of a flow leave in order of arrival, and flows are ordered by what they have queued.
//!
//! A rank per packet breaks the order inside a flow when a later packet is the better one. Here flows have ranks
//! instead, computed from all that they have queued ([`FlowLoad`]), and the best flow gives its head. When room is
//! needed, the worst flow gives its last item, so what is left of it stays in order.
//!
//! [`FlowQueue`] is the structure, for whatever waits: packets of a simulation, jobs of a pool of threads. It can hold
//! back flows that have an item in service. [`FlowDiscipline`] is the discipline of an output port or processor on it,
//! [`FlowServers`] that of several servers that finish the packets of a flow in order.
//! Ranks of flows are the files of `rank/`. Source: SurgeProtector (thesis), section 3.5.3.

mod discipline;
mod load;
mod order;
mod pool;
mod queue;
#[path = "rank/registry.rs"]
pub mod rank;
mod servers;
mod table;

pub use discipline::FlowDiscipline;
pub use load::{FlowLoad, FlowRank, FlowRankEntry, Job};
pub use order::FlowOrder;
pub use queue::{FlowQueue, Taken};
pub use rank::FLOW_RANKS;
pub use servers::FlowServers;
