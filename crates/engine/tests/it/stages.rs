//! Policies with stages (section 11): ports that lead into queues of a later stage.

use crate::engines::engines;
use crate::live_policy::live;
use crate::policy_script::Script;
use crate::random_policy::without_keys;
use crate::random_stages::random_stages;
use crate::random_traffic::{Operation, Traffic};
use crate::same::same_with;
use forebay_core::{Element, Packet, QueueId, Rate, Rng, Seed, Time, Verdict};
use forebay_engine::live::Refused;
use forebay_engine::{
    Cycles, Engine, EngineOptions, Fast, Live, Passed, PolicyElement, Reference, Routines, Served, Transition,
};
use forebay_lang::ir::PortId;
use forebay_lang::{Fixed, Policy, analyse};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Vec::new());
    analysis.policy.unwrap_or_else(|| panic!("{:#?}", analysis.diagnostics))
}

/// Plays a story on both engines.
#[track_caller]
fn story(text: &str, script: &str) {
    let policy = policy(text);
    for (name, mut engine) in engines(&policy) {
        if let Err(error) = Script::parse(script).play(&policy, engine.as_mut()) {
            panic!("{name} engine: {error}");
        }
    }
}

const LINE: &str = "
    a = Queue(9 pkts); b = Queue(2 pkts)
    inside = Port(100%, a); out = Port(100%, b)
    inside.next(p) = enter(b)
";

#[test]
fn a_packet_arrives_in_the_next_queue_as_anywhere() {
    story(
        LINE,
        "arrive x -> queued
         arrive y -> queued
         arrive z -> queued
         send out -> nothing
         send inside -> x into b
         send inside -> y into b
         length a -> 1 packets, 1000 B
         send inside -> z dropped
         send inside -> nothing
         send out -> x
         send out -> y
         send out -> nothing",
    );
    story(
        &format!("{LINE}; b.admPrio(p1, p2) = (p1.value < p2.value)"),
        "arrive x value=1 -> queued
         arrive y value=2 -> queued
         arrive z value=3 -> queued
         send inside -> x into b
         send inside -> y into b
         send inside -> z into b, pushes out x
         send out -> y
         send out -> z",
    );
    story(
        &format!(
            "{LINE}; memory = Buffer(2 pkts, a, b); inside.postSchedAct = (true, notify); b.congestion(q) = (true, mark)"
        ),
        "arrive x -> queued
         arrive y -> queued
         arrive z -> refused
         send inside -> x notified into b
         arrive z -> refused
         send out -> x marked notified
         arrive z -> queued",
    );
}

#[test]
fn what_leads_nowhere_is_dropped() {
    story(
        "a = Queue(9 pkts); b[1..2] = Queue(2 pkts)
         inside = Port(100%, a); out = Port(100%, b[1..2])
         inside.next(p) = (p.value < 5, enter(b[p.value])).(p.value == 5, enter(b1))",
        "arrive x value=1 -> queued
         arrive y value=4 -> queued
         arrive z value=5 -> queued
         arrive u value=6 -> queued
         send inside -> x into b1
         send inside -> y dropped
         send inside -> z into b1
         send inside -> u dropped
         send out -> x
         send out -> z",
    );
}

#[test]
fn a_port_serves_only_queues_that_are_eligible() {
    let text = "
        a[1..2] = Queue(9 pkts); b[1..2] = Queue(1 pkts)
        inside = Port(100%, a[1..2]); out[1..1] = Port(100%, b1); out2 = Port(100%, b2)
        inside.next(p) = enter(b[p.queue + 1])
        inside.eligible(q) = q.next.currSize < q.next.size";
    story(
        text,
        "arrive x queue=0 -> queued
         arrive y queue=0 -> queued
         arrive z queue=1 -> queued
         send inside -> x into b1
         send inside -> z into b2
         send inside -> nothing
         send out1 -> x
         send inside -> y into b1
         arrive u queue=2 -> refused",
    );
    // It is the first packet that counts, not the queue: what has no room holds up what is behind it.
    story(
        "a = Queue(9 pkts); b[1..2] = Queue(1 pkts)
         inside = Port(100%, a); out = Port(100%, b[1..2])
         inside.next(p) = enter(b[p.class + 1])
         inside.eligible(q) = let there = q.next in there.currSize < there.size",
        "arrive x class=0 -> queued
         arrive y class=0 -> queued
         arrive z class=1 -> queued
         send inside -> x into b1
         send inside -> nothing
         send out -> x
         send inside -> y into b1
         send inside -> z into b2",
    );
}

#[test]
fn an_order_can_read_the_queue_that_another_one_leads_to() {
    story(
        "a[1..2] = Queue(9 pkts); b[1..2] = Queue(9 pkts)
         inside = Port(100%, a[1..2]); out = Port(100%, b[1..2])
         inside.next(p) = enter(b[p.queue + 1])
         inside.schedPrio(x, y) = (x.next.currSize < y.next.currSize)",
        "arrive x queue=0 -> queued
         arrive y queue=0 -> queued
         arrive z queue=1 -> queued
         arrive u queue=1 -> queued
         send inside -> x into b1
         send inside -> z into b2
         send inside -> y into b1
         send inside -> u into b2",
    );
}

#[test]
fn cycles_are_done_in_the_first_stage() {
    story(
        LINE,
        "arrive x processing=3 -> queued
         arrive y processing=2 -> queued
         cycle inside -> busy
         cycle inside -> busy
         cycle inside -> x into b
         cycle out -> x
         cycle inside -> busy
         cycle inside -> y into b
         cycle out -> y
         cycle inside -> nothing",
    );
}

/// 11.5: first in, first out of the queue, whatever came first from outside.
#[test]
fn an_arrival_is_that_in_the_stage() {
    story(
        "a[1..2] = Queue(9 pkts); b = Queue(9 pkts)
         inside[1..1] = Port(100%, a1); inside2 = Port(100%, a2); out = Port(100%, b)
         inside[1..2].next(p) = enter(b)",
        "arrive x queue=0 -> queued
         at 10 ns
         arrive y queue=1 -> queued
         at 20 ns
         send inside2 -> y into b
         at 30 ns
         send inside1 -> x into b
         send out -> y
         send out -> x",
    );
}

#[test]
fn packets_come_out_as_they_came_in() {
    let policy = policy(LINE);
    for (name, mut engine) in engines(&policy) {
        let packet = |id: u64| Packet {
            id: 7 * id,
            arrival: Time::from_ns(id),
            size_bytes: 100,
            processing: forebay_core::Duration::from_ns(50),
            ..Packet::default()
        };
        let all: Vec<Packet> = (1..=6).map(packet).collect();
        for packet in &all {
            engine.enqueue(packet.arrival, *packet, &mut Vec::new());
        }
        let mut dropped = Vec::new();
        let now = Time::from_ns(100);
        for packet in &all[..2] {
            let passed = engine.pass(now, PortId(0), Cycles::All, &mut dropped);
            assert_eq!(passed, Passed::Packet { packet: *packet, into: Some(QueueId(1)) }, "{name}");
        }
        engine.pass(now, PortId(0), Cycles::All, &mut dropped);
        assert_eq!(dropped, all[2..3], "{name}");
        assert_eq!(engine.dequeue(now, PortId(1)), Some(all[0]), "{name}");
        let left: Vec<Packet> = engine.take_all().iter().map(|waiting| waiting.packet).collect();
        let done = Packet { processing: forebay_core::Duration::ZERO, ..all[1] };
        assert_eq!(
            left,
            [done, all[3], all[4], all[5]],
            "{name}: no cycles are left of the packet in the second stage"
        );
    }
}

/// What is asked of a port from which packets leave, or of one that leads on, is nothing to the other kind.
#[test]
fn packets_leave_only_from_ports_that_lead_nowhere() {
    let policy = policy(LINE);
    for (name, mut engine) in engines(&policy) {
        engine.enqueue(Time::ZERO, Packet { size_bytes: 100, ..Packet::default() }, &mut Vec::new());
        assert_eq!(engine.dequeue(Time::ZERO, PortId(0)), None, "{name}");
        assert_eq!(engine.cycle(Time::ZERO, PortId(0)), Served::Nothing, "{name}");
        let mut dropped = Vec::new();
        assert!(matches!(engine.pass(Time::ZERO, PortId(0), Cycles::All, &mut dropped), Passed::Packet { .. }));
        assert_eq!(engine.pass(Time::ZERO, PortId(1), Cycles::All, &mut dropped), Passed::Nothing, "{name}");
    }
}

#[derive(Debug, Default)]
struct Seen(Mutex<Vec<u64>>);

impl Routines for Seen {
    fn call(&self, _: &str, _: &[Fixed], packet: &Packet) {
        self.0.lock().unwrap().push(packet.id);
    }
}

#[test]
fn an_action_of_a_program_sees_the_packet_in_each_stage() {
    let both = "extern action see(); a.congestion(q) = (true, see()); b.congestion(q) = (true, see())";
    let policy = policy(&format!("{LINE}; {both}; inside.postSchedAct = (true, see())"));
    for (name, mut engine) in engines(&policy) {
        let seen = Arc::new(Seen::default());
        engine.set_routines(seen.clone());
        for id in [40, 41] {
            engine.enqueue(Time::ZERO, Packet { id, size_bytes: 100, ..Packet::default() }, &mut Vec::new());
            engine.pass(Time::ZERO, PortId(0), Cycles::All, &mut Vec::new());
        }
        assert_eq!(*seen.0.lock().unwrap(), [40, 40, 40, 41, 41, 41], "{name}");
    }
}

fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).expect("random policies are checked ones")
}

#[test]
fn the_fast_engine_is_the_reference_under_random_stages() {
    for seed in 0..200 {
        same_with(random_stages, Reference::new, fast, seed, 120);
    }
}

#[test]
fn without_keys_and_with_live_parameters_too() {
    let draw = |rng: &mut Rng| {
        let policy = random_stages(rng);
        live(policy, rng)
    };
    for seed in 0..80 {
        same_with(draw, Reference::new, fast, seed, 120);
        same_with(random_stages, Reference::new, |policy, options| fast(&without_keys(policy), options), seed, 120);
    }
}

/// Conservation: each packet that entered was dropped, waits or left, and comes out with its own number and time of arrival.
#[test]
fn each_packet_that_entered_is_dropped_waits_or_left() {
    let mut passed = 0;
    for seed in 0..150 {
        let policy = random_stages(&mut Seed(seed).stream("policy"));
        let mut engine = fast(&policy, EngineOptions { policy_id: 1, seed: Seed(seed) });
        let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
        let mut inside: BTreeMap<u64, Packet> = BTreeMap::new();
        let leaves = |packet: &Packet, inside: &mut BTreeMap<u64, Packet>| {
            let entered = inside.remove(&packet.id).unwrap_or_else(|| panic!("packet {} was not inside", packet.id));
            assert_eq!((packet.arrival, packet.size_bytes), (entered.arrival, entered.size_bytes), "seed {seed}");
        };
        for _ in 0..200 {
            let mut dropped = Vec::new();
            match traffic.next() {
                Operation::Enqueue(packet) => {
                    if matches!(engine.enqueue(traffic.now, packet, &mut dropped), Verdict::Queued { .. }) {
                        inside.insert(packet.id, packet);
                    }
                }
                Operation::Dequeue(port) => dropped.extend(engine.dequeue(traffic.now, port)),
                Operation::Cycle(port) => {
                    if let Served::Packet(packet) = engine.cycle(traffic.now, port) {
                        dropped.push(packet);
                    }
                }
                Operation::Pass(port, cycles) => {
                    if let Passed::Packet { into, .. } = engine.pass(traffic.now, port, cycles, &mut dropped) {
                        passed += u32::from(into.is_some());
                    }
                }
                Operation::Hold(queue, held) => engine.hold(queue, held),
                Operation::SetState(state, value) => engine.set_state(state, value),
                Operation::SetParameter(id, value) => engine.set_parameter(id, value),
                Operation::TakeAll => dropped.extend(engine.take_all().iter().map(|waiting| waiting.packet)),
            }
            dropped.iter().for_each(|packet| leaves(packet, &mut inside));
            let waiting: u64 = (0..).take(policy.queues.len()).map(|id| engine.occupancy(QueueId(id)).packets).sum();
            assert_eq!(waiting, inside.len() as u64, "seed {seed}");
        }
        engine.take_all().iter().for_each(|waiting| leaves(&waiting.packet, &mut inside));
        assert!(inside.is_empty(), "seed {seed}: {inside:?}");
    }
    assert!(passed > 500, "only {passed} packets passed on");
}

#[test]
fn such_a_policy_is_not_changed_while_it_runs() {
    let (one, two) = (policy("a = Queue(1); out = Port(100%, a)"), policy(LINE));
    for (first, second) in [(&one, &two), (&two, &one), (&two, &two)] {
        let mut live = Live::new(Reference::new, first.clone(), Seed(1));
        let refused = live.change(Time::ZERO, second.clone(), Transition::Drain);
        assert_eq!(refused, Err(Refused::Stages));
        assert!(refused.unwrap_err().to_string().contains("leads into queues of a later stage"));
        let mut element = PolicyElement::new(Reference::new, first.clone(), Rate::parse("1 Gbps").unwrap(), Seed(1));
        assert_eq!(element.change(Time::ZERO, second.clone(), Transition::Rerank), Err(Refused::Stages));
    }
}

/// 11.6: a port inside is busy for as long as its packet takes, and begins the next when it is free and there is room.
#[test]
fn ports_inside_an_element_have_their_pace() {
    let text = "a = Queue(9 pkts); b = Queue(2 pkts); inside = Port(50%, a); out = Port(100%, b)
        inside.next(p) = enter(b); inside.eligible(q) = q.next.currSize < q.next.size";
    let mut element = PolicyElement::new(Reference::new, policy(text), Rate::parse("1 Gbps").unwrap(), Seed(1));
    assert_eq!((element.links(), element.has_stages()), (1, true));
    let us = |us: u64| Time::from_ns(1_000 * us);
    for id in 0..4 {
        let packet = Packet { id, size_bytes: 1_000, ..Packet::default() };
        element.enqueue(Time::ZERO, packet, &mut Vec::new());
    }
    let mut dropped = Vec::new();
    assert_eq!(element.dequeue(us(0), 0), None);
    // 1000 B at half of 1 Gb/s take 16 us.
    assert!(element.advance(us(0), &mut dropped));
    assert!(!element.advance(us(15), &mut dropped));
    assert_eq!(element.next_advance(us(15)), Some(us(16)));
    assert!(element.advance(us(16), &mut dropped));
    assert!(!element.advance(us(40), &mut dropped), "there is no room");
    assert_eq!(element.next_advance(us(40)), None, "it does not wait for a time");
    assert_eq!(element.dequeue(us(41), 0).map(|packet| packet.id), Some(0));
    assert!(element.advance(us(41), &mut dropped));
    assert_eq!(element.next_advance(us(41)), Some(us(57)), "its time counts from when it began");
    assert_eq!((element.len(), element.bytes(), dropped.len()), (3, 3_000, 0));
}
