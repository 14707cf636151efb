//! The counters of a network's ports, as a probe of a single port.

use crate::port_meter::{PortCounts, PortMeter};
use crate::probe::Probe;
use forebay_core::{Packet, Time};

/// Counts at a port with one link in the same way as networks. Packets in transmission at the end add nothing to the busy time, and packets
/// with a mark on arrival are counted as marked.
#[derive(Debug, Clone, Copy, Default)]
pub struct PortCounter {
    meter: PortMeter,
    started: Time,
}

impl PortCounter {
    /// Returns the counts up to `now`.
    pub fn counts(&mut self, now: Time) -> PortCounts {
        self.meter.count_queue(now);
        self.meter.counts
    }
}

impl Probe for PortCounter {
    fn offered(&mut self, _: Time, _: &Packet) {
        self.meter.counts.packets_offered += 1;
    }

    fn queued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.meter.count_queue(now);
        self.meter.queued(packet.size_bytes);
    }

    fn refused(&mut self, _: Time, _: &Packet) {
        self.meter.counts.packets_dropped += 1;
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.meter.count_queue(now);
        self.meter.left(packet.size_bytes);
        self.meter.counts.packets_dropped += 1;
    }

    fn dequeued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.meter.count_queue(now);
        self.meter.left(packet.size_bytes);
        self.meter.counts.packets_marked += u64::from(packet.marks.congested());
        self.started = now;
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.meter.sent(packet.size_bytes, now.since(self.started));
    }
}
