//! The counters, and whether they add up.

use crate::switch::interface::LinkState;
use crate::switch::rule::Dropped;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Of a switch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Frames that were made of others: flooded to more than one port, or cut from large ones.
    pub copies: u64,
    /// Addresses that were learnt.
    pub addresses: u64,
    /// Its ports, in the order in which they were given.
    pub ports: Vec<PortStats>,
    /// Ports that were removed while the switch ran, together.
    #[serde(default, skip_serializing_if = "Removed::is_none")]
    pub removed: Removed,
}

/// Of all ports that were removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// How many there were.
    pub ports: u64,
    /// As of a port.
    pub received: u64,
    /// As of a port.
    pub received_bytes: u64,
    /// As of a port.
    pub lost_before: u64,
    /// As of a port.
    pub dropped_on_arrival: Dropped,
    /// As of a port.
    pub offered: u64,
    /// As of a port.
    pub sent: u64,
    /// As of a port.
    pub sent_bytes: u64,
    /// As of a port.
    pub marked: u64,
    /// As of a port.
    pub notified: u64,
    /// As of a port.
    pub dropped: Dropped,
}

impl Removed {
    fn is_none(&self) -> bool {
        self.ports == 0
    }

    /// Counts one more, at which nothing waits.
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

/// Of a port.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortStats {
    /// The interface.
    pub name: String,
    /// Whether the interface is there, and whether it belongs to another device.
    #[serde(default)]
    pub link: LinkState,
    /// Bits per second at which it sends; none: as fast as the interface takes frames.
    pub rate_bps: Option<u64>,
    /// The policy of its egress, which ports share if it has several.
    pub policy: PolicyStats,
    /// Frames that arrived.
    pub received: u64,
    /// Their bytes.
    pub received_bytes: u64,
    /// Frames that arrived, and that the kernel lost before the switch saw them.
    pub lost_before: u64,
    /// Of those that came, dropped before any port was found.
    pub dropped_on_arrival: Dropped,
    /// Frames that were to leave here.
    pub offered: u64,
    /// Frames that left.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Frames that wait.
    pub waiting: u64,
    /// Their bytes.
    pub waiting_bytes: u64,
    /// Frames that left with drop eligibility from the policy.
    pub marked: u64,
    /// Frames that left with congestion notified by the policy, whether or not their header could say it.
    pub notified: u64,
    /// Of those that were to leave, dropped.
    pub dropped: Dropped,
    /// The queues that any version of the policy had at this port, by name.
    pub queues: Vec<QueueStats>,
    /// Why the recording of its operations stopped, if it did; the first of ports that share a recording has it.
    pub record_error: Option<String>,
}

/// A policy that runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyStats {
    /// The file.
    pub name: String,
    /// 1, and one more with each change.
    pub version: u32,
    /// Its live parameters and their values, as a policy would write them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

/// Of a queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueStats {
    /// As the policy calls it.
    pub name: String,
    /// Packets that were directed to it.
    pub offered: u64,
    /// Packets that left.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Packets that wait, the one in the interface's hands included.
    pub waiting: u64,
    /// Their bytes.
    pub waiting_bytes: u64,
    /// As of the port.
    pub marked: u64,
    /// As of the port.
    pub notified: u64,
    /// As of the port.
    pub dropped: Dropped,
}

/// Frames that are nowhere, or in two places.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unaccounted {
    /// Between the interfaces and the ports.
    #[error("{came} frames arrived or were made, and {gone} were dropped or offered to ports")]
    Switch {
        /// Frames that arrived or were made.
        came: u64,
        /// Frames that were dropped or offered to ports.
        gone: u64,
    },
    /// At a port.
    #[error("port {port}: {offered} frames were offered, and {found} are found")]
    Port {
        /// The port.
        port: String,
        /// Frames that were offered to it.
        offered: u64,
        /// Frames that were sent, wait, or were dropped.
        found: u64,
    },
    /// At ports that were removed.
    #[error("removed ports: {offered} frames were offered, and {found} are found")]
    Removed {
        /// Frames that were offered to them.
        offered: u64,
        /// Frames that were sent, or were dropped.
        found: u64,
    },
    /// In a queue.
    #[error("port {port}, queue {queue}: {offered} packets arrived, and {found} are found")]
    Queue {
        /// The port.
        port: String,
        /// Its queue.
        queue: String,
        /// Packets that arrived.
        offered: u64,
        /// Packets that were sent, wait, or were dropped.
        found: u64,
    },
    /// A port's number is not the sum of its queues' numbers.
    #[error("port {port}: {what}: {whole}, and {parts} in its queues")]
    Sum {
        /// The port.
        port: String,
        /// What was counted.
        what: &'static str,
        /// The port's number.
        whole: u64,
        /// The sum of its queues' numbers.
        parts: u64,
    },
}

impl Stats {
    /// Checks that every frame that arrived was sent, waits, or was dropped by a rule.
    ///
    /// # Errors
    /// If counters do not add up: which ones.
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
