//! The rate at which packets of the flow arrive: a flow that sends less is served first.
//!
//! The rate is measured over the last `window`, in whole kbit/s, with two counters per flow: time is cut into windows. Of the previous
//! window, only the part within the last `window` is counted, as if its packets had arrived evenly. All packets that arrive count, admitted
//! or not, and so does the arriving one. So a flow that sends too much does not lower its rate by losing packets.
//!
//! With a few queues of strict priority, such as `fixed-bounds` with rates as bounds, this is how FDPA uses the rates of users. It gives
//! fairness without a virtual time or a queue for each flow. SP-PIFO's text describes FDPA, but not how FDPA measures rates and chooses
//! bounds; the two windows are chosen here.
//!
//! Ranks may fall within a flow, so that its packets may overtake each other.

use crate::flow_state::FlowState;
use crate::traits::{RankEntry, RankFn, RankRange, Serves};
use forebay_core::{About, Duration, Exactness, Packet, ParamError, ParamSpec, Time};

/// The registry's entry for [`ArrivalRate`].
pub const ENTRY: RankEntry = RankEntry {
    about: About {
        name: "arrival-rate",
        title: "Flows that send less go first (FDPA): rank = rate at which the flow's packets arrive, kbit/s",
        exactness: Exactness::NotApplicable,
        hardware: "two byte counters per flow; with fixed-bounds, strict-priority queues of a switch of today",
        cost: "O(1); 24 bytes per flow, given back when all that began with it have paused for two windows",
        source: "Cascone et al.: Towards approximate fair bandwidth sharing via dynamic priority queuing, LANMAN'17; \
                 as SP-PIFO, NSDI'20, section 7, describes it",
        params: &[ParamSpec::duration("window", "10 ms", "length of the window in which rates are measured")],
    },
    also_known_as: &["fdpa"],
    needs: None,
    serves: Serves::Otherwise,
    range: RankRange::Any,
    build: |_, params| {
        let rank = ArrivalRate::new(params.duration("window"))
            .ok_or_else(|| ParamError::of("window", "`window` must be above 0"))?;
        Ok(Box::new(rank))
    },
};

/// A rank function that ranks packets by the rate of arrival of their flow.
#[derive(Debug, Clone)]
pub struct ArrivalRate {
    window: Duration,
    arrived: FlowState<Arrived>,
}

/// The bytes of a flow that have arrived in the window of this number, counted from 1, and in the one before. Before any arrival the number
/// is 0.
#[derive(Debug, Clone, Copy, Default)]
struct Arrived {
    window: u64,
    bytes: u64,
    before: u64,
}

impl ArrivalRate {
    /// Measures rates over the last `window`; returns [`None`] if `window` is 0.
    #[must_use]
    pub fn new(window: Duration) -> Option<Self> {
        (window > Duration::ZERO).then(|| Self { window, arrived: FlowState::default() })
    }
}

impl RankFn for ArrivalRate {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        let length = self.window.as_ps();
        let (window, passed) = (now.as_ps() / length + 1, now.as_ps() % length);
        let arrived = self.arrived.get_mut_forgetting(packet.flow, |seen| seen.window + 1 < window);
        if arrived.window != window {
            let before = if arrived.window + 1 == window { arrived.bytes } else { 0 };
            *arrived = Arrived { window, bytes: 0, before };
        }
        arrived.bytes += u64::from(packet.size_bytes);
        let [bytes, before, length, left] = [arrived.bytes, arrived.before, length, length - passed].map(u128::from);
        // In bytes and picoseconds; a byte in a picosecond is 8 Tbit/s.
        let kbps = (bytes * length + before * left).saturating_mul(8_000_000_000) / (length * length);
        u64::try_from(kbps).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{FlowId, Seed};
    use rand::RngExt;

    fn ms(ms: u64) -> Duration {
        Duration::from_us(1_000 * ms)
    }

    #[test]
    fn a_steady_flow_has_its_rate_and_a_flow_that_paused_begins_anew() {
        let mut rate = ArrivalRate::new(ms(1)).unwrap();
        let packet = Packet { flow: FlowId(3), size_bytes: 1_250, ..Packet::default() };
        // 10,000 bits every 100 us.
        let ranks: Vec<u64> = (0..40).map(|number| rate.rank(Time::from_ns(number * 100_000), &packet)).collect();
        assert_eq!(ranks[0], 10_000, "one packet in a window");
        assert!(ranks[10..].iter().all(|&rank| rank == 110_000), "the arriving packet counts: {ranks:?}");
        assert_eq!(rate.rank(Time::from_ns(6_000_000), &packet), 10_000);
        assert_eq!(rate.rank(Time::from_ns(6_000_000), &Packet { flow: FlowId(4), ..packet }), 10_000);
    }

    #[test]
    fn ranks_are_those_of_a_list_of_all_arrivals() {
        let mut rng = Seed(1).stream("arrival-rate");
        for window_us in [1, 7, 100] {
            let window = Duration::from_us(window_us);
            let mut rate = ArrivalRate::new(window).unwrap();
            let mut arrivals: Vec<(u64, u32, u64)> = Vec::new();
            let mut now = 0;
            for _ in 0..3_000 {
                now += rng.random_range(0..3 * window.as_ps() / 10);
                let (flow, size) = (rng.random_range(0..600), rng.random_range(1..=9_000));
                let packet = Packet { flow: FlowId(flow), size_bytes: size, ..Packet::default() };
                arrivals.push((now, flow, u64::from(size)));
                let bytes_of = |number: Option<u64>| -> u128 {
                    let is_there = |it: &&(u64, u32, u64)| it.1 == flow && Some(it.0 / window.as_ps()) == number;
                    arrivals.iter().filter(is_there).map(|it| u128::from(it.2)).sum()
                };
                let present = now / window.as_ps();
                let length = u128::from(window.as_ps());
                let share_left = length - u128::from(now % window.as_ps());
                let bytes = bytes_of(Some(present)) * length + bytes_of(present.checked_sub(1)) * share_left;
                let kbps = bytes * 8_000_000_000 / (length * length);
                assert_eq!(u128::from(rate.rank(Time::from_ps(now), &packet)), kbps);
            }
        }
    }

    #[test]
    fn a_window_of_no_time_is_refused() {
        assert!(ArrivalRate::new(Duration::ZERO).is_none());
    }
}
