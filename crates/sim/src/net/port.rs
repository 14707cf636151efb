//! The output port at the tail of a link.

use crate::net::graph::LinkSpec;
use crate::net::hook::Tells;
use crate::net::hook_context::{PortState, Ports};
use crate::{OutputPort, PortMeter, Probe, Wakeup};
use forebay_core::{Duration, Packet, Rng, Time, TransmissionTimes};
use rand::Rng as _;

/// A port and its link.
///
/// The fields that every packet looks at come first, in three cache lines: there are many ports, and successive packets are for different
/// ones.
#[repr(C, align(64))]
pub(crate) struct Port<E> {
    pub(crate) port: OutputPort<E, TransmissionTimes, Watch>,
    /// The link is busy until then.
    pub(crate) busy_until: Time,
    pub(crate) propagation: Duration,
    /// Packets are lost with this probability, in 2^-64; 0 for never.
    pub(crate) loss: u64,
    /// The memory that it shares with the other ports of its switch, if there is one.
    pub(crate) memory: Option<u32>,
    pub(crate) up: bool,
    /// Whether a hook notifies the node at the other end of its link of waiting packets.
    pub(crate) tells: bool,
    /// Whether the hook forecasts packets that have yet to arrive here, too.
    pub(crate) tells_ahead: bool,
    /// Whether an event is scheduled for when the link is free: only if something waits.
    pub(crate) free_scheduled: bool,
    pub(crate) meter: PortMeter,
    pub(crate) wakeup: Wakeup,
}

impl<E> Port<E> {
    pub(crate) fn new(element: E, link: &LinkSpec, tells: Tells, memory: Option<u32>) -> Self {
        Self {
            port: OutputPort { element, service: TransmissionTimes::new(link.rate), probe: Watch(None) },
            busy_until: Time::ZERO,
            propagation: link.propagation,
            loss: 0,
            memory,
            up: true,
            tells: tells != Tells::Nothing,
            tells_ahead: tells == Tells::Ahead,
            free_scheduled: false,
            meter: PortMeter::default(),
            wakeup: Wakeup::default(),
        }
    }

    /// Whether the link loses the packet that it sends now.
    #[inline]
    pub(crate) fn loses(&self, losses: &mut Rng) -> bool {
        self.loss > 0 && losses.next_u64() < self.loss
    }
}

/// The probe of a port, if there is one: a thin pointer, since most ports have none.
pub(crate) struct Watch(pub(crate) Option<Box<Box<dyn Probe + Send>>>);

impl Probe for Watch {
    #[inline]
    fn watches(&self) -> bool {
        self.0.is_some()
    }

    fn offered(&mut self, now: Time, packet: &Packet) {
        if let Some(probe) = &mut self.0 {
            probe.offered(now, packet);
        }
    }

    fn queued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        if let Some(probe) = &mut self.0 {
            probe.queued(now, packet, queue_len);
        }
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        if let Some(probe) = &mut self.0 {
            probe.refused(now, packet);
        }
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        if let Some(probe) = &mut self.0 {
            probe.evicted(now, packet);
        }
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        if let Some(probe) = &mut self.0 {
            probe.dequeued(now, packet, queue_len);
        }
    }

    #[inline]
    fn sent(&mut self, now: Time, packet: &Packet) {
        if let Some(probe) = &mut self.0 {
            probe.sent(now, packet);
        }
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
    use crate::PortCounts;
    use forebay_core::Element;
    use std::mem::offset_of;

    #[test]
    fn what_every_packet_looks_at_has_three_cache_lines() {
        type Common = Port<Box<dyn Element>>;
        let last = offset_of!(Common, meter)
            + offset_of!(PortMeter, counts)
            + offset_of!(PortCounts, packets_marked)
            + size_of::<u64>();
        assert!(last <= 3 * 64, "{last}");
    }
}
