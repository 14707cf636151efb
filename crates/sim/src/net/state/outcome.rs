//! The results of a node with states.

use super::counts::StateNodeCounts;
use super::fetches::FetchCounts;
use super::notifier::NotifierCounts;
use super::notifying_port::Announcing;
use crate::net::graph::NodeId;
use forebay_cache::seer::SeerCounts;

/// An access: a packet arrived and needed a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateAccess {
    /// The time of the access, in picoseconds.
    pub time_ps: u64,
    /// The key of the state.
    pub key: u64,
}

/// The results of a node with states.
#[derive(Debug, Clone)]
pub struct StateOutcome {
    /// The node.
    pub node: NodeId,
    /// The counts of the counted part of the run.
    pub counts: StateNodeCounts,
    /// All accesses of the run, if they were recorded.
    pub accesses: Vec<StateAccess>,
    /// The number of accesses before counting began.
    pub uncounted: u64,
    /// The effects of notifications over the whole run, if the node was notified.
    pub told: Option<ToldOutcome>,
    /// The counts of fetches over the whole run, if they travelled over the network.
    pub fetches: Option<FetchCounts>,
}

/// The effects of notifications over a whole run, for the cache of one application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldOutcome {
    /// The counts of the cache.
    pub cache: SeerCounts,
    /// The counts of the ports that lead to the node, and of ports that lead to neighbours notified for this node alone. Ports send the
    /// same notifications to all applications of a node.
    pub notifiers: Vec<NotifierCounts>,
}

impl ToldOutcome {
    /// Of the application at `place`.
    pub(super) fn new<'a>(
        cache: SeerCounts,
        place: usize,
        notifiers: impl Iterator<Item = (usize, &'a Announcing)>,
    ) -> Self {
        Self { cache, notifiers: notifiers.map(|(link, announcing)| announcing.counts(link, place)).collect() }
    }

    /// Whether each notification that was made was dropped, sent too late to be of use, lost, used, given up, cancelled, a
    /// correction, or is still on its way to something.
    pub(super) fn is_conserved(&self) -> bool {
        let ports = self.notifiers.iter();
        let is_conserved = |port: &NotifierCounts| {
            let announcer = &port.announcer;
            announcer.made == announcer.dropped_full + announcer.stale + announcer.sent() + port.waiting
        };
        let sent: u64 = ports.clone().map(|port| port.announcer.sent() - port.lost - port.on_link - port.ended).sum();
        let fpms = &self.cache.fpms;
        ports.clone().all(is_conserved)
            && sent == fpms.received
            && fpms.received
                == fpms.full
                    + fpms.used
                    + fpms.replaced
                    + fpms.expired
                    + fpms.cancelled
                    + fpms.corrections
                    + fpms.expected
    }

    /// Whether the node was notified, correctly, of all packets that arrived between packets which it expected.
    pub(super) fn is_complete(&self) -> bool {
        let complete = |port: &NotifierCounts| {
            let all_named = port.unnamed == 0 && port.untold == 0;
            all_named
                && port.announcer.uncorrected == 0
                && port.lost == 0
                && port.announcer.dropped_full == 0
                && !port.misleading
        };
        let fpms = &self.cache.fpms;
        let all_told = fpms.full == 0 && fpms.expired == 0 && fpms.forecasts_used == 0;
        all_told && self.notifiers.iter().all(complete)
    }
}
