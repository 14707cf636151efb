//! How the flows of a workload are carried.

use crate::net::endpoint::Transport;
use crate::net::flow::FlowSpec;
use crate::net::lateness::Allowances;
use forebay_core::ClassId;

/// Ranks that hosts write on packets.
pub trait Ranks {
    /// The rank of the next packet, which is one of this flow.
    fn next_rank(&mut self, flow: &FlowSpec) -> u64;
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
    /// How late their packets may be, those without data, too; without it, a slack of 0.
    pub allowances: Option<Box<dyn Allowances + Send>>,
}

impl Carriage {
    /// Packets of class 0, with rank 0 and no slack.
    #[must_use]
    pub fn plain(transport: Box<dyn Transport>) -> Self {
        Self { transport, class: ClassId(0), ranks: None, rank_all: false, allowances: None }
    }
}
