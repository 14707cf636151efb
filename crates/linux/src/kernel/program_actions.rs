//! The actions of a policy's programs, as the programs declare them.

use crate::kernel::parameter::Parameter;

/// The actions of a policy's programs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Does {
    /// The policy's live parameters.
    pub parameters: Vec<Parameter>,
    /// Whether the policy reads headers of packets.
    pub reads_headers: bool,
    /// Whether the policy gives congestion notifications.
    pub notifies: bool,
}
