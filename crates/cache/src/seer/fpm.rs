//! The notification that a node sends to the next one about a waiting packet.

use forebay_core::Duration;

/// A notification on the wire: 17 bits for the state, 11 for the length of the packet, and 16 for its arrival (section 6).
/// The [meaning](Says) of a notification takes two more bits, where there are corrections.
pub const FPM_BITS: u32 = 44;

/// Future packet metadata (section 3.1): the state that a waiting packet will look up, its length, and its arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fpm {
    /// The request id: which state.
    pub id: u64,
    /// How long the packet is.
    pub size_bytes: u32,
    /// Time from the arrival of this notification to that of the packet, if no packet of a higher class arrives.
    pub delay: Duration,
    /// Its meaning.
    pub says: Says,
}

/// The meaning of a notification. All but the first are corrections, which are not in the paper: there, ports serve classes
/// in strict priority and push nothing out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Says {
    /// A packet will arrive.
    #[default]
    Comes,
    /// A packet without state will arrive before others that are expected. These arrive later by its length.
    Overtakes,
    /// A packet of this length has left before all that are expected, without a notification. These arrive later by its
    /// length.
    Later,
    /// The last of the packets that are expected to look up this state was pushed out.
    Cancelled,
}

impl Fpm {
    /// A packet of `size_bytes` arrives after `delay`, and looks up the state of `id`.
    #[must_use]
    pub const fn of(id: u64, size_bytes: u32, delay: Duration) -> Self {
        Self { id, size_bytes, delay, says: Says::Comes }
    }
}
