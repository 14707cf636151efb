//! The attacker of section 3.6.1: flows of one-byte segments with a gap before each.

use super::{Costs, Reassembler, Structure, WINDOW_BYTES, wire_bytes};
use crate::attack::traffic::{Inputs, to_time};
use forebay_core::{Duration, FlowId, convert};
use forebay_traces::{TcpFlags, TcpSegment};

/// A recipe for attack flows.
///
/// A flow opens with the byte ISN, which is released at once. The bytes ISN+2, ISN+4 and so on follow: all of them wait, and the n-th
/// passes n-1 nodes. After `out_of_order` such segments and `repeats` repetitions of the last one, the next flow begins. The attacker
/// assumes that all its packets are served; if some are dropped, lists are shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttackFlows {
    /// The number of waiting segments of a flow: the degree of being out of order in figure 3.14.
    pub out_of_order: u32,
    /// The number of repetitions of the last segment. Each repetition traverses the whole list. With many repetitions an attacker therefore
    /// makes the same large job with every packet, which footnote 5 considers impossible in practice.
    pub repeats: u32,
    /// The number of flows that take turns.
    pub concurrent: u32,
}

impl AttackFlows {
    /// The length of each packet on the wire: the least frame, in bytes.
    pub const PACKET_BYTES: u32 = wire_bytes(1);

    /// Returns flows with as many segments as fit into the window of Pigasus: the attack on FCFS.
    #[must_use]
    pub fn longest() -> Self {
        Self::filling(WINDOW_BYTES)
    }

    /// Returns flows with as many segments as fit into a window of `window_bytes` bytes.
    #[must_use]
    pub fn filling(window_bytes: u32) -> Self {
        Self { out_of_order: window_bytes / 2, repeats: 0, concurrent: 1 }
    }

    /// Returns flows with as many segments as a reassembler keeps without a reset.
    #[must_use]
    pub fn filling_up(reassembler: &Reassembler) -> Self {
        let out_of_order = u32::try_from(reassembler.most_nodes()).expect("a window has 32 bits");
        Self { out_of_order, repeats: 0, concurrent: 1 }
    }

    /// Shortens the flows to the least number of segments with which a packet makes at least `work` on average. The flows stay unchanged if
    /// no number suffices. So [`longest`](Self::longest) becomes the attack on WSJF, with the job of
    /// [`optimal::attack`](crate::attack::optimal::attack).
    #[must_use]
    pub fn of_mean_work(self, work: Duration, costs: Costs) -> Self {
        self.of_mean_work_in(Structure::List, work, costs)
    }

    /// As [`of_mean_work`](Self::of_mean_work), for segments that wait in `structure`.
    #[must_use]
    pub fn of_mean_work_in(self, structure: Structure, work: Duration, costs: Costs) -> Self {
        let with = |out_of_order| Self { out_of_order, ..self };
        let (mut short, mut long) = (0, self.out_of_order.max(1));
        // `short` makes too little, `long` enough, or is as long as can be.
        while long - short > 1 {
            let middle = short.midpoint(long);
            if with(middle).mean_work_in(structure, costs) < work { short = middle } else { long = middle }
        }
        with(long)
    }

    /// Returns the mean cost of a packet if all packets are served and segments wait in a list.
    #[must_use]
    pub fn mean_work(&self, costs: Costs) -> Duration {
        self.mean_work_in(Structure::List, costs)
    }

    /// As [`mean_work`](Self::mean_work), for segments that wait in `structure`.
    #[must_use]
    pub fn mean_work_in(&self, structure: Structure, costs: Costs) -> Duration {
        let length = u128::from(self.out_of_order);
        let nodes = self.out_of_order as usize;
        let placed = match structure {
            Structure::List => length * length.saturating_sub(1) / 2,
            Structure::Tree | Structure::Buffer => (0..nodes).map(|nodes| structure.behind(nodes) as u128).sum(),
        };
        let looked = placed + structure.again(nodes) as u128 * u128::from(self.repeats);
        let packets = 1 + length + u128::from(self.repeats);
        let more_ps = u128::from(costs.traversal.as_ps()) * looked / packets;
        Duration::from_ps(costs.fixed.as_ps().saturating_add(convert::saturate(more_ps)))
    }

    /// Returns evenly spaced segments without end, at `rate_bps` bits per second. There are none at a rate of zero.
    #[must_use]
    pub fn segments(&self, rate_bps: f64) -> Inputs<TcpSegment> {
        let gap_ps = f64::from(Self::PACKET_BYTES) * 8.0 / rate_bps * 1e12;
        if !gap_ps.is_finite() {
            return Box::new(std::iter::empty());
        }
        let recipe = *self;
        let concurrent = u64::from(recipe.concurrent.max(1));
        let per_flow = 1 + u64::from(recipe.out_of_order) + u64::from(recipe.repeats);
        Box::new((0_u64..).map(move |number| {
            let turn = number / concurrent;
            let place = (turn % per_flow).min(recipe.out_of_order.into());
            let flow = turn / per_flow * concurrent + number % concurrent;
            TcpSegment {
                arrival: to_time((number + 1) as f64 * gap_ps),
                flow: FlowId(low(flow)),
                sequence: low(place * 2),
                payload_bytes: 1,
                size_bytes: Self::PACKET_BYTES,
                flags: TcpFlags::default(),
            }
        }))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "beyond 2^32 flows the numbers begin again; sequence numbers wrap")]
fn low(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::applications::Application as _;
    use crate::attack::applications::tcp::Reassembler;

    /// Nodes that are looked at for each packet, all served.
    fn traversals(recipe: AttackFlows, packets: usize) -> Vec<u64> {
        let costs = Costs { fixed: Duration::ZERO, traversal: Duration::from_ps(1) };
        let mut reassembler = Reassembler::new(costs, WINDOW_BYTES);
        let counts = recipe.segments(1e9).take(packets).map(|segment| reassembler.serve(&segment).as_ps());
        counts.collect()
    }

    #[test]
    fn each_packet_of_a_flow_passes_one_node_more() {
        let short = AttackFlows { out_of_order: 4, repeats: 2, concurrent: 1 };
        assert_eq!(traversals(short, 10), [0, 0, 1, 2, 3, 4, 4, 0, 0, 1]);
        let two = AttackFlows { concurrent: 2, repeats: 0, ..short };
        assert_eq!(traversals(two, 12), [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0]);
    }

    #[test]
    fn the_longest_flow_just_fits_into_the_window_and_makes_the_mean_of_the_source() {
        let counts = traversals(AttackFlows::longest(), 1 + 8_192);
        assert!(counts[1..].iter().copied().eq(0..8_192));
        // (N-1)/2 for each segment that waits.
        assert_eq!(counts.iter().sum::<u64>(), 8_192 * 8_191 / 2);
        let longer = AttackFlows { out_of_order: 8_193, ..AttackFlows::longest() };
        assert_eq!(traversals(longer, 1 + 8_193)[8_193], 0, "the flow is dropped");
    }

    #[test]
    fn flows_are_as_long_as_the_wanted_mean_needs() {
        let costs = Costs::PIGASUS;
        for us in [1, 3, 15] {
            let flows = AttackFlows::longest().of_mean_work(Duration::from_us(us), costs);
            let shorter = AttackFlows { out_of_order: flows.out_of_order - 1, ..flows };
            assert!(flows.mean_work(costs) >= Duration::from_us(us), "{us}");
            assert!(shorter.mean_work(costs) < Duration::from_us(us), "{us}");
            let counts = traversals(flows, flows.out_of_order as usize + 1);
            let mean_ps = costs.fixed.as_ps() + counts.iter().sum::<u64>() * 4_000 / counts.len() as u64;
            assert_eq!(flows.mean_work(costs).as_ps(), mean_ps);
        }
        let shortened = |flows: AttackFlows, work| flows.of_mean_work(work, costs);
        assert_eq!(shortened(AttackFlows::longest(), Duration::from_ms(1)), AttackFlows::longest());
        assert_eq!(shortened(AttackFlows::longest(), Duration::ZERO).out_of_order, 1);
        let repeated = AttackFlows { repeats: 50, concurrent: 3, ..AttackFlows::filling(2_000) };
        let short = shortened(repeated, Duration::from_us(2));
        assert_eq!(short, AttackFlows { out_of_order: short.out_of_order, ..repeated });
        assert!(short.mean_work(costs) >= Duration::from_us(2) && short.out_of_order < 1_000);
    }
}
