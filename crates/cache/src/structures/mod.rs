//! What policies are built from.

pub mod ghosts;
pub mod kinetic;
pub mod late_hits;
pub mod line;
pub mod lists;
pub mod live_slots;

pub use ghosts::Ghosts;
pub use kinetic::Kinetic;
pub use late_hits::LateHits;
pub use line::{Line, Lines};
pub use lists::Lists;
pub use live_slots::LiveSlots;
