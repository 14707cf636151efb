//! Policies with stages at the links of a port: `policies/buffered-crossbar.oq` and `policies/two-stages.oq`.

use forebay_core::{Element, Fields, Packet, QueueId, Rate, Rng, Seed, Source, Time};
use forebay_engine::{Engine, EngineOptions, Fast, PolicyElement, Reference};
use forebay_lang::{Overrides, Policy, analyse};
use forebay_sim::{Port, PortOutcome, Probe, RunOptions};
use rand::RngExt;

const CROSSBAR: &str = include_str!("../../../../policies/buffered-crossbar.oq");
const TWO_STAGES: &str = include_str!("../../../../policies/two-stages.oq");

fn policy(text: &str, params: &[(&str, &str)]) -> Policy {
    let overrides: Overrides =
        params.iter().map(|(name, value)| ((*name).to_owned(), value.parse().expect("a value"))).collect();
    analyse(text, &overrides).policy.expect("a policy")
}

fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).expect("a checked policy")
}

/// These packets, in order of their arrival.
struct These(Vec<Packet>);

impl Source for These {
    fn next_packet(&mut self) -> Option<Packet> {
        self.0.pop()
    }

    fn fields(&self) -> Fields {
        Fields::NONE
    }
}

/// What happened to packets, in microseconds.
#[derive(Debug, Default, PartialEq)]
struct Log(Vec<(u64, &'static str, u64)>);

impl Log {
    fn note(&mut self, now: Time, what: &'static str, packet: &Packet) {
        self.0.push((now.as_ps() / 1_000_000, what, packet.id));
    }

    fn of(&self, what: &str) -> Vec<(u64, u64)> {
        self.0.iter().filter(|(_, known, _)| *known == what).map(|(at, _, id)| (*at, *id)).collect()
    }
}

impl Probe for Log {
    fn queued(&mut self, now: Time, packet: &Packet, _: usize) {
        self.note(now, "queued", packet);
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        self.note(now, "refused", packet);
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.note(now, "evicted", packet);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        self.note(now, "sent", packet);
    }
}

/// Plays packets of 1000 B at links of 1 Gb/s, so that a link sends one in 8 us.
fn play<E: Engine>(
    build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
    policy: &Policy,
    packets: &[Packet],
) -> (PortOutcome, Log) {
    let rate = Rate::parse("1 Gbps").expect("a rate");
    let element = PolicyElement::new(build, policy.clone(), rate, Seed(1));
    let mut port = Port::new(rate, element, Log::default());
    let mut source = These(packets.iter().rev().copied().collect());
    let outcome = port.run(&mut source, &RunOptions::default());
    let (element, log) = port.into_parts();
    assert_eq!(element.len() as u64, outcome.packets_queued);
    (outcome, log)
}

fn packet(us: u64, id: u64, queue: u16) -> Packet {
    let arrival = Time::from_ns(1_000 * us);
    Packet { arrival, id, queue: QueueId(queue), size_bytes: 1_000, ..Packet::default() }
}

#[test]
fn a_crosspoint_is_filled_when_its_output_has_taken_from_it() {
    let crossbar = policy(CROSSBAR, &[("k", "2")]);
    // Two from input 1 and one from input 2, all to output 1; one from input 1 to output 2.
    let packets = [packet(0, 1, 0), packet(0, 2, 0), packet(0, 3, 2), packet(0, 4, 1)];
    let (_, log) = play(fast, &crossbar, &packets);
    // Packet 2 leaves input 1 at 8 us, when the first has left there, and packet 4 after it, at 16 us.
    assert_eq!(log.of("sent"), [(8, 1), (16, 3), (24, 2), (24, 4)]);
}

#[test]
fn a_crosspoint_without_room_holds_back_its_input() {
    let crossbar = policy(CROSSBAR, &[("k", "2"), ("B", "9 pkts")]);
    // Inputs 1 and 2 each send four to output 1, which can take only half of that.
    let packets: Vec<Packet> = (0..8).map(|id| packet(0, id, if id % 2 == 0 { 0 } else { 2 })).collect();
    let (outcome, log) = play(fast, &crossbar, &packets);
    let sent: Vec<u64> = log.of("sent").into_iter().map(|(_, id)| id).collect();
    assert_eq!(sent, [0, 1, 2, 3, 4, 5, 6, 7], "the output takes turns");
    assert_eq!(outcome.end, Time::from_ns(64_000), "and is never idle");
    assert!(log.of("evicted").is_empty());
}

fn random(rng: &mut Rng, count: u64, queues: u16, gap_us: u64) -> Vec<Packet> {
    let mut us = 0;
    (0..count)
        .map(|id| {
            us += rng.random_range(0..=2 * gap_us);
            packet(us, id, rng.random_range(0..queues))
        })
        .collect()
}

/// Each packet is sent or dropped once, the engines do the same, and a queue's packets stay in order.
#[test]
fn every_packet_is_accounted_for_on_both_engines() {
    for seed in 0..20 {
        let rng = &mut Seed(seed).stream("stages");
        let small = [("k", "3"), ("B", "4 pkts")];
        for (text, queues) in [(CROSSBAR, 9), (TWO_STAGES, 3)] {
            let policy = policy(text, &small);
            let gap = rng.random_range(1..5);
            let packets = random(rng, 200, queues, gap);
            let (outcome, log) = play(fast, &policy, &packets);
            assert_eq!(play(Reference::new, &policy, &packets).1, log, "seed {seed}");
            assert_eq!(outcome.packets_queued, 0);
            let mut ended: Vec<u64> =
                ["sent", "refused", "evicted"].iter().flat_map(|what| log.of(what)).map(|(_, id)| id).collect();
            ended.sort_unstable();
            assert!(ended.into_iter().eq(0..200), "seed {seed}");
            for queue in 0..queues {
                let of_queue = |id: &u64| packets[usize::try_from(*id).unwrap()].queue.0 == queue;
                let sent: Vec<u64> = log.of("sent").into_iter().map(|(_, id)| id).filter(of_queue).collect();
                assert!(sent.is_sorted(), "seed {seed}: {sent:?}");
            }
        }
    }
}

/// Packets that a later stage drops count as dropped after they had waited.
#[test]
fn without_a_condition_the_next_stage_drops() {
    let text = CROSSBAR.replace("input[1..k].eligible(q) = q.next.currSize < q.next.size;", "");
    let lossy = policy(&text, &[("k", "2"), ("B", "9 pkts")]);
    let packets: Vec<Packet> = (0..8).map(|id| packet(0, id, if id % 2 == 0 { 0 } else { 2 })).collect();
    let (_, log) = play(fast, &lossy, &packets);
    assert_eq!((log.of("sent").len(), log.of("evicted").len(), log.of("refused").len()), (6, 2, 0), "{log:?}");
}
