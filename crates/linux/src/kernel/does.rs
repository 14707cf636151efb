//! What the programs of a policy do, as they say themselves.

use crate::kernel::parameter::Parameter;

/// What the programs of a policy do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Does {
    /// Its live parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// It reads headers of packets.
    pub(crate) reads_headers: bool,
    /// It gives congestion notifications.
    pub(crate) notifies: bool,
}
