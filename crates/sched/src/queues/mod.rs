//! Rank queues: they decide which item is dequeued first.
//!
//! Every queue is one file in `queue/` and one line in `queue/registry.rs`. The lowest rank leaves first; equal ranks leave in order of
//! arrival. Queues allocate memory when they are built, and double it when more items wait than ever before. Queues that model memories of
//! hardware allocate all their memory at once.
//!
//! | trait | adds |
//! | --- | --- |
//! | [`RankQueue`] | push, pop-min, peek-min |
//! | [`PopMax`] | the other end: drop the worst |
//! | [`Remove`] | take an item out by its handle |
//! | [`PopEligible`] | hold items back until their time |
//!
//! [`Reference`] is the definition that all exact queues are tested against.

pub mod adversary;
pub mod bitmap_tree;
pub mod bound_dynamics;
mod bound_guard;
pub mod bound_windows;
mod bucket_lists;
mod entry;
mod fibonacci;
mod gradient_steps;
mod highest_waiting;
mod inversion_cost;
mod inversion_sources;
mod keyed_slab;
pub mod latency_free;
mod min_max_heap;
mod moving_bounds;
mod optimal_bounds;
mod out_of_window;
mod partition;
mod partitioned_hffs;
pub mod pipeline_schedule;
pub mod pipelined;
#[path = "queue/registry.rs"]
pub mod queue;
mod rank_set;
mod rank_window;
pub mod recording_queue;
mod reference;
pub mod replay;
mod rolling_partitions;
mod rolling_window;
mod serve_from;
mod shaped_tree;
mod slab;
mod strict_priority;
mod tournament;
mod traits;
pub mod unpifoness;

pub use entry::{BuiltQueue, QueueEntry, QueueSize};
pub use min_max_heap::MinMaxHeap;
pub use optimal_bounds::optimal_bounds;
pub use out_of_window::Beyond;
pub use partition::Partitioning;
pub use partitioned_hffs::{PartitionedHffs, TooManyPartitions};
pub use queue::QUEUES;
pub use rank_set::{Part, RankSet};
pub use reference::Reference;
pub use rolling_partitions::RollingPartitions;
pub use rolling_window::{Place, RollingWindow};
pub use shaped_tree::ShapedTree;
pub use tournament::Tournament;
pub use traits::{Handle, PopEligible, PopMax, PushError, PushErrorKind, RankQueue, Remove};
