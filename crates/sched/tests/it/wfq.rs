//! WFQ against the fluid that it stands for, simulated on its own. The order of the ranks is that in which the fluid finishes. A port
//! finishes each packet at most one transmission later than the fluid.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use crate::support::through_port;
use forebay_core::{BufferSize, ClassId, FlowId, Packet, ParamValue, Rate, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;
use std::collections::VecDeque;

/// A byte takes 8000 ps, so that transmission times are not rounded.
pub(crate) const BYTES_PER_SECOND: f64 = 125e6;
const WEIGHTS: [u32; 5] = [1, 1, 2, 3, 5];
pub(crate) const LARGEST: u32 = 1_500;

pub(crate) fn rate() -> Rate {
    Rate::parse("1 Gbps").unwrap()
}

/// A flow per class, each with the weight of its class.
pub(crate) fn fair(rank: &str, weights: &[u32], queue: &str, drop: &str, packets: u64) -> RankDiscipline {
    let weights =
        weights.iter().enumerate().map(|(class, weight)| (class.to_string(), ParamValue::Integer((*weight).into())));
    let mut rank = Part::named(rank);
    rank.params.insert("weights".to_owned(), ParamValue::Table(weights.collect()));
    RankDiscipline::new(&DisciplineSpec {
        rank,
        queue: Part::named(queue),
        drop: Part::named(drop),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(packets),
        rank_unit: RankUnit::ONE,
        link_rate: rate(),
    })
    .unwrap()
}

fn wfq(queue: &str, drop: &str, packets: u64) -> RankDiscipline {
    fair("wfq", &WEIGHTS, queue, drop, packets)
}

/// When the fluid finishes each packet, in seconds: at every instant each flow with
/// something left is served at its weight's share of the link.
pub(crate) fn fluid_finish(weights: &[u32], packets: &[Packet]) -> Vec<f64> {
    let mut finish = vec![f64::NAN; packets.len()];
    let mut left: Vec<VecDeque<(usize, f64)>> = vec![VecDeque::new(); weights.len()];
    let mut arrivals = packets.iter().enumerate().peekable();
    let mut now = 0.0;
    loop {
        let weight: u32 =
            weights.iter().zip(&left).filter(|(_, left)| !left.is_empty()).map(|(weight, _)| weight).sum();
        let pace = |flow: usize| BYTES_PER_SECOND * f64::from(weights[flow]) / f64::from(weight);
        let first_done = (0..left.len())
            .filter_map(|flow| Some((now + left[flow].front()?.1 / pace(flow), flow)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let arrival = arrivals.peek().map(|(_, packet)| packet.arrival.as_secs_f64());
        let next = match (first_done, arrival) {
            (None, None) => return finish,
            (Some((done, _)), Some(arrival)) => f64::min(done, arrival),
            (Some((done, _)), None) => done,
            (None, Some(arrival)) => arrival,
        };
        for (flow, left) in left.iter_mut().enumerate() {
            if let Some(front) = left.front_mut() {
                front.1 -= (next - now) * pace(flow);
            }
        }
        now = next;
        match first_done {
            Some((done, flow)) if done <= now => finish[left[flow].pop_front().unwrap().0] = now,
            _ => {
                let (index, packet) = arrivals.next().unwrap();
                left[packet.flow.index()].push_back((index, packet.size_bytes.into()));
            }
        }
    }
}

/// Bursts and pauses, sometimes more than the link carries.
pub(crate) fn random_packets(flows: usize, seed: u64) -> Vec<Packet> {
    let mut rng = Seed(seed).stream("wfq");
    let mut now = 0;
    (0..3_000)
        .map(|id| {
            now += if rng.random_bool(0.3) { rng.random_range(0..40_000_000) } else { 0 };
            let flow = rng.random_range(0..u8::try_from(flows).unwrap());
            Packet {
                id,
                arrival: Time::from_ps(now),
                size_bytes: rng.random_range(40..=LARGEST),
                flow: FlowId(flow.into()),
                class: ClassId(flow),
                ..Packet::default()
            }
        })
        .collect()
}

#[test]
fn ranks_are_in_the_order_in_which_the_fluid_finishes() {
    for seed in 0..10 {
        let packets = random_packets(WEIGHTS.len(), seed);
        let fluid = fluid_finish(&WEIGHTS, &packets);
        let mut by_rank = through_port(rate(), wfq("pifo", "tail", 3_000), packets);
        assert_eq!(by_rank.len(), fluid.len());
        by_rank.sort_by_key(|(_, packet)| packet.rank);
        let finish: Vec<f64> = by_rank.iter().map(|(_, packet)| fluid[usize::try_from(packet.id).unwrap()]).collect();
        // A rank is 1/256 byte of virtual time: at most 12/256 bytes on this link.
        let tolerance = 12.0 / 256.0 / BYTES_PER_SECOND;
        assert!(finish.windows(2).all(|pair| pair[0] <= pair[1] + tolerance), "seed {seed}");
    }
}

#[test]
fn a_port_finishes_a_packet_at_most_one_transmission_after_the_fluid() {
    let mut later_than_half = 0;
    for seed in 0..10 {
        let packets = random_packets(WEIGHTS.len(), seed);
        let fluid = fluid_finish(&WEIGHTS, &packets);
        for (sent, packet) in through_port(rate(), wfq("pifo", "tail", 3_000), packets) {
            let behind = (sent.as_secs_f64() - fluid[usize::try_from(packet.id).unwrap()]) * BYTES_PER_SECOND;
            assert!(behind <= f64::from(LARGEST) + 0.1, "seed {seed}: {packet:?} is {behind} bytes behind");
            later_than_half += u32::from(behind > f64::from(LARGEST) / 2.0);
        }
    }
    assert!(later_than_half > 0, "the bound is not met by chance");
}

#[test]
fn shares_are_those_of_the_weights_when_packets_are_pushed_out() {
    // Every flow offers the whole link; flow 0 offers three times as much again.
    let mut rng = Seed(3).stream("overload");
    let mut packets = Vec::new();
    for tick in 0..30_000_u64 {
        for flow in [0, 0, 0, 0, 1, 2, 3, 4] {
            let size_bytes = if flow % 2 == 0 { LARGEST } else { 500 };
            if rng.random_range(0..LARGEST) < size_bytes {
                packets.push(Packet {
                    arrival: Time::from_ns(tick * 4_000),
                    size_bytes,
                    flow: FlowId(flow),
                    class: ClassId(u8::try_from(flow).unwrap()),
                    ..Packet::default()
                });
            }
        }
    }
    let mut sent_bytes = [0.0; WEIGHTS.len()];
    for (sent, packet) in through_port(rate(), wfq("pifo", "worst-first", 100), packets) {
        if sent > Time::from_ns(10_000_000) {
            sent_bytes[packet.flow.index()] += f64::from(packet.size_bytes);
        }
    }
    let total: f64 = sent_bytes.iter().sum();
    for (flow, weight) in WEIGHTS.into_iter().enumerate() {
        let fair = f64::from(weight) / f64::from(WEIGHTS.iter().sum::<u32>());
        assert!((sent_bytes[flow] / total - fair).abs() < 0.01, "flow {flow}: {sent_bytes:?}");
    }
}
