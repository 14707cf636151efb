//! In-order scheduling: packets of a flow leave in order of arrival, and flows are ordered by their queued items.
//!
//! A rank per packet breaks the order inside a flow when a later packet has a lower rank than an earlier one. Here flows have ranks
//! instead, computed from all their queued items ([`FlowLoad`]), and the head of the best flow is sent. When room is needed, the last item
//! of the worst flow is dropped, so the rest of the flow stays in order.
//!
//! [`FlowQueue`] is the data structure for any kind of item: packets of a simulation, jobs of a pool of threads. It can hold back flows
//! that have an item in service. [`FlowDiscipline`] uses it as the discipline of an output port or processor, [`FlowServers`] as the
//! discipline of several servers that finish the packets of a flow in order. Each flow rank is a file of `rank/`. Source: SurgeProtector
//! (thesis), section 3.5.3.

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
