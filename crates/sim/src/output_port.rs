//! An output port without events: it handles a packet from its arrival to the end of its service.
//!
//! [`Port`](crate::Port) drives one such port with an event for the end of each service. A network drives thousands, and needs no event for
//! a port without waiting packets. Both call probes in the same order with the same packets.
//!
//! Counters are separate from the port ([`PortMeter`](crate::PortMeter)). A network counts at every port. A single port has probes for the
//! requested results. Counting there without a request would cost 14 % more instructions for a packet. So for a single port the same
//! counters are a probe ([`PortCounter`](crate::probes::PortCounter)).

use crate::probe::Probe;
use crate::service::Service;
use forebay_core::{Duration, Element, Packet, Time, Verdict};

/// An output port: the element in which packets wait, the service and a probe.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct OutputPort<E, S, P> {
    /// The element in which packets wait.
    pub element: E,
    /// The service, which determines how long each packet is served.
    pub service: S,
    /// The probe that observes the port.
    pub probe: P,
}

impl<E: Element, S: Service, P: Probe> OutputPort<E, S, P> {
    /// Offers an arriving packet. `packet` makes it, more than once if there is a probe. The caller then reports each packet that the
    /// arrival pushed out by [`evicted`](Self::evicted), and finally the verdict by [`queued`](Self::queued) or [`refused`](Self::refused).
    #[inline]
    pub fn offer(&mut self, now: Time, packet: impl Fn() -> Packet, evicted: &mut Vec<Packet>) -> Verdict {
        if self.probe.watches() {
            self.probe.offered(now, &packet());
        }
        // Written where the element reads it; a copy of what has just been written piece by piece is slow.
        let mut told = packet();
        self.service.arrived(now, &mut told);
        self.element.enqueue(now, told, evicted)
    }

    /// Reports that the packet was queued, with its rank.
    #[inline]
    pub fn queued(&mut self, now: Time, rank: u64, packet: impl FnOnce() -> Packet) {
        if self.probe.watches() {
            self.probe.queued(now, &Packet { rank, ..packet() }, self.element.len());
        }
    }

    /// Reports that the packet was dropped on arrival, with its rank.
    #[inline]
    pub fn refused(&mut self, now: Time, rank: u64, packet: impl FnOnce() -> Packet) {
        let mut packet = Packet { rank, ..packet() };
        self.service.dropped(now, &mut packet);
        self.probe.refused(now, &packet);
    }

    /// Reports that a waiting packet was pushed out.
    #[inline]
    pub fn evicted(&mut self, now: Time, packet: &mut Packet) {
        self.service.dropped(now, packet);
        self.probe.evicted(now, packet);
    }

    /// Starts the service of a packet that the element returned. Returns the duration of the service.
    #[inline]
    pub fn start(&mut self, now: Time, packet: &mut Packet) -> Duration {
        let lasts = self.service.started(now, packet);
        if self.probe.watches() {
            self.probe.dequeued(now, packet, self.element.len());
        }
        lasts
    }

    /// Reports that the service of a packet has ended, or will end at a known time.
    #[inline]
    pub fn complete(&mut self, now: Time, packet: &Packet) {
        self.service.completed(now, packet);
        self.probe.sent(now, packet);
    }
}
