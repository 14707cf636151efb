//! The results of a run.

use crate::net::record::FlowRecord;
use crate::net::sampling::Series;
use crate::net::state::StateOutcome;
use crate::{PortCounts, Probe};
use forebay_core::Time;

/// Why packets were dropped or lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drops {
    /// A discipline dropped them or pushed them out.
    pub discipline: u64,
    /// Their switch had no shared memory left.
    pub shared_buffer: u64,
    /// They were on a link that failed, or that loses packets.
    pub on_link: u64,
    /// They were to leave through a link that is down, or waited there when it failed.
    pub link_down: u64,
    /// There was no way to their host.
    pub no_route: u64,
    /// A node was to hold them back, as for a state, and had no room.
    pub state: u64,
}

impl Drops {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.discipline + self.shared_buffer + self.on_link + self.link_down + self.no_route + self.state
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// No flow is left.
    Finished,
    /// Flows are left, but no event is pending: the packets that they wait for were lost and are not sent again, or their senders have
    /// stopped.
    Stalled,
    /// The end of the run was reached.
    TimeIsUp,
    /// [`RunOptions::go_on`](crate::net::RunOptions::go_on) said no.
    Stopped,
}

/// The results of a run; `R` is those of its hooks.
pub struct NetworkOutcome<E, R = Vec<StateOutcome>> {
    /// The time of the last event, or the end that was asked for.
    pub end: Time,
    /// Why it ended.
    pub reason: RunEnd,
    /// Every flow that has started, in order of start.
    pub flows: Vec<FlowRecord>,
    /// The counts of each directed link, within the counted part of the run.
    pub ports: Vec<PortCounts>,
    /// The results of the hooks: for states those of each node, in the order of [`NetworkSpec::states`](crate::net::NetworkSpec::states).
    pub states: R,
    /// Packets that did not arrive, over the whole run.
    pub drops: Drops,
    /// Packets that endpoints have sent.
    pub packets_injected: u64,
    /// Packets that have arrived at a host.
    pub packets_delivered: u64,
    /// Packets that waited, at ports or held back by nodes, or were on a link at the end.
    pub packets_in_network: u64,
    /// Packets sent over a link, those over several counted on each.
    pub packet_hops: u64,
    /// Events of the simulation.
    pub events: u64,
    /// Queues and windows over time, if wanted.
    pub series: Option<Series>,
    /// What stood at each directed link, with its probe.
    pub elements: Vec<(E, Option<Box<dyn Probe + Send>>)>,
}
