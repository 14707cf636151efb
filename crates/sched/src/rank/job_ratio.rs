//! Job-to-size ratio: weighted shortest job first (WSJF), which bounds the traffic that an attacker can displace per bit sent.

use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use crate::work_per_byte::femtoseconds_per_byte;
use forebay_core::{About, Exactness, Field, Packet, Time};

/// The registry's entry for [`JobRatio`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "job-ratio",
        title: "Weighted shortest job first (WSJF): rank = femtoseconds of processing per byte",
        exactness: Exactness::NotApplicable,
        hardware: "an estimate of the work per packet, one division",
        cost: "O(1), no state",
        source: "SurgeProtector (thesis), section 3.4",
        params: &[],
    },
    also_known_as: &["wsjf"],
    needs: Some(Field::Processing),
    serves: Serves::LeastWorkPerByte,
    range: RankRange::Any,
    build: |_, _| Ok(Box::new(JobRatio)),
};

/// A rank function that ranks packets by work over size in femtoseconds per byte, rounded down; a size of 0 counts as one byte.
#[derive(Debug, Clone, Copy)]
pub struct JobRatio;

impl RankFn for JobRatio {
    fn rank(&mut self, _: Time, packet: &Packet) -> u64 {
        femtoseconds_per_byte(packet.processing.as_ps().into(), packet.size_bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Duration;

    #[test]
    fn a_large_packet_may_take_longer() {
        let packet = |ns, size_bytes| Packet { processing: Duration::from_ns(ns), size_bytes, ..Packet::default() };
        let small = JobRatio.rank(Time::ZERO, &packet(100, 64));
        let large = JobRatio.rank(Time::ZERO, &packet(1_000, 1_500));
        assert!(large < small, "{large} {small}");
    }
}
