//! WF2Q against the fluid that it stands for, and beside WFQ. A port sends, of the packets that the fluid has begun, the one that the fluid
//! finishes first. So packets are neither late nor early by more than one transmission.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use crate::support::through_port;
use crate::wfq::{BYTES_PER_SECOND, LARGEST, fair, fluid_finish, random_packets, rate};
use forebay_core::{BufferSize, ClassId, Discipline, FlowId, Packet, Rate, Seed, Time, Verdict};
use forebay_sched::{DisciplineError, DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;

/// A heavy flow and ten light ones, as in the example of Bennett and Zhang.
const WEIGHTS: [u32; 11] = [10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// Rounding of ranks and starts, 1/256 byte at weight 1 each, in seconds on this link; all weights together are 20.
const TOLERANCE: f64 = 2.0 * 20.0 / 256.0 / BYTES_PER_SECOND;

/// Bursts and pauses. Every second packet is of the heavy flow.
fn packets(seed: u64) -> Vec<Packet> {
    let mut rng = Seed(seed).stream("heavy");
    let mut packets = random_packets(WEIGHTS.len(), seed);
    for packet in &mut packets {
        if rng.random_bool(0.5) {
            (packet.flow, packet.class) = (FlowId(0), ClassId(0));
        }
    }
    packets
}

/// When the fluid begins each packet: when it arrives, or when the fluid has finished the one before of its flow.
fn fluid_begin(packets: &[Packet], finish: &[f64]) -> Vec<f64> {
    let mut last = [0.0; WEIGHTS.len()];
    let begin = packets.iter().zip(finish).map(|(packet, &finish)| {
        let of_flow = &mut last[packet.flow.index()];
        let begin = f64::max(packet.arrival.as_secs_f64(), *of_flow);
        *of_flow = finish;
        begin
    });
    begin.collect()
}

/// When the port begins to send each packet, in the order in which it does, and which one.
fn sent(rank: &str, queue: &str, packets: &[Packet]) -> Vec<(f64, usize)> {
    let port = through_port(rate(), fair(rank, &WEIGHTS, queue, "tail", 3_000), packets.to_vec());
    assert_eq!(port.len(), packets.len());
    let begun = |(sent, packet): (Time, Packet)| {
        let id = usize::try_from(packet.id).unwrap();
        (sent.as_secs_f64() - f64::from(packet.size_bytes) / BYTES_PER_SECOND, id)
    };
    port.into_iter().map(begun).collect()
}

#[test]
fn a_port_sends_what_the_fluid_finishes_first_of_what_it_has_begun() {
    let mut held_back = 0;
    for seed in 0..10 {
        let packets = packets(seed);
        let finish = fluid_finish(&WEIGHTS, &packets);
        let begin = fluid_begin(&packets, &finish);
        let mut waiting: Vec<usize> = (0..packets.len()).collect();
        for (now, id) in sent("wf2q", "pieo", &packets) {
            assert!(begin[id] <= now + TOLERANCE, "seed {seed}: {id} is sent at {now}, and begun at {}", begin[id]);
            waiting.retain(|&other| other != id);
            for &other in waiting.iter().filter(|&&other| packets[other].arrival.as_secs_f64() <= now - TOLERANCE) {
                let is_better = finish[other] < finish[id] - TOLERANCE;
                assert!(!is_better || begin[other] > now - TOLERANCE, "seed {seed}: {other} goes before {id} at {now}");
                held_back += u32::from(is_better);
            }
        }
    }
    assert!(held_back > 1_000, "packets that WFQ would have sent: {held_back}");
}

/// By how many bytes a flow is ahead of the fluid at most when one of its packets has been sent. The second result is how late a packet is
/// at most, in bytes of the link. Of a packet that the fluid has begun, nothing counts until it is finished.
fn ahead_and_behind(rank: &str, queue: &str) -> (f64, f64) {
    let (mut ahead, mut behind) = (0.0, 0.0);
    for seed in 0..10 {
        let packets = packets(seed);
        let finish = fluid_finish(&WEIGHTS, &packets);
        let mut sent_bytes = [0.0; WEIGHTS.len()];
        for (begun, id) in sent(rank, queue, &packets) {
            let (flow, size) = (packets[id].flow, f64::from(packets[id].size_bytes));
            let now = begun + size / BYTES_PER_SECOND;
            sent_bytes[flow.index()] += size;
            let of_flow = packets.iter().zip(&finish).filter(|(packet, _)| packet.flow == flow);
            let fluid = of_flow.filter(|(_, finish)| **finish <= now + TOLERANCE);
            let fluid: f64 = fluid.map(|(packet, _)| f64::from(packet.size_bytes)).sum();
            ahead = f64::max(ahead, sent_bytes[flow.index()] - fluid);
            behind = f64::max(behind, (now - finish[id]) * BYTES_PER_SECOND);
        }
    }
    (ahead, behind)
}

/// The example of Bennett and Zhang: eleven packets of the heavy flow and one of each other come at once. WFQ sends ten of the heavy
/// flow in a row, five more than the fluid has sent by then. WF2Q sends one of it and one of another in turn.
#[test]
fn wfq_sends_in_a_row_what_wf2q_spreads() {
    let flows = std::iter::repeat_n(0, 11).chain(1..=10);
    let packet = |(id, flow): (u64, u8)| Packet {
        id,
        size_bytes: LARGEST,
        flow: FlowId(flow.into()),
        class: ClassId(flow),
        ..Packet::default()
    };
    let packets: Vec<Packet> = (0..).zip(flows).map(packet).collect();
    let heavy_first = |rank, queue| -> Vec<bool> {
        sent(rank, queue, &packets).into_iter().map(|(_, id)| packets[id].flow == FlowId(0)).collect()
    };
    assert_eq!(heavy_first("wfq", "pifo")[..10], [true; 10]);
    assert_eq!(heavy_first("wf2q", "pieo"), (0..21).map(|place| place % 2 == 0).collect::<Vec<_>>());
}

/// Bennett and Zhang, INFOCOM'96.
#[test]
fn a_flow_is_at_most_one_packet_ahead_and_one_behind_where_wfq_is_further_ahead() {
    let (ahead, behind) = ahead_and_behind("wf2q", "pieo");
    assert!(ahead <= f64::from(LARGEST) && behind <= f64::from(LARGEST) + 0.5, "{ahead} and {behind} bytes");
    let (ahead, behind) = ahead_and_behind("wfq", "pifo");
    assert!(ahead > 3.0 * f64::from(LARGEST) && behind <= f64::from(LARGEST) + 0.5, "{ahead} and {behind} bytes");
}

/// A fluid that is slower than the port, as if it had a wrong rate: the port does not wait for it.
#[test]
fn a_free_link_sends_though_the_fluid_has_begun_nothing_more() {
    let mut discipline = fair("wf2q", &WEIGHTS, "pieo", "tail", 10);
    let offer = |discipline: &mut RankDiscipline, id: u64, flow: u32| {
        let packet = Packet { id, size_bytes: 1_000, flow: FlowId(flow), ..Packet::default() };
        assert!(matches!(discipline.enqueue(Time::ZERO, packet, &mut Vec::new()), Verdict::Queued { .. }));
    };
    for id in 0..4 {
        offer(&mut discipline, id, 1);
    }
    offer(&mut discipline, 4, 2);
    let ids: Vec<u64> = std::iter::from_fn(|| discipline.dequeue(Time::ZERO)).map(|packet| packet.id).collect();
    assert_eq!(ids, [0, 4, 1, 2, 3], "the second of flow 1 is begun only after the first, and flow 2 at once");
    assert_eq!((discipline.len(), discipline.next_wakeup(Time::ZERO)), (0, None));
}

#[test]
fn what_cannot_hold_packets_back_in_virtual_time_is_refused() {
    let spec = |queue: &str, pace: Option<Part>| DisciplineSpec {
        rank: Part::named("wf2q"),
        queue: Part::named(queue),
        drop: Part::named("tail"),
        mark: None,
        pace,
        buffer: BufferSize::Packets(10),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("1 Gbps").unwrap(),
    };
    let refused = |spec| RankDiscipline::new(&spec).err().unwrap();
    let error = refused(spec("pifo", None));
    assert!(
        matches!(&error, DisciplineError::Queue(_)) && error.to_string().contains("use queue = \"pieo\""),
        "{error}"
    );
    let error = refused(spec("pieo", Some(Part::named("token-bucket"))));
    assert!(matches!(&error, DisciplineError::Pace(_)) && error.to_string().contains("leave `pace` out"), "{error}");
}
