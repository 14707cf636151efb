//! What policies are built from.

pub mod adaptive;
pub mod by_count;
pub mod experts;
pub mod ghost_lists;
pub mod ghosts;
pub mod heap;
pub mod isotonic;
pub mod kinetic;
pub mod late_hits;
pub mod line;
pub mod lists;
pub mod live_slots;
pub mod per_slot;
pub mod recency_axis;
pub mod rising;
pub mod share;
pub mod sketch;

pub use adaptive::Adaptive;
pub use by_count::ByCount;
pub use experts::Experts;
pub use ghost_lists::GhostLists;
pub use ghosts::Ghosts;
pub use heap::Heap;
pub use isotonic::{Isotonic, age};
pub use kinetic::Kinetic;
pub use late_hits::LateHits;
pub use line::{Line, Lines};
pub use lists::Lists;
pub use live_slots::LiveSlots;
pub use per_slot::PerSlot;
pub use recency_axis::RecencyAxis;
pub use rising::Rising;
pub use share::{share, share_up};
pub use sketch::Sketch;
