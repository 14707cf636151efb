//! A reassembler as the processor of a simulation: its lists are those of the segments that were really served.

use super::reassembler::Reassembler;
use super::traffic::SegmentTraffic;
use forebay_core::{Duration, Packet, Time};
use forebay_sim::Service;
use forebay_traces::TcpSegment;
use rustc_hash::FxHashMap;

/// Reassembles what a discipline lets through; the scheduler is told the length of the flow's list as it is on arrival.
///
/// A segment that was dropped leaves a gap that nothing fills, since the senders of a simulation do not notice; so a flow of which
/// segments are dropped keeps a list until its window is full. A scheduler that does not keep flows in order makes lists
/// longer, too.
pub struct Reassembly {
    upcoming: SegmentTraffic,
    reassembler: Reassembler,
    /// Segments that wait for service, by the id of their packet.
    waiting: FxHashMap<u64, TcpSegment>,
}

impl Reassembly {
    /// Works on the packets of a source that is equal to `traffic`.
    #[must_use]
    pub fn new(reassembler: Reassembler, traffic: SegmentTraffic) -> Self {
        Self { upcoming: traffic, reassembler, waiting: FxHashMap::default() }
    }

    /// The reassembler as it is now.
    #[must_use]
    pub fn reassembler(&self) -> &Reassembler {
        &self.reassembler
    }
}

impl Service for Reassembly {
    fn arrived(&mut self, _: Time, packet: &mut Packet) {
        if let Some(segment) = self.upcoming.next() {
            debug_assert_eq!((segment.flow, segment.arrival), (packet.flow, packet.arrival), "equal traffic");
            packet.processing = self.reassembler.estimate(&segment);
            self.waiting.insert(packet.id, segment);
        }
    }

    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        let segment = self.waiting.remove(&packet.id);
        packet.processing = segment.map_or(Duration::ZERO, |segment| self.reassembler.serve(&segment));
        packet.processing
    }

    fn dropped(&mut self, _: Time, packet: &mut Packet) {
        self.waiting.remove(&packet.id);
    }
}
