//! First come, first served with tail drop, in one piece.
//!
//! It behaves as [`RankDiscipline`](crate::RankDiscipline) with `rank = "arrival"`, `queue = "fifo"` and `drop = "tail"`, without calls to
//! three parts for every packet. Most ports of most networks use this discipline.

use crate::rank_unit::RankUnit;
use crate::spec::{DisciplineSpec, MAX_SLOTS};
use forebay_core::{BufferSize, Counter, Discipline, Packet, Time, Verdict};
use std::collections::VecDeque;

/// A slot of the ring: one packet fills a cache line.
#[derive(Debug)]
#[repr(align(64))]
struct Place(Packet);

/// A FIFO whose ranks are times of arrival.
#[derive(Debug)]
pub struct FirstCome {
    ring: VecDeque<Place>,
    /// The most packets that may wait.
    slots: usize,
    /// The most bytes that may wait.
    limit: u64,
    bytes: u64,
}

impl FirstCome {
    /// Returns the discipline that `spec` describes, or `None` if `spec` does not describe first come, first served with tail drop.
    #[must_use]
    pub fn from_spec(spec: &DisciplineSpec) -> Option<Self> {
        let plain = |part: &crate::Part, names: &[&str]| names.contains(&part.name.as_str()) && part.params.is_empty();
        let is_this = plain(&spec.rank, &["arrival", "fcfs"])
            && plain(&spec.queue, &["fifo"])
            && plain(&spec.drop, &["tail"])
            && spec.rank_unit == RankUnit::ONE
            && spec.pace.is_none()
            && spec.buffer.slots() <= MAX_SLOTS;
        let limit = match spec.buffer {
            BufferSize::Packets(_) => u64::MAX,
            BufferSize::Bytes(bytes) => bytes,
        };
        let slots = usize::try_from(spec.buffer.slots()).ok()?;
        is_this.then(|| Self { ring: VecDeque::new(), slots, limit, bytes: 0 })
    }
}

impl Discipline for FirstCome {
    #[inline]
    fn enqueue(&mut self, now: Time, mut packet: Packet, _: &mut Vec<Packet>) -> Verdict {
        let rank = now.as_ps();
        let bytes = self.bytes + u64::from(packet.size_bytes);
        if self.ring.len() == self.slots || bytes > self.limit {
            return Verdict::Refused { rank };
        }
        packet.rank = rank;
        self.bytes = bytes;
        self.ring.push_back(Place(packet));
        Verdict::Queued { rank }
    }

    #[inline]
    fn dequeue(&mut self, _: Time) -> Option<Packet> {
        let Place(packet) = self.ring.pop_front()?;
        if self.ring.is_empty() {
            // So that a queue that is mostly short stays in the same few cache lines of a long ring.
            self.ring.clear();
        }
        self.bytes -= u64::from(packet.size_bytes);
        Some(packet)
    }

    fn len(&self) -> usize {
        self.ring.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn counters(&self) -> Vec<Counter> {
        vec![Counter { name: "ranks_clamped", value: 0 }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, RankDiscipline};
    use forebay_core::{Rate, Seed};
    use rand::RngExt;

    fn spec(buffer: &str) -> DisciplineSpec {
        DisciplineSpec {
            rank: Part::named("arrival"),
            queue: Part::named("fifo"),
            drop: Part::named("tail"),
            buffer: BufferSize::parse(buffer).unwrap(),
            mark: None,
            pace: None,
            rank_unit: RankUnit::ONE,
            link_rate: Rate::parse("1 Gbps").unwrap(),
        }
    }

    #[test]
    fn it_does_what_its_parts_do() {
        for (seed, buffer) in (0..).zip(["3 packets", "2 KB", "100 B", "50 packets"]) {
            let spec = spec(buffer);
            let mut parts = RankDiscipline::new(&spec).unwrap();
            let mut one = FirstCome::from_spec(&spec).unwrap();
            let mut rng = Seed(seed).stream("first come");
            let mut evicted = Vec::new();
            for id in 0..20_000 {
                let now = Time::from_ns(id);
                if rng.random_range(0..2) == 0 {
                    let packet = Packet { id, size_bytes: rng.random_range(1..400), ..Packet::default() };
                    let expected = parts.enqueue(now, packet, &mut evicted);
                    assert_eq!(one.enqueue(now, packet, &mut evicted), expected);
                } else {
                    assert_eq!(one.dequeue(now), parts.dequeue(now));
                }
                assert_eq!((one.len(), one.bytes()), (parts.len(), parts.bytes()));
            }
            assert_eq!(one.counters(), parts.counters());
            assert!(evicted.is_empty());
        }
    }

    #[test]
    fn other_parts_are_not_this() {
        let mut other = spec("3 packets");
        other.rank = Part::named("packet-rank");
        assert!(FirstCome::from_spec(&other).is_none());
    }
}
