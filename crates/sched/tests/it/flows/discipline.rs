//! `FlowDiscipline` in front of buffers of packets and of bytes.

use crate::flows::naive::Naive;
use forebay_core::{BufferSize, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Rng, Seed, Time, Verdict};
use forebay_sched::flows::{FLOW_RANKS, Job};
use forebay_sched::{DisciplineError, DisciplineSpec, FlowDiscipline, Part, RankDiscipline, RankUnit, discipline};
use rand::RngExt;
use std::collections::BTreeMap;

fn spec(rank: &str, queue: &str, drop: &str, buffer: BufferSize) -> DisciplineSpec {
    DisciplineSpec {
        rank: Part::named(rank),
        queue: Part::named(queue),
        drop: Part::named(drop),
        mark: None,
        pace: None,
        buffer,
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse("10 Gbps").unwrap(),
    }
}

fn random_packet(rng: &mut Rng, id: u64, flows: u32) -> Packet {
    Packet {
        id,
        processing: Duration::from_ns(rng.random_range(1..3_000)),
        size_bytes: rng.random_range(40..1_500),
        flow: FlowId(rng.random_range(0..flows)),
        ..Packet::default()
    }
}

fn fits(naive: &Naive, buffer: BufferSize) -> bool {
    match buffer {
        BufferSize::Packets(limit) => naive.len() as u64 <= limit,
        BufferSize::Bytes(limit) => naive.bytes() <= limit,
    }
}

/// The arriving packet is put in, then the last of the worst flow leaves until the rest fits, or the arriving one.
/// Gives the ids of those that leave, and the rank of the packet's flow with it.
fn enqueue(naive: &mut Naive, buffer: BufferSize, worst_first: bool, packet: &Packet) -> (Vec<u64>, u64) {
    let flow = u64::from(packet.flow.0);
    let tail = !worst_first && {
        let bytes = u64::from(packet.size_bytes);
        match buffer {
            BufferSize::Packets(limit) => naive.len() as u64 + 1 > limit,
            BufferSize::Bytes(limit) => naive.bytes() + bytes > limit,
        }
    };
    let job = Job { work: packet.processing, bytes: packet.size_bytes };
    if tail {
        let waiting = naive.flows.iter().find(|naive| naive.id == flow).map(|flow| flow.load()).unwrap_or_default();
        let mut with = waiting;
        with.items += 1;
        with.bytes += u64::from(job.bytes);
        with.work_ps += u128::from(job.work.as_ps());
        with.head = if waiting.items == 0 { job } else { waiting.head };
        return (vec![packet.id], (naive.rank)(&with));
    }
    let rank = naive.push(flow, job, packet.id).unwrap();
    let mut victims = Vec::new();
    while !fits(naive, buffer) {
        let (_, _, id) = naive.drop_worst().unwrap();
        victims.push(id);
        if id == packet.id {
            break;
        }
    }
    (victims, rank)
}

#[test]
fn it_does_what_plain_lists_do() {
    for entry in FLOW_RANKS {
        for (drop, worst_first) in [("tail", false), ("worst-first", true)] {
            for buffer in [BufferSize::Packets(1), BufferSize::Packets(20), BufferSize::Bytes(9_000)] {
                for (queue, max_rank) in [("pifo", u64::MAX), ("hffs", 32_767)] {
                    let case = format!("{} {drop} {buffer} {queue}", entry.about.name);
                    let mut tested = FlowDiscipline::new(&spec(entry.about.name, queue, drop, buffer)).unwrap();
                    let (rank, limit) = (entry.rank, usize::MAX);
                    let unit = RankUnit::ONE;
                    let mut naive = Naive { rank, unit, max_rank, limit, serial: None, flows: Vec::new(), came: 0 };
                    let mut rng = Seed(9).stream(&case);
                    let mut evicted = Vec::new();
                    for id in 0..10_000 {
                        if rng.random_range(0..100) < 55 {
                            let packet = random_packet(&mut rng, id, 6);
                            evicted.clear();
                            let verdict = tested.enqueue(Time::ZERO, packet, &mut evicted);
                            let mut gone: Vec<u64> = evicted.iter().map(|packet| packet.id).collect();
                            let rank = match verdict {
                                Verdict::Queued { rank } => rank,
                                Verdict::Refused { rank } => {
                                    gone.push(id);
                                    rank
                                }
                            };
                            let expected = enqueue(&mut naive, buffer, worst_first, &packet);
                            assert_eq!((gone, rank), expected, "{case}: packet {id}");
                        } else {
                            let served = tested.dequeue(Time::ZERO).map(|packet| packet.id);
                            assert_eq!(served, naive.take().map(|(_, _, id)| id), "{case}: step {id}");
                        }
                        assert_eq!((tested.len(), tested.bytes()), (naive.len(), naive.bytes()), "{case}");
                    }
                }
            }
        }
    }
}

/// Every offered packet leaves once, in order within its flow; by id, `true` if it was served.
fn fates(discipline: &mut dyn Discipline, rng: &mut Rng, flows: u32) -> BTreeMap<u64, bool> {
    let (mut fates, mut evicted, mut served) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
    let mut serve = |packet: Packet, fates: &mut BTreeMap<u64, bool>| {
        assert!(fates.insert(packet.id, true).is_none());
        let last = served.insert(packet.flow, packet.id);
        assert!(last.is_none_or(|last| last < packet.id), "in order");
    };
    for id in 0..20_000 {
        if let Verdict::Refused { .. } = discipline.enqueue(Time::ZERO, random_packet(rng, id, flows), &mut evicted) {
            assert!(fates.insert(id, false).is_none());
        }
        for packet in evicted.drain(..) {
            assert!(fates.insert(packet.id, false).is_none());
        }
        if rng.random_bool(0.7)
            && let Some(packet) = discipline.dequeue(Time::ZERO)
        {
            serve(packet, &mut fates);
        }
    }
    while let Some(packet) = discipline.dequeue(Time::ZERO) {
        serve(packet, &mut fates);
    }
    assert!(fates.keys().copied().eq(0..20_000), "nothing is lost");
    fates
}

#[test]
fn flows_stay_in_order_and_nothing_is_lost() {
    for entry in FLOW_RANKS {
        for drop in ["tail", "worst-first"] {
            for buffer in [BufferSize::Packets(64), BufferSize::Bytes(50_000)] {
                let mut tested = discipline(&spec(entry.about.name, "hffs", drop, buffer), Seed(1)).unwrap();
                let fates = fates(&mut *tested, &mut Seed(3).stream(drop), 40);
                assert!(fates.values().any(|served| !served) && fates.values().any(|served| *served), "both happen");
            }
        }
    }
}

/// Where no two packets are of one flow, the flow's rank is the packet's.
#[test]
fn flows_of_one_packet_are_packets() {
    for (flow_rank, rank) in
        [("job-ratio-inorder", "job-ratio"), ("job-size-inorder", "job-size"), ("job-ratio-head", "job-ratio")]
    {
        let buffer = BufferSize::Packets(30);
        let mut by_flow = FlowDiscipline::new(&spec(flow_rank, "pifo", "worst-first", buffer)).unwrap();
        let mut by_packet = RankDiscipline::new(&spec(rank, "pifo", "worst-first", buffer)).unwrap();
        let mut rng = Seed(6).stream(rank);
        for id in 0..20_000 {
            let flow = FlowId(u32::try_from(id).unwrap());
            let packet = Packet { flow, ..random_packet(&mut rng, id, 1) };
            let (mut evicted, mut expected) = (Vec::new(), Vec::new());
            let verdicts = [
                by_flow.enqueue(Time::ZERO, packet, &mut evicted),
                by_packet.enqueue(Time::ZERO, packet, &mut expected),
            ];
            assert_eq!((verdicts[0], evicted), (verdicts[1], expected), "{flow_rank}: {id}");
            if rng.random_bool(0.8) {
                assert_eq!(by_flow.dequeue(Time::ZERO), by_packet.dequeue(Time::ZERO), "{flow_rank}: {id}");
            }
        }
    }
}

/// The thesis's example (section 3.5.3): one head of large ratio holds up a flow whose other packets are good.
#[test]
fn a_bad_head_does_not_stand_for_its_flow() {
    for (rank, first) in [("job-ratio-head", FlowId(2)), ("job-ratio-inorder", FlowId(1))] {
        let mut tested = FlowDiscipline::new(&spec(rank, "pifo", "tail", BufferSize::Packets(100))).unwrap();
        let offer = |tested: &mut FlowDiscipline, flow, us, size_bytes| {
            let packet =
                Packet { flow: FlowId(flow), processing: Duration::from_us(us), size_bytes, ..Packet::default() };
            tested.enqueue(Time::ZERO, packet, &mut Vec::new());
        };
        offer(&mut tested, 1, 10, 64);
        (0..20).for_each(|_| offer(&mut tested, 1, 1, 1_250));
        offer(&mut tested, 2, 1, 64);
        assert_eq!(tested.dequeue(Time::ZERO).unwrap().flow, first, "{rank}");
    }
}

#[test]
fn what_does_not_fit_together_is_said() {
    let error = |spec: DisciplineSpec| discipline(&spec, Seed(1)).map(|_| ()).unwrap_err();
    let base = spec("job-ratio-inorder", "hffs", "worst-first", BufferSize::Packets(10));
    assert!(discipline(&base, Seed(1)).is_ok());
    let queue = |name: &str| DisciplineSpec { queue: Part::named(name), ..base.clone() };
    assert!(discipline(&queue("pifo"), Seed(1)).is_ok());
    for name in ["fifo", "sp-pifo", "rolling-hffs", "pieo"] {
        assert!(matches!(error(queue(name)), DisciplineError::Queue(error) if error.message.contains("\"pifo\" or")));
    }
    let mut levels = base.clone();
    levels.queue.params.insert("levels".to_owned(), ParamValue::Integer(3));
    assert!(matches!(error(levels), DisciplineError::Queue(error) if error.param.as_deref() == Some("levels")));
    let drop = DisciplineSpec { drop: Part::named("tial"), ..base.clone() };
    assert!(matches!(error(drop), DisciplineError::Drop(error) if error.message.contains("`tail`")));
    let large = DisciplineSpec { buffer: BufferSize::Packets(1 << 40), ..base.clone() };
    assert!(matches!(error(large), DisciplineError::Buffer(_)));
    let rank = DisciplineSpec { rank: Part::named("job-ratio-in-order"), ..base };
    assert!(matches!(error(rank), DisciplineError::Rank(error) if error.message.contains("`job-ratio-inorder`")));
}
