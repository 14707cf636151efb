//! The results of a run.

use crate::net::record::FlowRecord;
use crate::net::sampling::Series;
use crate::net::state::StateOutcome;
use crate::{PortCounts, Probe};
use forebay_core::Time;

/// The numbers of dropped and lost packets, by reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Drops {
    /// Packets that a discipline dropped or pushed out.
    pub discipline: u64,
    /// Packets whose switch had no shared memory left.
    pub shared_buffer: u64,
    /// Packets on a link that failed, or that loses packets.
    pub on_link: u64,
    /// Packets whose next link was down, or that waited for it when it failed.
    pub link_down: u64,
    /// Packets without a path to their host.
    pub no_route: u64,
    /// Packets that a node had to hold back, for example for a state, and had no room for.
    pub state: u64,
}

impl Drops {
    /// The sum of all reasons.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.discipline + self.shared_buffer + self.on_link + self.link_down + self.no_route + self.state
    }
}

/// The reason why a run ended.
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

/// The results of a run; `R` is the type of its hooks' results.
pub struct NetworkOutcome<E, R = Vec<StateOutcome>> {
    /// The time of the last event, or the requested end.
    pub end: Time,
    /// The reason why the run ended.
    pub reason: RunEnd,
    /// Every flow that has started, in order of start.
    pub flows: Vec<FlowRecord>,
    /// The counts of each directed link, within the counted part of the run.
    pub ports: Vec<PortCounts>,
    /// The results of the hooks: for states, the results of each node, in the order of
    /// [`NetworkSpec::states`](crate::net::NetworkSpec::states).
    pub states: R,
    /// Packets that were dropped or lost, over the whole run.
    pub drops: Drops,
    /// The number of packets that endpoints sent.
    pub packets_injected: u64,
    /// The number of packets that arrived at a host.
    pub packets_delivered: u64,
    /// The number of packets that waited at ports, were held back by nodes, or were on a link at the end.
    pub packets_in_network: u64,
    /// The number of packet transmissions: each packet is counted on each of its links.
    pub packet_hops: u64,
    /// The number of events of the simulation.
    pub events: u64,
    /// Queues and windows over time, if requested.
    pub series: Option<Series>,
    /// The element at each directed link, with its probe.
    pub elements: Vec<(E, Option<Box<dyn Probe + Send>>)>,
}
