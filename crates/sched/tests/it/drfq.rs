//! Dominant resource fair queueing against its definition, and the shares that flows get.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{BufferSize, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Seed, Time, Verdict};
use forebay_sched::{DisciplineSpec, Part, RankDiscipline, RankUnit};
use rand::RngExt;

/// A byte takes 1 ns.
const LINK: &str = "8 Gbps";

fn drfq(memory: &str, round: i64, packets: u64) -> RankDiscipline {
    let mut rank = Part::named("drfq");
    rank.params.insert("memory".to_owned(), ParamValue::Text(memory.to_owned()));
    rank.params.insert("link".to_owned(), ParamValue::Text(LINK.to_owned()));
    rank.params.insert("round".to_owned(), ParamValue::Integer(round));
    RankDiscipline::new(&DisciplineSpec {
        rank,
        queue: Part::named("pifo"),
        drop: Part::named("worst-first"),
        mark: None,
        pace: None,
        buffer: BufferSize::Packets(packets),
        rank_unit: RankUnit::ONE,
        link_rate: Rate::parse(LINK).unwrap(),
    })
    .unwrap()
}

/// What a packet needs of the processor and of the link, in nanoseconds.
fn needs(packet: &Packet) -> [u64; 2] {
    [packet.processing.as_ps() / 1_000, packet.size_bytes.into()]
}

/// The definition: every packet that was taken in and not pushed out, with its starts and finishes at both resources.
struct Reference {
    has_memory: bool,
    /// In nanoseconds.
    round: u64,
    /// Flow, id, starts, finishes; in order of arrival.
    waiting: Vec<(FlowId, u64, [u64; 2], [u64; 2])>,
    /// Finishes of the last packet of each flow that was served.
    served: Vec<(FlowId, [u64; 2])>,
    virtual_time: [u64; 2],
}

impl Reference {
    fn enqueue(&mut self, packet: &Packet, most: usize) -> Option<u64> {
        let own = self.waiting.iter().rev().find(|other| other.0 == packet.flow).map(|other| other.3);
        let before = own.or_else(|| self.served.iter().rev().find(|other| other.0 == packet.flow).map(|other| other.1));
        let before = before.unwrap_or([0; 2]);
        let needs = needs(packet);
        let needs = if self.has_memory { needs } else { [needs[0].max(needs[1]); 2] };
        let starts = [0, 1].map(|at| self.virtual_time[at].max(before[at]));
        self.waiting.push((packet.flow, packet.id, starts, [0, 1].map(|at| starts[at] + needs[at])));
        let worst = (0..self.waiting.len()).max_by_key(|&at| (self.rank(at), at))?;
        (self.waiting.len() > most).then(|| self.waiting.remove(worst).1)
    }

    fn rank(&self, at: usize) -> u64 {
        let [processor, link] = self.waiting[at].2;
        processor.max(link) / self.round
    }

    fn dequeue(&mut self) -> Option<u64> {
        let next = (0..self.waiting.len()).min_by_key(|&at| (self.rank(at), at))?;
        let (flow, id, starts, finishes) = self.waiting.remove(next);
        self.virtual_time = [0, 1].map(|at| self.virtual_time[at].max(starts[at] / self.round * self.round));
        self.served.push((flow, finishes));
        Some(id)
    }
}

fn packet(id: u64, flow: u32, work_ns: u64, bytes: u32) -> Packet {
    Packet { id, flow: FlowId(flow), processing: Duration::from_ns(work_ns), size_bytes: bytes, ..Packet::default() }
}

#[test]
fn the_order_is_that_of_the_definition() {
    let mut rng = Seed(44).stream("drfq");
    let (mut dropped, mut served) = (0, 0);
    for case in 0..60_i64 {
        let (has_memory, round, most) = (case % 2 == 1, 1 + case / 2 % 3, rng.random_range(1..12));
        let mut fast = drfq(if has_memory { "resources" } else { "none" }, 1_000 * round, most as u64);
        let (waiting, finished) = (Vec::new(), Vec::new());
        let mut slow =
            Reference { has_memory, round: round.unsigned_abs(), waiting, served: finished, virtual_time: [0; 2] };
        for id in 0..600 {
            if rng.random_range(0..5) < 3 {
                // Small numbers, so that ranks are often equal.
                let packet = packet(id, rng.random_range(0..4), rng.random_range(1..6), rng.random_range(1..6));
                let mut evicted = Vec::new();
                let verdict = fast.enqueue(Time::ZERO, packet, &mut evicted);
                let gone = if matches!(verdict, Verdict::Refused { .. }) {
                    Some(id)
                } else {
                    evicted.first().map(|own| own.id)
                };
                assert_eq!(gone, slow.enqueue(&packet, most), "case {case}, packet {id}");
                dropped += u32::from(gone.is_some());
            } else {
                let id_of = |packet: Packet| packet.id;
                assert_eq!(fast.dequeue(Time::ZERO).map(id_of), slow.dequeue(), "case {case}, before {id}");
                served += 1;
            }
        }
    }
    assert!(dropped > 1_000 && served > 10_000, "{dropped} {served}");
}

/// Serves flows that always have a packet waiting: what each flow has used of both resources.
fn shares(memory: &str, round: i64, next: impl Fn(u32, u64) -> (u64, u32)) -> [[u64; 2]; 3] {
    let mut queue = drfq(memory, round, 100);
    let (mut sent, mut used) = ([0; 3], [[0; 2]; 3]);
    let mut offer = |queue: &mut RankDiscipline, flow: u32| {
        let (work, bytes) = next(flow, sent[flow as usize]);
        sent[flow as usize] += 1;
        queue.enqueue(Time::ZERO, packet(0, flow, work, bytes), &mut Vec::new());
    };
    (0..3).for_each(|flow| offer(&mut queue, flow));
    for _ in 0..30_000 {
        let packet = queue.dequeue(Time::ZERO).unwrap();
        let needs = needs(&packet);
        let own = &mut used[packet.flow.index()];
        *own = [own[0] + needs[0], own[1] + needs[1]];
        offer(&mut queue, packet.flow.0);
    }
    used
}

/// Whether numbers are equal within this slack.
fn are_equal(numbers: [u64; 3], slack: u64) -> bool {
    numbers.iter().max().unwrap() - numbers.iter().min().unwrap() <= slack
}

#[test]
fn flows_get_equal_shares_of_what_each_needs_most() {
    // The first needs the processor, the second the link, the third half as much of both.
    let next = |flow: u32, _: u64| [(1_000, 64), (10, 1_500), (500, 500)][flow as usize];
    let used = shares("none", 1, next);
    let most = used.map(|[processor, link]| processor.max(link));
    assert!(are_equal(most, 3_000) && most[0] > 1_000_000, "{used:?}");
    // By work alone the second would have a hundred times the bytes.
    assert!(used[1][1] < used[0][0] + 3_000, "{used:?}");
    // Rounds of 10 us.
    let used = shares("none", 10_000_000, next);
    let most = used.map(|[processor, link]| processor.max(link));
    assert!(are_equal(most, 10_000 + 3_000), "{used:?}");
}

#[test]
fn a_flow_that_alternates_is_charged_for_what_it_needs_most_in_all() {
    // The first needs now the processor, now the link, the others always the processor or always the link.
    let next = |flow: u32, number: u64| match flow {
        0 if number.is_multiple_of(2) => (1_000, 1),
        0 => (1, 1_000),
        1 => (1_000, 1),
        _ => (1, 1_000),
    };
    let used = shares("resources", 1, next);
    assert!(are_equal(used.map(|[processor, link]| processor.max(link)), 5_000), "{used:?}");
    // Without memory each of its packets costs as much as any other: all flows send as many, so it gets half as much of either.
    let used = shares("none", 1, next);
    let most = used.map(|[processor, link]| processor.max(link));
    assert!(most[0].abs_diff(most[1] * 1_001 / 2_000) < 3_000 && most[1].abs_diff(most[2]) < 5_000, "{used:?}");
}
