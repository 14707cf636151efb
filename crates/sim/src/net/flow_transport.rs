//! The carriage of a workload's flows: transport, class, ranks and slack.

use crate::net::endpoint::Transport;
use crate::net::flow::FlowSpec;
use crate::net::lateness::Allowances;
use forebay_core::ClassId;

/// Ranks that hosts write on packets.
pub trait Ranks {
    /// The rank of the next packet, which is one of this flow.
    fn next_rank(&mut self, flow: &FlowSpec) -> u64;
}

/// The carriage of a workload's flows.
pub struct Carriage {
    /// The transport of the flows.
    pub transport: Box<dyn Transport>,
    /// The traffic class of their packets.
    pub class: ClassId,
    /// The ranks of their packets; without it, rank 0.
    pub ranks: Option<Box<dyn Ranks + Send>>,
    /// Whether packets without data, such as acknowledgements, also carry these ranks instead of rank 0.
    pub rank_all: bool,
    /// The slack of their packets, including packets without data; without it, a slack of 0.
    pub allowances: Option<Box<dyn Allowances + Send>>,
}

impl Carriage {
    /// Creates a carriage with class 0, rank 0 and no slack.
    #[must_use]
    pub fn plain(transport: Box<dyn Transport>) -> Self {
        Self { transport, class: ClassId(0), ranks: None, rank_all: false, allowances: None }
    }
}
