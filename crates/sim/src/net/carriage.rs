//! How the flows of a workload are carried.

use crate::net::endpoint::Transport;
use forebay_core::ClassId;

/// Ranks that hosts write on packets.
pub trait Ranks {
    /// The rank of the next packet.
    fn next_rank(&mut self) -> u64;
}

/// How the flows of a workload are carried.
pub struct Carriage {
    /// How they are carried.
    pub transport: Box<dyn Transport>,
    /// The traffic class of their packets.
    pub class: ClassId,
    /// What ranks their packets carry; without it, rank 0.
    pub ranks: Option<Box<dyn Ranks + Send>>,
    /// Whether packets without data, such as acknowledgements, carry such ranks, too, or rank 0.
    pub rank_all: bool,
}
