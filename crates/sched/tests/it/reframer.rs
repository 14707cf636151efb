//! Reframer beside groups that are written down, packet by packet.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use crate::support::through_port;
use forebay_core::{BufferSize, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Seed, Time, Verdict};
use forebay_sched::{
    Below, DisciplineError, DisciplineSpec, NodeSpec, Part, RankDiscipline, RankUnit, TreeDiscipline, TreeSpec,
};
use rand::RngExt;

/// Packets of 125 B take a microsecond at 1 Gbps.
const HOLD_NS: u64 = 20_000;

fn reframer(given: &[(&str, &str)]) -> Part {
    let params = given.iter().map(|(name, value)| ((*name).to_owned(), ParamValue::Text((*value).to_owned())));
    Part { name: "reframer".to_owned(), params: params.collect(), own: None }
}

fn spec(rank: Part, queue: &str, buffer: u64) -> DisciplineSpec {
    DisciplineSpec {
        rank,
        queue: Part::named(queue),
        drop: Part::named("tail"),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(buffer),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("1 Gbps").unwrap(),
    }
}

/// Bursts and pauses of some flows.
fn packets(seed: u64) -> Vec<Packet> {
    let mut rng = Seed(seed).stream("reframer");
    let flows = rng.random_range(1..30);
    let mut now = 0;
    let packet = |id| {
        now += if rng.random_bool(0.05) { rng.random_range(0..50_000) } else { rng.random_range(0..2_000) };
        let size_bytes = rng.random_range(64..250);
        Packet {
            id,
            size_bytes,
            flow: FlowId(rng.random_range(0..flows)),
            arrival: Time::from_ps(now * 1_000),
            ..Packet::default()
        }
    };
    (0..400).map(packet).collect()
}

/// Of each packet the number of its group and when that ends: it joins the last group of its flow if that is open.
fn groups(packets: &[Packet]) -> Vec<(usize, Time)> {
    let mut groups: Vec<(FlowId, Time)> = Vec::new();
    let mut group_of = |packet: &Packet| {
        let open = groups.iter().rposition(|(flow, end)| *flow == packet.flow && packet.arrival < *end);
        let number = open.unwrap_or_else(|| {
            groups.push((packet.flow, packet.arrival + Duration::from_ns(HOLD_NS)));
            groups.len() - 1
        });
        (number, groups[number].1)
    };
    packets.iter().map(&mut group_of).collect()
}

/// When the last bit of each packet leaves, and which packet it is: a free link sends the first packet of the first group that has
/// ended.
fn written_down(packets: &[Packet]) -> Vec<(Time, u64)> {
    let groups = groups(packets);
    let mut waiting: Vec<usize> = (0..packets.len()).collect();
    let mut now = Time::ZERO;
    let mut sent = Vec::new();
    while !waiting.is_empty() {
        let ended = waiting.iter().copied().filter(|&id| groups[id].1 <= now);
        let Some(next) = ended.min_by_key(|&id| (groups[id].0, id)) else {
            now = waiting.iter().map(|&id| groups[id].1).min().unwrap();
            continue;
        };
        waiting.retain(|&id| id != next);
        now += Duration::from_ns(u64::from(packets[next].size_bytes) * 8);
        sent.push((now, packets[next].id));
    }
    sent
}

#[test]
fn groups_leave_as_they_were_opened_and_in_one_piece() {
    let mut joined = 0;
    for seed in 0..20 {
        let packets = packets(seed);
        let discipline = RankDiscipline::new(&spec(reframer(&[("hold", "20 us")]), "pieo", 1_000)).unwrap();
        let rate = Rate::parse("1 Gbps").unwrap();
        let sent = through_port(rate, discipline, packets.clone());
        let sent: Vec<(Time, u64)> = sent.into_iter().map(|(time, packet)| (time, packet.id)).collect();
        assert_eq!(sent, written_down(&packets), "seed {seed}");
        let groups = groups(&packets);
        let mut in_order: Vec<usize> = sent.iter().map(|&(_, id)| groups[usize::try_from(id).unwrap()].0).collect();
        assert!(in_order.is_sorted(), "seed {seed}");
        in_order.dedup();
        joined += packets.len() - in_order.len();
    }
    assert!(joined > 2_000, "packets that joined a group: {joined}");
}

#[test]
fn a_packet_that_is_refused_opens_no_group() {
    let mut discipline = RankDiscipline::new(&spec(reframer(&[("hold", "20 us")]), "pieo", 2)).unwrap();
    let mut offer = |at_us: u64, flow: u32| {
        let packet = Packet { flow: FlowId(flow), size_bytes: 100, ..Packet::default() };
        let now = Time::from_ps(at_us * 1_000_000);
        let is_in = matches!(discipline.enqueue(now, packet, &mut Vec::new()), Verdict::Queued { .. });
        (is_in, discipline.dequeue(now).map(|packet| packet.flow.0), discipline.next_wakeup(now).map(Time::as_ps))
    };
    let end = |us: u64| Some(us * 1_000_000);
    assert_eq!(offer(0, 1), (true, None, end(20)));
    assert_eq!(offer(1, 1), (true, None, end(20)));
    assert_eq!(offer(5, 2), (false, None, end(20)), "the buffer is full");
    assert_eq!(offer(20, 2), (false, Some(1), None), "it is full until a packet leaves, and all may leave");
    assert_eq!(offer(21, 2), (true, Some(1), end(41)), "the group of flow 2 opens now");
}

#[test]
fn what_cannot_hold_groups_back_is_refused() {
    let refused = |spec| RankDiscipline::new(&spec).err().unwrap();
    let error = refused(spec(reframer(&[]), "pieo", 10));
    assert!(matches!(&error, DisciplineError::Rank(_)) && error.to_string().contains("needs a `hold`"), "{error}");
    let error = refused(spec(reframer(&[("hold", "1 us")]), "pifo", 10));
    assert!(
        matches!(&error, DisciplineError::Queue(_)) && error.to_string().contains("use queue = \"pieo\""),
        "{error}"
    );
    let delay = Part {
        name: "delay".to_owned(),
        params: [("time".to_owned(), ParamValue::Text("1 us".to_owned()))].into(),
        own: None,
    };
    let error = refused(DisciplineSpec { pace: Some(delay), ..spec(reframer(&[("hold", "1 us")]), "pieo", 10) });
    assert!(matches!(&error, DisciplineError::Pace(_)) && error.to_string().contains("leave `pace` out"), "{error}");
    let root = NodeSpec {
        rank: reframer(&[("hold", "1 us")]),
        rank_unit: 1,
        queue: None,
        weight: None,
        pace: None,
        below: Below::Packets(None),
    };
    let (buffer, link_rate) = (BufferSize::Packets(10), Rate::parse("1 Gbps").unwrap());
    let (queue, drop) = (Part::named("pifo"), Part::named("tail"));
    let error = TreeDiscipline::new(&TreeSpec { root, queue, drop, buffer, link_rate }).err().unwrap();
    assert!(error.to_string().contains("without a tree"), "{error}");
}
