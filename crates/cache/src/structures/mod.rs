//! What policies are built from.

pub mod ghost_lists;
pub mod ghosts;
pub mod lists;
pub mod live_slots;

pub use ghost_lists::GhostLists;
pub use ghosts::Ghosts;
pub use lists::Lists;
pub use live_slots::LiveSlots;
