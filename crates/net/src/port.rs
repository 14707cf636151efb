//! The output port at the tail of a link.

use crate::graph::{LinkSpec, NodeId};
use crate::hook::Tells;
use crate::reach::{PortState, Ports};
use forebay_core::{Duration, Rng, Time, TransmissionTimes};
use forebay_sim::Probe;
use rand::Rng as _;

/// What a port has counted. What every packet changes comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct PortCounts {
    /// Bytes that waited, times picoseconds: divided by a time it is the mean queue.
    pub queue_byte_ps: u128,
    /// Most bytes that waited at a time.
    pub max_queue_bytes: u64,
    /// Packets that were to leave here.
    pub packets_offered: u64,
    /// Packets that began to leave.
    pub packets_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Picoseconds in which the link was sending.
    pub busy_ps: u64,
    /// Packets that left with a mark that they did not bring.
    pub packets_marked: u64,
    /// Packets that the discipline refused or pushed out.
    pub packets_dropped: u64,
    /// Packets for which the switch had no shared memory left.
    pub packets_dropped_shared: u64,
    /// Packets that a failed or lossy link lost.
    pub packets_lost: u64,
    /// Packets that came over the link to a switch that knew no way on.
    pub packets_no_route: u64,
}

impl PortCounts {
    /// What was counted after `earlier`; the greatest queue is that of the whole run.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            packets_offered: self.packets_offered - earlier.packets_offered,
            packets_sent: self.packets_sent - earlier.packets_sent,
            bytes_sent: self.bytes_sent - earlier.bytes_sent,
            busy_ps: self.busy_ps - earlier.busy_ps,
            packets_dropped: self.packets_dropped - earlier.packets_dropped,
            packets_dropped_shared: self.packets_dropped_shared - earlier.packets_dropped_shared,
            packets_lost: self.packets_lost - earlier.packets_lost,
            packets_no_route: self.packets_no_route - earlier.packets_no_route,
            packets_marked: self.packets_marked - earlier.packets_marked,
            max_queue_bytes: self.max_queue_bytes,
            queue_byte_ps: self.queue_byte_ps - earlier.queue_byte_ps,
        }
    }
}

/// Where a link leads.
///
/// It stands apart from [`Port`] since each packet needs it when it arrives, and nothing else of the port that it left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    pub(crate) node: NodeId,
    pub(crate) is_host: bool,
    /// Whether it may hold packets back.
    pub(crate) holds: bool,
}

/// A port and its link.
///
/// What every packet looks at comes first, in three cache lines: there are many ports, and the packets that arrive one
/// after the other are for different ones.
#[repr(C, align(64))]
pub(crate) struct Port<E> {
    pub(crate) element: E,
    /// The link is busy until then.
    pub(crate) busy_until: Time,
    pub(crate) propagation: Duration,
    pub(crate) bytes_queued: u64,
    pub(crate) packets_queued: u32,
    /// The memory that it shares with the other ports of its switch, if there is one.
    pub(crate) memory: Option<u32>,
    /// A thin pointer, since most ports have none.
    pub(crate) probe: Option<Box<Box<dyn Probe + Send>>>,
    pub(crate) up: bool,
    /// Whether a hook tells the node at the other end of its link what waits.
    pub(crate) tells: bool,
    /// Whether the hook tells of what has yet to arrive here, too.
    pub(crate) tells_ahead: bool,
    /// Whether it will be told when the link is free: only if something waits.
    pub(crate) free_scheduled: bool,
    /// Packets are lost with this probability, in 2^-64; 0 for never.
    pub(crate) loss: u64,
    pub(crate) transmission: TransmissionTimes,
    /// Until when `queue_byte_ps` has been counted.
    pub(crate) counted_until: Time,
    pub(crate) counts: PortCounts,
    /// The wake-up that the discipline asked for.
    pub(crate) wakeup: Option<Time>,
}

impl<E> Port<E> {
    pub(crate) fn new(element: E, link: &LinkSpec, tells: Tells, memory: Option<u32>) -> Self {
        Self {
            element,
            busy_until: Time::ZERO,
            propagation: link.propagation,
            bytes_queued: 0,
            packets_queued: 0,
            memory,
            probe: None,
            up: true,
            tells: tells != Tells::Nothing,
            tells_ahead: tells == Tells::Ahead,
            free_scheduled: false,
            loss: 0,
            transmission: TransmissionTimes::new(link.rate),
            counted_until: Time::ZERO,
            counts: PortCounts::default(),
            wakeup: None,
        }
    }

    /// Counts what waits until now; to be called before that changes.
    #[inline]
    pub(crate) fn count_queue(&mut self, now: Time) {
        if self.bytes_queued > 0 {
            let lasted = now.since(self.counted_until).as_ps();
            self.counts.queue_byte_ps += u128::from(self.bytes_queued) * u128::from(lasted);
        }
        self.counted_until = now;
    }

    #[inline]
    pub(crate) fn queued(&mut self, bytes: u32) {
        self.packets_queued += 1;
        self.bytes_queued += u64::from(bytes);
        self.counts.max_queue_bytes = self.counts.max_queue_bytes.max(self.bytes_queued);
    }

    /// Whether the link loses the packet that it sends now.
    #[inline]
    pub(crate) fn loses(&self, losses: &mut Rng) -> bool {
        self.loss > 0 && losses.next_u64() < self.loss
    }

    #[inline]
    pub(crate) fn left(&mut self, bytes: u32) {
        self.packets_queued -= 1;
        self.bytes_queued -= u64::from(bytes);
    }
}

impl<E> Ports for Vec<Port<E>> {
    fn state(&self, now: Time, link: usize) -> PortState {
        let port = &self[link];
        let idle = now >= port.busy_until && !port.free_scheduled;
        PortState { up: port.up, idle, free: port.busy_until.max(now) }
    }

    fn propagation(&self, link: usize) -> Duration {
        self[link].propagation
    }

    fn set_free_scheduled(&mut self, link: usize) -> bool {
        std::mem::replace(&mut self[link].free_scheduled, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Element;
    use std::mem::offset_of;

    #[test]
    fn what_every_packet_looks_at_has_three_cache_lines() {
        type Common = Port<Box<dyn Element>>;
        let last = offset_of!(Common, counts) + offset_of!(PortCounts, packets_marked) + size_of::<u64>();
        assert!(last <= 3 * 64, "{last}");
    }
}
