//! What the endpoints of a flow count.

/// What endpoints count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransportCounts {
    /// Data segments sent, repetitions included.
    pub data_segments: u64,
    /// Data segments that were sent again.
    pub retransmissions: u64,
    /// Times the retransmission timer expired.
    pub timeouts: u64,
    /// Those of them in which a SYN or its answer was lost or late.
    pub handshake_timeouts: u64,
    /// Times that duplicate acknowledgements caused a repetition.
    pub fast_retransmits: u64,
}
