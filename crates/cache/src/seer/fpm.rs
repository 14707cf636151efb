//! What a node tells the next one about a packet that waits.

use forebay_core::Duration;

/// A notification on the wire: 17 bits say which state, 11 how long the packet is, and 16 when it comes (section 6).
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
}
