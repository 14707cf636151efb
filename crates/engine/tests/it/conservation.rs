//! What holds of every policy, under random policies and traffic.

use crate::build::*;
use crate::random_policy::{Objects, random_order, random_policy};
use crate::random_traffic::{Operation, Traffic, limit};
use forebay_core::{Packet, QueueId, Rng, Seed, Verdict};
use forebay_engine::fields::field;
use forebay_engine::{Engine, Occupancy, Reference, Served};
use forebay_lang::Fixed;
use forebay_lang::ir::{Arith, Comparator, PacketRef, Policy, PortId, QueueField, Read, Relation};
use rand::RngExt;
use std::collections::BTreeSet;

/// Numbers of the packets that are in the engine, by what went in and out.
#[derive(Default)]
struct Inside(BTreeSet<u64>);

impl Inside {
    fn leaves(&mut self, packet: &Packet) {
        assert!(self.0.remove(&packet.id), "packet {} left, but was not inside", packet.id);
    }
}

fn total(engine: &impl Engine, policy: &Policy) -> u64 {
    (0..).take(policy.queues.len()).map(|id| engine.occupancy(QueueId(id)).packets).sum()
}

#[test]
fn each_packet_comes_out_once() {
    let mut seen = [0_u64; 6];
    for seed in 0..200 {
        let policy = random_policy(&mut Seed(seed).stream("policy"));
        let mut engine = Reference::new(&policy, options(1));
        let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
        let mut inside = Inside::default();
        for _ in 0..300 {
            match traffic.next() {
                Operation::Enqueue(packet) => {
                    let mut evicted = Vec::new();
                    let verdict = engine.enqueue(traffic.now, packet, &mut evicted);
                    evicted.iter().for_each(|victim| inside.leaves(victim));
                    if matches!(verdict, Verdict::Queued { .. }) {
                        assert!(inside.0.insert(packet.id));
                    }
                }
                Operation::Dequeue(port) => {
                    let out = engine.dequeue(traffic.now, port);
                    out.iter().for_each(|packet| inside.leaves(packet));
                }
                Operation::Cycle(port) => {
                    if let Served::Packet(packet) = engine.cycle(traffic.now, port) {
                        inside.leaves(&packet);
                    }
                }
                // These policies have no stages.
                Operation::Pass(..) => {}
                Operation::Hold(queue, held) => engine.hold(queue, held),
                Operation::SetState(state, value) => engine.set_state(state, value),
                Operation::SetParameter(id, value) => engine.set_parameter(id, value),
                Operation::TakeAll => engine.take_all().iter().for_each(|waiting| inside.leaves(&waiting.packet)),
            }
            assert_eq!(total(&engine, &policy), inside.0.len() as u64);
        }
        for port in (0..).take(policy.ports.len()).map(PortId) {
            while let Some(packet) = engine.dequeue(traffic.now, port) {
                inside.leaves(&packet);
            }
        }
        assert!(inside.0.is_empty(), "seed {seed}: {:?} are stuck", inside.0);
        for (sum, counter) in seen.iter_mut().zip(engine.counters()) {
            *sum += counter.value;
        }
    }
    // The policies and the traffic reach every counter often.
    assert!(seen.iter().all(|&value| value > 500), "{seen:?}");
}

#[test]
fn nothing_holds_more_than_its_size() {
    for seed in 0..200 {
        let policy = random_policy(&mut Seed(seed).stream("policy"));
        let mut engine = Reference::new(&policy, options(1));
        let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
        for _ in 0..200 {
            match traffic.next() {
                Operation::Enqueue(packet) => {
                    engine.enqueue(traffic.now, packet, &mut Vec::new());
                }
                Operation::Dequeue(port) => {
                    engine.dequeue(traffic.now, port);
                }
                _ => {}
            }
            let held = |queue: &QueueId| engine.occupancy(*queue);
            for (queue, id) in policy.queues.iter().zip(0..) {
                let (now, most) = limit(queue.size, held(&QueueId(id)));
                assert!(now <= most, "seed {seed}: {now} in {} of {most}", queue.name);
            }
            for buffer in &policy.buffers {
                let sum = buffer.queues.iter().map(held).fold(Occupancy::default(), |sum, queue| Occupancy {
                    packets: sum.packets + queue.packets,
                    bytes: sum.bytes + queue.bytes,
                });
                let (now, most) = limit(buffer.size, sum);
                assert!(now <= most, "seed {seed}: {now} in {} of {most}", buffer.name);
            }
        }
    }
}

/// 6.5.
#[test]
fn after_a_sure_drop_the_condition_does_not_hold_or_nothing_is_left() {
    for seed in 0..100 {
        let mut rng = Seed(seed).stream("policy");
        let tenths = rng.random_range(0..10);
        let mut only = queue("q", bytes(1_000));
        only.admission = random_order(&mut rng, Objects::Packets);
        let bound = arith(Arith::Mul, fraction(tenths, 10), this_queue(QueueField::Size));
        let beyond = compare(Relation::Greater, this_queue(QueueField::CurrSize), bound);
        only.congestion = condition(&[case(beyond, &[drop_surely()])]);
        let policy = one_port(vec![only]);
        let mut engine = Reference::new(&policy, options(1));
        let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
        for _ in 0..100 {
            let packet = traffic.packet();
            engine.enqueue(traffic.now, packet, &mut Vec::new());
            let bytes = i128::from(engine.occupancy(QueueId(0)).bytes);
            assert!(bytes <= 100 * tenths, "seed {seed}: {bytes}");
        }
    }
}

fn before(order: &Comparator, a: &Packet, b: &Packet) -> bool {
    order.before.holds(&mut |read| match read {
        Read::Packet(PacketRef::First, what) => field(a, 1, what),
        Read::Packet(PacketRef::Second, what) => field(b, 1, what),
        _ => Fixed(0),
    })
}

/// 4.1, of the generator: what engines may rely on.
#[test]
fn random_orders_are_strict_weak_orders() {
    let mut rng: Rng = Seed(3).stream("orders");
    let mut traffic = Traffic::new(Seed(3).stream("traffic"), &one_port(vec![queue("q", packets(1))]));
    for _ in 0..300 {
        let order = random_order(&mut rng, Objects::Packets);
        let packets: Vec<Packet> = (0..12).map(|_| traffic.packet()).collect();
        for a in &packets {
            assert!(!before(&order, a, a), "{order:?}");
            for b in &packets {
                assert!(!(before(&order, a, b) && before(&order, b, a)), "{order:?}");
                for c in &packets {
                    // Negative transitivity: with asymmetry, the same as transitive in both senses.
                    let rest = before(&order, a, b) || before(&order, b, c);
                    assert!(!before(&order, a, c) || rest, "{order:?}");
                }
            }
        }
    }
}
