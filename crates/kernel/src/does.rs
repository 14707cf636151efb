//! What the programs of a policy do, as they say themselves.

/// What the programs of a policy do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Does {
    /// It reads headers of packets.
    pub(crate) reads_headers: bool,
    /// It gives congestion notifications.
    pub(crate) notifies: bool,
}
