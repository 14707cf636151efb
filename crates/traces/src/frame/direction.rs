//! Which way a packet went.

/// Which way a packet went at the interface that recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}
