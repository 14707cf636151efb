//! Probes observe a port. They see every packet and change nothing.

use forebay_core::{Packet, Time};

/// The observable events at a port, in the order in which they happen.
///
/// A packet is offered and then queued or dropped; a queued one is pushed out or dequeued; a dequeued one is sent when its last bit has
/// left. Its `rank` is set from the moment it was ranked. Where a [`Service`](crate::Service) gives the discipline an estimate of the work,
/// probes see the truth as far as it is known. This is the source's statement until the packet is served, and then the time that it took.
pub trait Probe {
    /// Whether the probe observes anything. If not, the port need not report events.
    #[inline]
    fn watches(&self) -> bool {
        true
    }

    /// A packet arrived.
    fn offered(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }

    /// The packet was queued; `queue_len` packets wait now.
    fn queued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        let _ = (now, packet, queue_len);
    }

    /// The packet was dropped on arrival.
    fn refused(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }

    /// The packet was pushed out after it had waited.
    fn evicted(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }

    /// The transmission of the packet, or the work on it, begins; `queue_len` packets wait behind it.
    fn dequeued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        let _ = (now, packet, queue_len);
    }

    /// The last bit of the packet has left, or the work on it has ended.
    fn sent(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }
}

/// No probe.
impl Probe for () {
    #[inline]
    fn watches(&self) -> bool {
        false
    }
}

/// Two probes, or more as nested pairs.
impl<A: Probe, B: Probe> Probe for (A, B) {
    #[inline]
    fn watches(&self) -> bool {
        self.0.watches() || self.1.watches()
    }

    fn offered(&mut self, now: Time, packet: &Packet) {
        self.0.offered(now, packet);
        self.1.offered(now, packet);
    }

    fn queued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        self.0.queued(now, packet, queue_len);
        self.1.queued(now, packet, queue_len);
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        self.0.refused(now, packet);
        self.1.refused(now, packet);
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.0.evicted(now, packet);
        self.1.evicted(now, packet);
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, queue_len: usize) {
        self.0.dequeued(now, packet, queue_len);
        self.1.dequeued(now, packet, queue_len);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.0.sent(now, packet);
        self.1.sent(now, packet);
    }
}
