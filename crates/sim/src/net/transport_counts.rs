//! The counts of a flow's endpoints.

/// The counts of endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TransportCounts {
    /// The number of data segments sent, including retransmissions.
    pub data_segments: u64,
    /// The number of data segments that were sent again.
    pub retransmissions: u64,
    /// The number of times that the retransmission timer expired.
    pub timeouts: u64,
    /// The number of these timeouts in which a SYN or its answer was lost or late.
    pub handshake_timeouts: u64,
    /// The number of retransmissions that duplicate acknowledgements caused.
    pub fast_retransmits: u64,
}
