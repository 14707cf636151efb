//! What the flows of a workload have in common.

use crate::endpoint::Transport;
use forebay_core::ClassId;

/// Ranks that a sender writes on its data packets.
pub trait Ranks {
    /// The rank of the next data packet.
    fn next_rank(&mut self) -> u64;
}

/// What the flows of a workload have in common.
pub struct Workload {
    /// How they are carried.
    pub transport: Box<dyn Transport>,
    /// The traffic class of their packets.
    pub class: ClassId,
    /// What ranks their data packets carry; packets without data carry rank 0.
    pub ranks: Option<Box<dyn Ranks + Send>>,
}
