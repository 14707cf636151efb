//! Mark rules against what their sources say, in front of plain lists.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use forebay_core::{BufferSize, Discipline, Duration, FlowId, Packet, ParamValue, Rate, Rng, Seed, Time, Verdict};
use forebay_sched::mark::red::{Red, RedSpec};
use forebay_sched::{
    Advice, Backlog, DisciplineError, DisciplineSpec, MARK_RULES, MarkRule, Part, RankUnit, discipline,
};
use rand::RngExt;
use std::collections::{BTreeMap, VecDeque};

fn rate() -> Rate {
    Rate::parse("10 Gbps").unwrap()
}

fn rule(name: &str, params: &[(&str, ParamValue)]) -> Part {
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect::<BTreeMap<_, _>>();
    Part { name: name.to_owned(), params, own: None }
}

fn text(text: &str) -> ParamValue {
    ParamValue::Text(text.to_owned())
}

fn marked(mark: Part, packets: u64) -> Result<Box<dyn Discipline + Send>, DisciplineError> {
    let spec = DisciplineSpec {
        rank: Part::named("arrival"),
        queue: Part::named("pifo"),
        drop: Part::named("tail"),
        mark: Some(mark),
        pace: None,
        buffer: BufferSize::Packets(packets),
        rank_unit: RankUnit::ONE,
        link_rate: rate(),
    };
    discipline(&spec, Seed(1))
}

fn packet(id: u64, arrival: Time, size_bytes: u32, capable: bool) -> Packet {
    let mut packet = Packet { id, arrival, size_bytes, flow: FlowId(0), ..Packet::default() };
    if capable {
        packet.marks.set_ecn_capable();
    }
    packet
}

fn counter(discipline: &dyn Discipline, name: &str) -> u64 {
    discipline.counters().iter().find(|counter| counter.name == name).unwrap().value
}

/// Random packets through a FIFO queue of 30; of each, whether it is dropped, or leaves with a mark.
#[derive(Debug, PartialEq)]
enum Fate {
    Dropped,
    Sent { marked: bool },
}

fn play(mut discipline: Box<dyn Discipline + Send>, seed: u64, capable: f64) -> (Vec<Fate>, u64) {
    let mut rng = Seed(seed).stream("marking");
    let (mut now, mut id) = (Time::ZERO, 0);
    let mut fates = BTreeMap::new();
    for step in 0..20_000 {
        now += Duration::from_ns(rng.random_range(0..2_000));
        if rng.random_bool(if step % 1_000 < 500 { 0.55 } else { 0.45 }) {
            let offered = packet(id, now, rng.random_range(40..1_500), rng.random_bool(capable));
            if let Verdict::Refused { .. } = discipline.enqueue(now, offered, &mut Vec::new()) {
                fates.insert(id, Fate::Dropped);
            }
            id += 1;
        } else if let Some(packet) = discipline.dequeue(now) {
            fates.insert(packet.id, Fate::Sent { marked: packet.marks.congested() });
        }
    }
    while let Some(packet) = discipline.dequeue(now) {
        fates.insert(packet.id, Fate::Sent { marked: packet.marks.congested() });
    }
    let marks = counter(&*discipline, "packets_marked");
    let seen = fates.values().filter(|fate| **fate == Fate::Sent { marked: true }).count();
    assert_eq!(marks, seen as u64, "the counter counts the packets that have a mark");
    (fates.into_values().collect(), marks)
}

/// Whether a packet is marked that finds so many packets and bytes, and has so many itself.
type Stated = fn(u64, u64, u64) -> bool;

#[test]
fn a_packet_is_marked_if_it_finds_more_than_the_threshold() {
    let integer = ParamValue::Integer;
    let with = ("counting", text("with-arriving"));
    let cases: [(Part, Stated); 4] = [
        (rule("threshold", &[("packets", integer(7))]), |packets, _, _| packets > 7),
        (rule("threshold", &[("bytes", integer(5_000))]), |_, bytes, _| bytes > 5_000),
        (rule("threshold", &[("packets", integer(7)), with.clone()]), |packets, _, _| packets + 1 > 7),
        (rule("threshold", &[("bytes", integer(5_000)), with]), |_, bytes, own| bytes + own > 5_000),
    ];
    for (mark, marks) in cases {
        let mut tested = marked(mark.clone(), 30).unwrap();
        let mut list: VecDeque<(Packet, bool)> = VecDeque::new();
        let mut rng = Seed(2).stream("threshold");
        let mut seen = [0, 0];
        for id in 0..20_000 {
            if rng.random_bool(0.5) {
                let offered = packet(id, Time::ZERO, rng.random_range(40..1_500), rng.random_bool(0.8));
                let bytes = list.iter().map(|(packet, _)| u64::from(packet.size_bytes)).sum();
                let expected =
                    offered.marks.ecn_capable() && marks(list.len() as u64, bytes, offered.size_bytes.into());
                let verdict = tested.enqueue(Time::ZERO, offered, &mut Vec::new());
                assert_eq!(matches!(verdict, Verdict::Queued { .. }), list.len() < 30);
                if list.len() < 30 {
                    list.push_back((offered, expected));
                }
            } else {
                let sent = tested.dequeue(Time::ZERO).map(|packet| (packet.id, packet.marks.congested()));
                let expected = list.pop_front().map(|(packet, marked)| (packet.id, marked));
                assert_eq!(sent, expected, "{mark:?}");
                if let Some((_, marked)) = sent {
                    seen[usize::from(marked)] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&packets| packets > 1_000), "{mark:?}: {seen:?}");
    }
}

/// How switches that have only RED are set up for DCTCP (SIGCOMM'10, section 3.1).
#[test]
fn red_on_the_queue_as_it_is_with_equal_thresholds_is_a_threshold() {
    for limit in [0, 3, 20] {
        let one_above = text(&format!("{} packets", limit + 1));
        let red = [("min", one_above.clone()), ("max", one_above), ("weight", ParamValue::Number(1.0))];
        let threshold = [("packets", ParamValue::Integer(limit))];
        let (fates, marks) = play(marked(rule("red", &red), 30).unwrap(), 3, 1.0);
        assert_eq!((fates, marks), play(marked(rule("threshold", &threshold), 30).unwrap(), 3, 1.0));
        assert!(marks > 100);
    }
}

#[test]
fn who_does_not_understand_marks_is_dropped_by_red_and_left_alone_by_the_others() {
    for entry in MARK_RULES {
        let (fates, marks) = play(marked(Part::named(entry.about.name), 1_000).unwrap(), 4, 0.0);
        let drops = fates.iter().filter(|fate| **fate == Fate::Dropped).count();
        assert_eq!((marks, drops > 0), (0, entry.about.name == "red"), "{}: {drops} dropped", entry.about.name);
    }
}

#[test]
fn a_packet_that_has_a_mark_gets_no_second_one() {
    let mut tested = marked(rule("threshold", &[("packets", ParamValue::Integer(0))]), 10).unwrap();
    for id in 0..3 {
        let mut offered = packet(id, Time::ZERO, 100, true);
        if id == 1 {
            offered.marks.set_congested();
        }
        tested.enqueue(Time::ZERO, offered, &mut Vec::new());
    }
    assert_eq!(counter(&*tested, "packets_marked"), 1, "the first finds nothing, the second comes with a mark");
    let marks: Vec<bool> =
        std::iter::from_fn(|| tested.dequeue(Time::ZERO)).map(|packet| packet.marks.congested()).collect();
    assert_eq!(marks, [false, true, true]);
}

#[test]
fn a_packet_that_waited_too_long_is_marked_as_it_leaves() {
    let mut tested = marked(rule("sojourn", &[("above", text("10 us"))]), 10).unwrap();
    for id in 0..3 {
        tested.enqueue(Time::from_ns(id), packet(id, Time::from_ns(id), 100, id < 2), &mut Vec::new());
    }
    let mut leave = |ns| tested.dequeue(Time::from_ns(ns)).unwrap().marks.congested();
    assert_eq!([leave(10_000), leave(10_002), leave(99_999)], [false, true, false]);
}

/// Floyd and Jacobson, section IV: the number of packets from mark to mark is uniform from 1 to 1 / share.
#[test]
fn reds_marks_come_at_uniform_distances() {
    let spec = RedSpec {
        min: BufferSize::Packets(10),
        max: BufferSize::Packets(30),
        max_p: 0.1,
        weight: 1.0,
        packet_bytes: 1_500,
    };
    let mut red = Red::new(spec, rate(), Seed(5));
    // Half-way, so 0.05: distances from 1 to 20.
    let waiting = Backlog { packets: 20, bytes: 30_000 };
    let (mut distances, mut distance) = ([0_u32; 21], 0);
    for id in 0..210_000 {
        distance += 1;
        if red.arriving(Time::ZERO, &packet(id, Time::ZERO, 1_500, true), waiting) != Advice::Pass {
            distances[distance] += 1;
            distance = 0;
        }
    }
    assert_eq!(distances[0], 0);
    // About 1,000 of each, with a deviation of 31.
    assert!(distances[1..].iter().all(|&count| (840..1_160).contains(&count)), "{distances:?}");
}

/// The average, with each packet that could have arrived in a pause taken alone.
fn averages(rng: &mut Rng, weight: f64, typical: Duration) -> Vec<(Time, u64, f64)> {
    let (mut now, mut waiting, mut average) = (Time::ZERO, 0_u64, 0.0);
    let mut empty_since = Time::ZERO;
    let mut found = Vec::new();
    for _ in 0..3_000 {
        now += Duration::from_ns(rng.random_range(0..5_000));
        let mut from = empty_since;
        if waiting == 0 {
            while from + typical <= now {
                from += typical;
                average *= 1.0 - weight;
            }
            empty_since = now;
        }
        average += weight * (waiting as f64 - average);
        found.push((now, waiting, average));
        waiting = if rng.random_bool(0.9) { waiting + 1 } else { 0 };
        empty_since = if waiting == 0 { now } else { empty_since };
    }
    found
}

#[test]
fn reds_average_is_that_of_the_packets_and_of_those_that_could_have_come() {
    let (weight, typical) = (0.05, rate().transmission_time(1_500));
    let mut rng = Seed(6).stream("averages");
    for step in 1..10 {
        let limit = BufferSize::Packets(step);
        let spec = RedSpec { min: limit, max: limit, max_p: 0.1, weight, packet_bytes: 1_500 };
        let mut red = Red::new(spec, rate(), Seed(5));
        let mut marks = 0;
        for (now, packets, average) in averages(&mut rng, weight, typical) {
            let waiting = Backlog { packets, bytes: packets * 1_500 };
            let is_marked = red.arriving(now, &Packet::default(), waiting) != Advice::Pass;
            // Rounding may differ at the threshold itself.
            assert!(is_marked == (average >= step as f64) || (average - step as f64).abs() < 1e-9, "{average} {step}");
            marks += u32::from(is_marked);
            // What the next packet finds: one more, or nothing because all left.
            red.leaving(now, &Packet::default(), Backlog::default());
        }
        assert!(step > 5 || marks > 10, "{step}: {marks}");
    }
}

#[test]
fn the_seed_says_where_reds_marks_fall() {
    let spec = |seed| {
        let params = [("min", text("1 packet")), ("max", text("29 packets")), ("weight", ParamValue::Number(0.5))];
        let spec = DisciplineSpec {
            rank: Part::named("arrival"),
            queue: Part::named("fifo"),
            drop: Part::named("tail"),
            mark: Some(rule("red", &params)),
            pace: None,
            buffer: BufferSize::Packets(30),
            rank_unit: RankUnit::ONE,
            link_rate: rate(),
        };
        play(discipline(&spec, Seed(seed)).unwrap(), 7, 1.0).0
    };
    assert_eq!(spec(1), spec(1));
    assert_ne!(spec(1), spec(2));
}

#[test]
fn what_is_wrong_with_a_mark_rule_is_said() {
    for (mark, param, word) in [
        (rule("treshold", &[]), None, "`threshold`"),
        (
            rule("threshold", &[("bytes", ParamValue::Integer(1)), ("packets", ParamValue::Integer(1))]),
            Some("packets"),
            "not in both",
        ),
        (rule("threshold", &[("counting", text("wating"))]), Some("counting"), "`waiting`"),
        (rule("red", &[("min", text("16 packets"))]), Some("max"), "16 packets or more"),
        (rule("red", &[("max", text("20 KB"))]), Some("max"), "unit of `min`"),
        (rule("red", &[("min", text("x"))]), Some("min"), "`min`"),
        (rule("sojourn", &[("above", text("10"))]), Some("above"), "`above`"),
    ] {
        match marked(mark, 10).map(|_| ()) {
            Err(DisciplineError::Mark(error)) => {
                assert_eq!(error.param.as_deref(), param, "{error}");
                assert!(error.message.contains(word), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}
