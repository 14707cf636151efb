//! Rank queues: what decides which item leaves first.
//!
//! Every queue is one file in `queue/` and one line in `queue/registry.rs`. The
//! lowest rank leaves first; equal ranks leave in order of arrival. Queues
//! allocate when they are built, not while they run.
//!
//! | trait | adds |
//! | --- | --- |
//! | [`RankQueue`] | push, pop-min, peek-min |
//! | [`PopMax`] | the other end: drop the worst |
//! | [`Remove`] | take an item out by its handle |
//! | [`PopEligible`] | hold items back until their time |
//!
//! [`Reference`] is the definition that all exact queues are tested against.

mod bitmap_tree;
pub mod entry;
mod min_max_heap;
#[path = "queue/registry.rs"]
pub mod queue;
mod rank_window;
pub mod reference;
pub mod replay;
mod slab;
mod strict_priority;
pub mod traits;

pub use entry::{BuiltQueue, QueueEntry, QueueSize};
pub use queue::QUEUES;
pub use reference::Reference;
pub use traits::{Handle, PopEligible, PopMax, PushError, PushErrorKind, RankQueue, Remove};
