//! What a node tells the next one about a packet that waits.

use forebay_core::Duration;

/// A notification on the wire: 17 bits say which state, 11 how long the packet is, and 16 when it comes (section 6). What a
/// notification [says](Says) takes two more, where there are corrections.
pub const FPM_BITS: u32 = 44;

/// Future packet metadata (section 3.1): which state a packet that waits will ask for, how long it is, and when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fpm {
    /// The request id: which state.
    pub id: u64,
    /// How long the packet is.
    pub size_bytes: u32,
    /// How long after this notification has arrived the packet will have arrived, if nothing of a higher class comes.
    pub delay: Duration,
    /// What it says of the packet.
    pub says: Says,
}

/// What a notification says. All but the first are corrections, which are not in the paper: there, ports serve classes in strict
/// priority and push nothing out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Says {
    /// A packet comes.
    #[default]
    Comes,
    /// A packet comes that asks for no state, before others that are expected. These come later by its length.
    Overtakes,
    /// A packet of this length has left before all that are expected, and nothing was told of it. These come later by its length.
    Later,
    /// The last of the packets that are expected to ask for this state was pushed out.
    Cancelled,
}

impl Fpm {
    /// A packet of `size_bytes` comes after `delay`, and asks for the state of `id`.
    #[must_use]
    pub const fn of(id: u64, size_bytes: u32, delay: Duration) -> Self {
        Self { id, size_bytes, delay, says: Says::Comes }
    }
}
