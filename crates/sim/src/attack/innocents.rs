//! The fate of innocent packets: their waits for a processor, and the order of their flows.

use forebay_core::{Duration, FlowId, Packet, Time};
use hdrhistogram::Histogram;
use rustc_hash::FxHashMap;

/// Significant digits of quantiles.
const DIGITS: u8 = 3;

/// Packets whose work was done.
#[derive(Debug)]
pub(super) struct Innocents {
    /// Picoseconds from arrivals until work began.
    waits: Histogram<u64>,
    waited_ps: u128,
    /// For each flow, the latest arrival whose work was done, with its number.
    latest: FxHashMap<FlowId, (Time, u64)>,
    reordered: u64,
}

impl Default for Innocents {
    fn default() -> Self {
        Self {
            waits: Histogram::new(DIGITS).expect("the number of digits is valid"),
            waited_ps: 0,
            latest: FxHashMap::default(),
            reordered: 0,
        }
    }
}

impl Innocents {
    /// The work of a packet was done at `now`. If not counted, it still may be overtaken.
    pub(super) fn done(&mut self, now: Time, packet: &Packet, is_counted: bool) {
        let own = (packet.arrival, packet.id);
        let latest = self.latest.entry(packet.flow).or_insert(own);
        let is_late = own < *latest;
        *latest = own.max(*latest);
        if is_counted {
            let wait = now.as_ps().saturating_sub(packet.arrival.as_ps()).saturating_sub(packet.processing.as_ps());
            // A histogram that resizes takes every value.
            let _taken = self.waits.record(wait);
            self.waited_ps += u128::from(wait);
            self.reordered += u64::from(is_late);
        }
    }

    /// Mean and 99th percentile of the waits; [`None`] without packets.
    pub(super) fn waits(&self) -> Option<[Duration; 2]> {
        let count = u128::from(self.waits.len());
        let mean = self.waited_ps.checked_div(count)?;
        let ps = [u64::try_from(mean).unwrap_or(u64::MAX), self.waits.value_at_quantile(0.99)];
        Some(ps.map(Duration::from_ps))
    }

    /// Returns the share of packets whose work was done after the work of a later packet of the same flow; [`None`] without packets.
    pub(super) fn reordered(&self) -> Option<f64> {
        let count = self.waits.len();
        (count > 0).then(|| self.reordered as f64 / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_end_when_work_begins_and_flows_are_apart() {
        let mut innocents = Innocents::default();
        assert_eq!((innocents.waits(), innocents.reordered()), (None, None));
        let packet = |id, flow, arrival, work| Packet {
            id,
            flow: FlowId(flow),
            arrival: Time::from_ps(arrival),
            processing: Duration::from_ps(work),
            ..Packet::default()
        };
        // Served at once; waits 20; is overtaken by the third of its flow, and not by another flow.
        innocents.done(Time::from_ps(10), &packet(0, 1, 0, 10), true);
        innocents.done(Time::from_ps(40), &packet(3, 1, 10, 10), true);
        innocents.done(Time::from_ps(50), &packet(4, 2, 30, 20), true);
        innocents.done(Time::from_ps(60), &packet(2, 1, 10, 20), true);
        innocents.done(Time::from_ps(70), &packet(1, 2, 5, 65), false);
        let [mean, most] = innocents.waits().unwrap();
        assert_eq!((mean, most), (Duration::from_ps((20 + 30) / 4), Duration::from_ps(30)));
        assert_eq!(innocents.reordered(), Some(0.25));
    }
}
