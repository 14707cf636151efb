//! AFQ as published: the rank function `afq` on a `calendar`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

use forebay_core::{BufferSize, Discipline, FlowId, Packet, ParamValue, Rate, Seed, Time};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;

fn part(name: &str, params: &[(&str, i64)]) -> Part {
    let params = params.iter().map(|&(name, value)| (name.to_owned(), ParamValue::Integer(value))).collect();
    Part { name: name.to_owned(), params, own: None }
}

/// AFQ with 16 queues that never fill before a flow is too far ahead.
fn afq(bytes_per_round: i64, rows: i64, columns: i64, hash_seed: i64) -> RankDiscipline {
    let sketch = [("bytes_per_round", bytes_per_round), ("rows", rows), ("columns", columns), ("hash_seed", hash_seed)];
    RankDiscipline::new(&DisciplineSpec {
        rank: part("afq", &sketch),
        queue: part("calendar", &[("queues", 16), ("queue_packets", 4_000)]),
        drop: Part::named("tail"),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(64_000),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("10 Gbps").unwrap(),
    })
    .unwrap()
}

/// Long flows, as (packet bytes, packets offered in each step).
type Flow = (u32, u32);

/// Offers the packets of every step in random order and sends `sent_bytes` of them.
/// Returns the bytes that each flow has been served after every step.
fn serve(mut discipline: RankDiscipline, flows: &[Flow], sent_bytes: u64, steps: usize) -> Vec<Vec<u64>> {
    let mut rng = Seed(3).stream("afq");
    let mut served = vec![0; flows.len()];
    let mut credit = 0;
    (0..steps)
        .map(|_| {
            let mut offered: Vec<usize> =
                (0..flows.len()).flat_map(|flow| std::iter::repeat_n(flow, flows[flow].1 as usize)).collect();
            while !offered.is_empty() {
                let flow = offered.swap_remove(rng.random_range(0..offered.len()));
                let packet = Packet {
                    size_bytes: flows[flow].0,
                    flow: FlowId(u32::try_from(flow).unwrap()),
                    ..Packet::default()
                };
                discipline.enqueue(Time::ZERO, packet, &mut Vec::new());
            }
            credit += sent_bytes;
            while let Some(packet) = if credit >= 1_500 { discipline.dequeue(Time::ZERO) } else { None } {
                credit -= u64::from(packet.size_bytes);
                served[packet.flow.index()] += u64::from(packet.size_bytes);
            }
            served.clone()
        })
        .collect()
}

/// Offers from one to five times a fair share, in packets of 64 to 1500 bytes.
const GREEDY: [Flow; 6] = [(1_500, 1), (1_500, 5), (700, 4), (64, 30), (300, 10), (1_000, 3)];

#[test]
fn long_flows_are_never_more_than_a_round_and_a_packet_apart() {
    for bytes_per_round in [1_500, 3_000, 10_000] {
        // 1500 bytes a step are fair, and every flow offers at least that.
        let history = serve(afq(bytes_per_round, 2, 16_384, 1), &GREEDY, 6 * 1_500, 5_000);
        let bound = u64::try_from(bytes_per_round).unwrap() + 1_500;
        let apart = history.iter().map(|served| served.iter().max().unwrap() - served.iter().min().unwrap()).max();
        println!("rounds of {bytes_per_round}: {apart:?} bytes apart, bound {bound}");
        assert!(apart.unwrap() < bound, "{bytes_per_round}: {apart:?}");
        assert!(*history.last().unwrap().first().unwrap() > 7_000_000, "the link was busy");
    }
}

/// Shares of service of 32 flows of equal packets, of which the first offers eight
/// times as much as each other.
fn shares(rows: i64, columns: i64, hash_seed: i64) -> Vec<f64> {
    let mut flows = [(1_000, 2); 32];
    flows[0].1 = 16;
    let history = serve(afq(2_000, rows, columns, hash_seed), &flows, 32_000, 2_000);
    let served = history.last().unwrap();
    let total: u64 = served.iter().sum();
    served.iter().map(|&bytes| bytes as f64 / total as f64 * 32.0).collect()
}

#[test]
fn collisions_make_flows_share_one_share() {
    let large = shares(2, 16_384, 1);
    assert!(large.iter().all(|share| (share - 1.0).abs() < 0.01), "{large:?}");

    // All flows in one cell: they are one flow, served by what each offers.
    let one_cell = shares(1, 1, 1);
    let others = one_cell[1..].iter().sum::<f64>() / 31.0;
    println!("one cell: the greedy flow gets {:.2} of a fair share, each other {others:.2}", one_cell[0]);
    assert!(one_cell[0] > 6.0 * others, "{one_cell:?}");

    // Between the two, flows that share a cell share what one flow would get.
    let least = |rows, columns| {
        (1..=10).map(|seed| shares(rows, columns, seed).into_iter().fold(f64::INFINITY, f64::min)).sum::<f64>() / 10.0
    };
    let (tiny, wide, deep) = (least(1, 64), least(1, 1_024), least(3, 64));
    println!("least share of a flow, mean of 10 hashes: 1 x 64 {tiny:.2}, 1 x 1024 {wide:.2}, 3 x 64 {deep:.2}");
    assert!(tiny < 0.6 && wide > tiny && deep > tiny, "{tiny} {wide} {deep}");
}
