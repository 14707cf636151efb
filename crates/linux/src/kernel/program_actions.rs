//! What the programs of a policy do, as they declare themselves.

use crate::kernel::parameter::Parameter;

/// What the programs of a policy do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Does {
    /// Its live parameters.
    pub parameters: Vec<Parameter>,
    /// It reads headers of packets.
    pub reads_headers: bool,
    /// It gives congestion notifications.
    pub notifies: bool,
}
