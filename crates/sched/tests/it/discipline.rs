//! `RankDiscipline` against a plain list that does what the manual says, and what
//! follows from it: fair shares, nothing lost.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{
    BufferSize, ClassId, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Rng, Seed, Time, Verdict,
};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;

/// A rank function as the manual states it.
type StatedRank = fn(Time, &Packet) -> u64;

/// A list in order of service, with virtual admission: the arriving packet is put
/// into its place, then victims leave until the rest fits.
struct Naive {
    waiting: Vec<Packet>,
    buffer: BufferSize,
    rank: StatedRank,
    worst_first: bool,
}

impl Naive {
    fn fits(&self) -> bool {
        match self.buffer {
            BufferSize::Packets(limit) => self.waiting.len() as u64 <= limit,
            BufferSize::Bytes(limit) => {
                self.waiting.iter().map(|packet| u64::from(packet.size_bytes)).sum::<u64>() <= limit
            }
        }
    }

    /// The ids of the packets that leave.
    fn enqueue(&mut self, now: Time, mut packet: Packet) -> Vec<u64> {
        packet.rank = (self.rank)(now, &packet);
        let place = self.waiting.iter().filter(|waiting| waiting.rank <= packet.rank).count();
        self.waiting.insert(place, packet);
        let mut victims = Vec::new();
        while !self.fits() {
            let leaves = if self.worst_first {
                self.waiting.len() - 1
            } else {
                self.waiting.iter().position(|waiting| waiting.id == packet.id).unwrap()
            };
            victims.push(self.waiting.remove(leaves).id);
            if victims.contains(&packet.id) {
                break;
            }
        }
        victims
    }

    fn dequeue(&mut self) -> Option<Packet> {
        if self.waiting.is_empty() { None } else { Some(self.waiting.remove(0)) }
    }
}

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

fn random_packet(rng: &mut Rng, id: u64, now: Time) -> Packet {
    Packet {
        id,
        arrival: now,
        rank: rng.random_range(0..50),
        remaining_bytes: rng.random_range(1..5_000),
        slack: Duration::from_ns(rng.random_range(0..2_000)),
        processing: Duration::from_ns(rng.random_range(1..3_000)),
        size_bytes: rng.random_range(40..1_500),
        value: rng.random_range(0..5),
        class: ClassId(rng.random_range(0..4)),
        ..Packet::default()
    }
}

#[test]
fn the_discipline_does_what_the_list_does() {
    let ranks: [(&str, StatedRank); 8] = [
        ("arrival", |now, _| now.as_ps()),
        ("packet-rank", |_, packet| packet.rank),
        ("edf", |now, packet| now.as_ps() + packet.slack.as_ps()),
        ("strict", |_, packet| 255 - u64::from(packet.class.0)),
        ("value", |_, packet| u64::from(u32::MAX - packet.value)),
        ("remaining-bytes", |_, packet| packet.remaining_bytes),
        ("job-size", |_, packet| packet.processing.as_ps()),
        ("job-ratio", |_, packet| packet.processing.as_ps() * 1_000 / u64::from(packet.size_bytes)),
    ];
    for (name, rank) in ranks {
        for (drop, worst_first) in [("tail", false), ("worst-first", true)] {
            for buffer in [BufferSize::Packets(1), BufferSize::Packets(20), BufferSize::Bytes(9_000)] {
                let case = format!("{name} {drop} {buffer}");
                let mut naive = Naive { waiting: Vec::new(), buffer, rank, worst_first };
                let mut discipline = RankDiscipline::new(&spec(name, "pifo", drop, buffer)).unwrap();
                let mut rng = Seed(9).stream(&case);
                let mut evicted = Vec::new();
                for id in 0..20_000 {
                    let now = Time::from_ns(id / 3);
                    if rng.random_range(0..100) < 55 {
                        let packet = random_packet(&mut rng, id, now);
                        evicted.clear();
                        let verdict = discipline.enqueue(now, packet, &mut evicted);
                        let mut gone: Vec<u64> = evicted.iter().map(|packet| packet.id).collect();
                        if matches!(verdict, Verdict::Refused { .. }) {
                            gone.push(id);
                        }
                        assert_eq!(gone, naive.enqueue(now, packet), "{case}: packet {id}");
                    } else {
                        assert_eq!(discipline.dequeue(now), naive.dequeue(), "{case}: step {id}");
                    }
                    assert_eq!(discipline.len(), naive.waiting.len(), "{case}");
                    let bytes: u64 = naive.waiting.iter().map(|packet| u64::from(packet.size_bytes)).sum();
                    assert_eq!(discipline.bytes(), bytes, "{case}");
                }
            }
        }
    }
}

/// Keeps `packets` of every flow waiting and returns the bytes that each was served.
fn serve_backlogged(spec: &DisciplineSpec, flows: &[(ClassId, u32)], served_packets: usize) -> Vec<u64> {
    let mut discipline = RankDiscipline::new(spec).unwrap();
    let mut served = vec![0; flows.len()];
    let offer = |discipline: &mut RankDiscipline, flow: usize| {
        let (class, size_bytes) = flows[flow];
        let packet = Packet { class, size_bytes, flow: FlowId(u32::try_from(flow).unwrap()), ..Packet::default() };
        let verdict = discipline.enqueue(Time::ZERO, packet, &mut Vec::new());
        assert!(matches!(verdict, Verdict::Queued { .. }));
    };
    for flow in 0..flows.len() {
        (0..4).for_each(|_| offer(&mut discipline, flow));
    }
    for _ in 0..served_packets {
        let packet = discipline.dequeue(Time::ZERO).unwrap();
        served[packet.flow.index()] += u64::from(packet.size_bytes);
        offer(&mut discipline, packet.flow.index());
    }
    served
}

#[test]
fn fair_queueing_gives_flows_bytes_by_weight_whatever_their_packets() {
    let mut spec = spec("stfq", "pifo", "tail", BufferSize::Packets(100));
    let flows = [(ClassId(0), 1_500), (ClassId(0), 64), (ClassId(46), 700)];
    let served = serve_backlogged(&spec, &flows, 50_000);
    assert!(served.iter().all(|&bytes| bytes.abs_diff(served[0]) <= 3_000), "{served:?}");

    let three = ParamValue::Table(vec![("46".to_owned(), ParamValue::Integer(3))]);
    spec.rank.params.insert("weights".to_owned(), three);
    let served = serve_backlogged(&spec, &flows, 50_000);
    assert!(served[2].abs_diff(3 * served[0]) <= 9_000 && served[1].abs_diff(served[0]) <= 3_000, "{served:?}");
}

/// Flow 0 sends small packets with ten times the work of the large ones of the others; all send more than they get.
#[test]
fn fair_queueing_of_work_gives_flows_equal_work_whatever_their_packets() {
    let share_of_first = |rank: &str, flows: u32| {
        let spec = spec(rank, "pifo", "worst-first", BufferSize::Packets(50));
        let mut discipline = RankDiscipline::new(&spec).unwrap();
        let mut rng = Seed(8).stream("job-fair");
        let mut work = vec![0; flows as usize];
        for step in 0..200_000 {
            let flow = rng.random_range(0..flows);
            let (us, size_bytes) = if flow == 0 { (10, 64) } else { (1, 1_500) };
            let packet =
                Packet { flow: FlowId(flow), processing: Duration::from_us(us), size_bytes, ..Packet::default() };
            discipline.enqueue(Time::ZERO, packet, &mut Vec::new());
            if rng.random_range(0..10) < 2
                && let Some(packet) = discipline.dequeue(Time::ZERO)
                && step > 10_000
            {
                work[packet.flow.index()] += packet.processing.as_ps();
            }
        }
        work[0] as f64 / work.iter().sum::<u64>() as f64
    };
    for rank in ["job-fair", "job-clock", "job-finish"] {
        for flows in [2, 3, 5] {
            let share = share_of_first(rank, flows);
            assert!((share - 1.0 / f64::from(flows)).abs() < 0.02, "{rank}, {flows} flows: {share}");
        }
    }
}

#[test]
fn worst_first_keeps_good_packets_where_tail_drop_keeps_an_attacker() {
    // An attacker fills the buffer with the worst packets; then a good one arrives.
    for (drop, kept) in [("tail", false), ("worst-first", true)] {
        let mut discipline = RankDiscipline::new(&spec("job-ratio", "pifo", drop, BufferSize::Packets(10))).unwrap();
        let bad = Packet { processing: Duration::from_us(10), size_bytes: 64, ..Packet::default() };
        (0..20).for_each(|_| {
            discipline.enqueue(Time::ZERO, bad, &mut Vec::new());
        });
        let good = Packet { processing: Duration::from_us(1), size_bytes: 1_250, ..Packet::default() };
        let verdict = discipline.enqueue(Time::ZERO, good, &mut Vec::new());
        assert_eq!(matches!(verdict, Verdict::Queued { .. }), kept, "{drop}");
    }
}

/// Offers packets of each flow at its rate (packets per 1000 services) and returns
/// the share of service that each got once the buffer had filled.
fn share_under_overload(spec: &DisciplineSpec, flows: &[(ClassId, u32)]) -> Vec<f64> {
    let mut discipline = RankDiscipline::new(spec).unwrap();
    let mut rng = Seed(2).stream("overload");
    let mut served = vec![0_u32; flows.len()];
    let mut evicted = Vec::new();
    for step in 0..100_000 {
        for (flow, &(class, per_thousand)) in flows.iter().enumerate() {
            let arrivals = per_thousand / 1_000 + u32::from(rng.random_range(0..1_000) < per_thousand % 1_000);
            for _ in 0..arrivals {
                let packet = Packet {
                    class,
                    size_bytes: 1_500,
                    flow: FlowId(u32::try_from(flow).unwrap()),
                    ..Packet::default()
                };
                evicted.clear();
                discipline.enqueue(Time::ZERO, packet, &mut evicted);
            }
        }
        if let Some(packet) = discipline.dequeue(Time::ZERO)
            && step > 10_000
        {
            served[packet.flow.index()] += 1;
        }
    }
    served.iter().map(|&packets| f64::from(packets) / f64::from(served.iter().sum::<u32>())).collect()
}

#[test]
fn fair_queueing_stays_fair_when_packets_are_pushed_out() {
    let mut spec = spec("stfq", "pifo", "worst-first", BufferSize::Packets(50));
    for (offered, fair) in [([600, 3_000], [0.5, 0.5]), ([1_500, 1_500], [0.5, 0.5]), ([300, 3_000], [0.3, 0.7])] {
        let share = share_under_overload(&spec, &offered.map(|rate| (ClassId(0), rate)));
        assert!((share[0] - fair[0]).abs() < 0.01, "{offered:?}: {share:?}");
    }
    let three = share_under_overload(&spec, &[400, 400, 3_000].map(|rate| (ClassId(0), rate)));
    assert!(three.iter().all(|share| (share - 1.0 / 3.0).abs() < 0.01), "{three:?}");
    let three = ParamValue::Table(vec![("46".to_owned(), ParamValue::Integer(3))]);
    spec.rank.params.insert("weights".to_owned(), three);
    let weighted = share_under_overload(&spec, &[(ClassId(46), 1_500), (ClassId(0), 1_500)]);
    assert!((weighted[0] - 0.75).abs() < 0.01, "{weighted:?}");
}
