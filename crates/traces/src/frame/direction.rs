//! The direction of a packet.

/// The direction in which a packet passed the interface that recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

impl Direction {
    /// Returns the opposite direction.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }
}
