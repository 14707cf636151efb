//! The counters, and whether they add up.

use crate::switch::interface::LinkState;
use crate::switch::rule::Dropped;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The counters of a switch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Frames that were made from others: flooded to more than one port, or cut from large ones.
    pub copies: u64,
    /// Addresses that were learnt.
    pub addresses: u64,
    /// The counters of the ports, in the order in which they were given.
    pub ports: Vec<PortStats>,
    /// The sum of the counters of ports that were removed while the switch ran.
    #[serde(default, skip_serializing_if = "Removed::is_none")]
    pub removed: Removed,
}

/// The sums over all ports that were removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// The number of removed ports.
    pub ports: u64,
    /// The sum of [`PortStats::received`].
    pub received: u64,
    /// The sum of [`PortStats::received_bytes`].
    pub received_bytes: u64,
    /// The sum of [`PortStats::lost_before`].
    pub lost_before: u64,
    /// The sum of [`PortStats::dropped_on_arrival`].
    pub dropped_on_arrival: Dropped,
    /// The sum of [`PortStats::offered`].
    pub offered: u64,
    /// The sum of [`PortStats::sent`].
    pub sent: u64,
    /// The sum of [`PortStats::sent_bytes`].
    pub sent_bytes: u64,
    /// The sum of [`PortStats::marked`].
    pub marked: u64,
    /// The sum of [`PortStats::notified`].
    pub notified: u64,
    /// The sum of [`PortStats::dropped`].
    pub dropped: Dropped,
}

impl Removed {
    fn is_none(&self) -> bool {
        self.ports == 0
    }

    /// Adds the counters of a port without queued frames.
    pub(crate) fn add(&mut self, port: &PortStats) {
        self.ports += 1;
        self.received += port.received;
        self.received_bytes += port.received_bytes;
        self.lost_before += port.lost_before;
        self.dropped_on_arrival.add_all(&port.dropped_on_arrival);
        self.offered += port.offered;
        self.sent += port.sent;
        self.sent_bytes += port.sent_bytes;
        self.marked += port.marked;
        self.notified += port.notified;
        self.dropped.add_all(&port.dropped);
    }
}

/// The counters of a port.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortStats {
    /// The interface.
    pub name: String,
    /// The interface's state, including whether it belongs to another device.
    #[serde(default)]
    pub link: LinkState,
    /// The port's rate in bits per second; absent if it sends as fast as the interface accepts frames.
    pub rate_bps: Option<u64>,
    /// The policy of the port's egress. Ports share a policy that has several ports.
    pub policy: PolicyStats,
    /// Frames that arrived.
    pub received: u64,
    /// The bytes of `received`.
    pub received_bytes: u64,
    /// Frames that arrived and that the kernel lost before the switch saw them.
    pub lost_before: u64,
    /// Received frames that were dropped before a port was chosen.
    pub dropped_on_arrival: Dropped,
    /// Frames that were forwarded to this port.
    pub offered: u64,
    /// Frames that departed.
    pub sent: u64,
    /// The bytes of `sent`.
    pub sent_bytes: u64,
    /// Queued frames.
    pub waiting: u64,
    /// The bytes of `waiting`.
    pub waiting_bytes: u64,
    /// Sent frames that the policy marked as drop eligible.
    pub marked: u64,
    /// Sent frames whose congestion the policy notified, whether or not their header could express it.
    pub notified: u64,
    /// Frames that were forwarded to this port and dropped.
    pub dropped: Dropped,
    /// The queues that any version of the policy had at this port, by name.
    pub queues: Vec<QueueStats>,
    /// Why the recording of operations stopped, if it did. If ports share a recording, the first of them reports it.
    pub record_error: Option<String>,
}

/// A running policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyStats {
    /// The policy's file.
    pub name: String,
    /// The version: 1 at first, and one more after each change.
    pub version: u32,
    /// The live parameters and their values, in the syntax of policies.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

/// The counters of a queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueStats {
    /// The queue's name in the policy.
    pub name: String,
    /// Packets that were directed to the queue.
    pub offered: u64,
    /// Packets that departed.
    pub sent: u64,
    /// The bytes of `sent`.
    pub sent_bytes: u64,
    /// Queued packets, including one that the interface holds.
    pub waiting: u64,
    /// The bytes of `waiting`.
    pub waiting_bytes: u64,
    /// As [`PortStats::marked`].
    pub marked: u64,
    /// As [`PortStats::notified`].
    pub notified: u64,
    /// As [`PortStats::dropped`].
    pub dropped: Dropped,
}

/// Counters that do not add up: a frame was lost or counted twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unaccounted {
    /// The counters between the interfaces and the ports disagree.
    #[error("{came} frames arrived or were made, and {gone} were dropped or offered to ports")]
    Switch {
        /// Frames that arrived or were made from others.
        came: u64,
        /// Frames that were dropped or offered to ports.
        gone: u64,
    },
    /// The counters of a port disagree.
    #[error("port {port}: {offered} frames were offered, and {found} are found")]
    Port {
        /// The port.
        port: String,
        /// Frames that were forwarded to the port.
        offered: u64,
        /// Frames that were sent, are queued, or were dropped.
        found: u64,
    },
    /// The sums over removed ports disagree.
    #[error("removed ports: {offered} frames were offered, and {found} are found")]
    Removed {
        /// Frames that were forwarded to removed ports.
        offered: u64,
        /// Frames that were sent, or were dropped.
        found: u64,
    },
    /// The counters of a queue disagree.
    #[error("port {port}, queue {queue}: {offered} packets arrived, and {found} are found")]
    Queue {
        /// The port.
        port: String,
        /// The queue.
        queue: String,
        /// Packets that arrived.
        offered: u64,
        /// Packets that were sent, are queued, or were dropped.
        found: u64,
    },
    /// A port's number is not the sum of its queues' numbers.
    #[error("port {port}: {what}: {whole}, and {parts} in its queues")]
    Sum {
        /// The port.
        port: String,
        /// The name of the counter.
        what: &'static str,
        /// The port's number.
        whole: u64,
        /// The sum of its queues' numbers.
        parts: u64,
    },
}

impl Stats {
    /// Checks that every frame that arrived was sent, is queued, or was dropped by a rule.
    ///
    /// # Errors
    /// If counters do not add up. The error names them.
    pub fn check(&self) -> Result<(), Unaccounted> {
        let sum = |of: &dyn Fn(&PortStats) -> u64| self.ports.iter().map(of).sum::<u64>();
        let removed = &self.removed;
        let came = sum(&|port| port.received) + removed.received + self.copies;
        let gone = sum(&|port| port.dropped_on_arrival.total() + port.offered)
            + removed.dropped_on_arrival.total()
            + removed.offered;
        if came != gone {
            return Err(Unaccounted::Switch { came, gone });
        }
        let found = removed.sent + removed.dropped.total();
        if removed.offered != found {
            return Err(Unaccounted::Removed { offered: removed.offered, found });
        }
        for port in &self.ports {
            let name = &port.name;
            let found = port.sent + port.waiting + port.dropped.total();
            if port.offered != found {
                return Err(Unaccounted::Port { port: name.clone(), offered: port.offered, found });
            }
            for queue in &port.queues {
                let found = queue.sent + queue.waiting + queue.dropped.total();
                if queue.offered != found {
                    let (offered, queue) = (queue.offered, queue.name.clone());
                    return Err(Unaccounted::Queue { port: name.clone(), queue, offered, found });
                }
            }
            let sums: [(&'static str, u64, u64); 3] = [
                ("sent", port.sent, port.queues.iter().map(|queue| queue.sent).sum()),
                ("waiting", port.waiting, port.queues.iter().map(|queue| queue.waiting).sum()),
                ("bytes waiting", port.waiting_bytes, port.queues.iter().map(|queue| queue.waiting_bytes).sum()),
            ];
            if let Some((what, whole, parts)) = sums.into_iter().find(|(_, whole, parts)| whole != parts) {
                return Err(Unaccounted::Sum { port: name.clone(), what, whole, parts });
            }
        }
        Ok(())
    }
}
