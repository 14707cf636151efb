//! What the fast engine allocates: nothing for each packet, and nothing in advance for sizes that are not used.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "it/build.rs"]
#[allow(dead_code, unused_imports, reason = "the other tests use more of it")]
mod build;

use build::*;
use forebay_core::{ClassId, Duration, Packet, QueueId, Seed, Time};
use forebay_engine::{Engine, Fast};
use forebay_lang::ir::{Action, PacketField, Policy, PortId, QueueField, Relation};
use rand::RngExt;

/// Policies that need all kinds of structures, choices and conditions.
fn policies() -> Vec<(&'static str, Policy)> {
    let by = |processing, admission| {
        let mut only = queue("q", packets(100));
        (only.processing, only.admission) = (processing, admission);
        one_port(vec![only])
    };
    let several = |queues: u16, size| one_port((0..queues).map(|_| queue("q", size)).collect());
    let all: Vec<u16> = (0..8).collect();
    let shared = |admission, size| {
        let mut shared = buffer("b", size, &all);
        shared.admission = admission;
        let queues = all.iter().map(|_| queue("q", packets(1_000))).collect();
        policy(queues, all.iter().map(|&id| port("out", &[id])).collect(), vec![shared])
    };
    let mut strict = several(4, packets(100));
    strict.ports[0].scheduling = order("strict", &[lowest(this_queue(QueueField::SchedState))]);
    let mut early = several(1, packets(100));
    let half = compare(Relation::Greater, this_queue(QueueField::CurrSize), number(50));
    let actions = [Action::Drop(fraction(1, 3)), Action::Mark];
    early.queues[0].congestion = condition(&[case(queue_is_full(), &[drop_surely()]), case(half, &actions)]);
    let mut classified = several(2, packets(100));
    let high = compare(Relation::Greater, packet(PacketField::Class), number(10));
    classified.classify = vec![enter(high, 1), enter(always(), 0)];
    let (low, high) = (by_lowest, by_highest);
    vec![
        ("FIFO", several(1, packets(100))),
        ("FIFO in bytes", several(1, bytes(100_000))),
        ("last in, first out, oldest dropped", by(high(PacketField::Arrival), low(PacketField::Arrival))),
        ("SRPT", by(low(PacketField::Processing), high(PacketField::Processing))),
        ("classes", by(high(PacketField::Class), low(PacketField::Class))),
        ("two orders", by(low(PacketField::Processing), low(PacketField::Value))),
        ("class dropped", by(fifo(), low(PacketField::Class))),
        ("strict", strict),
        ("oldest of 4", several(4, packets(100))),
        ("oldest of 100", several(100, packets(10))),
        ("longest", shared(Some(order("longest", &[highest(this_queue(QueueField::CurrSize))])), packets(100))),
        (
            "longest in bytes",
            shared(Some(order("longest", &[highest(this_queue(QueueField::CurrSize))])), bytes(100_000)),
        ),
        ("early drops", early),
        ("classified", classified),
    ]
}

/// Three packets arrive while two leave.
fn run(engine: &mut dyn Engine, policy: &Policy, traffic: &[Packet], evicted: &mut Vec<Packet>) {
    let mut ports = (0..).take(policy.ports.len()).map(PortId).cycle();
    for (place, packet) in traffic.iter().enumerate() {
        evicted.clear();
        engine.enqueue(packet.arrival, *packet, evicted);
        if place % 3 > 0 {
            engine.dequeue(packet.arrival, ports.next().unwrap());
        }
        if place % 7 == 0 {
            engine.cycle(packet.arrival, ports.next().unwrap());
        }
    }
}

fn traffic(queues: usize, count: u64) -> Vec<Packet> {
    let mut rng = Seed(9).stream("memory");
    let mut packet = |id: u64| Packet {
        id,
        arrival: Time::from_ns(id),
        size_bytes: rng.random_range(40..=1_500),
        processing: Duration::from_ns(rng.random_range(1..=4)),
        class: ClassId(rng.random_range(0..20)),
        value: rng.random_range(0..1_000),
        queue: QueueId(rng.random_range(0..u16::try_from(queues).unwrap())),
        ..Packet::default()
    };
    (0..count).map(&mut packet).collect()
}

#[test]
fn after_warming_up_nothing_is_allocated() {
    let one = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1, "the counter counts");
    for (name, policy) in policies() {
        let mut engine = Fast::new(&policy, options(1)).unwrap().into_engine();
        let mut evicted = Vec::with_capacity(1_000);
        let packets = traffic(policy.queues.len(), 40_000);
        let (first, second) = packets.split_at(20_000);
        run(engine.as_mut(), &policy, first, &mut evicted);
        // Room doubles up to what is used, and how full single queues of many get is up to chance.
        if policy.queues.len() > 1 {
            run(engine.as_mut(), &policy, second, &mut evicted);
        }
        let allocated = allocation_counter::measure(|| run(engine.as_mut(), &policy, second, &mut evicted));
        assert_eq!(allocated.count_total, 0, "{name}");
    }
}

/// A gigabyte is 15 million of the smallest packets.
#[test]
fn room_is_made_for_what_is_used() {
    let huge = |size| one_port((0..64).map(|_| queue("q", size)).collect());
    let mut sorted = huge(packets(1 << 40));
    for queue in &mut sorted.queues {
        queue.processing = by_lowest(PacketField::Processing);
        queue.admission = by_highest(PacketField::Processing);
    }
    let all: Vec<u16> = (0..64).collect();
    let mut shared = huge(bytes(1_000_000_000));
    shared.buffers = vec![buffer("b", packets(1 << 40), &all)];
    for policy in [huge(bytes(1_000_000_000)), sorted, policy(shared.queues, shared.ports, shared.buffers)] {
        let mut engine = None;
        let options = options(1);
        let built = allocation_counter::measure(|| engine = Some(Fast::new(&policy, options).unwrap().into_engine()));
        assert!(built.bytes_max < 1 << 20, "{} bytes", built.bytes_max);
        let mut engine = engine.unwrap();
        let packets = traffic(64, 10_000);
        let used = allocation_counter::measure(|| {
            let mut evicted = Vec::new();
            for packet in &packets {
                engine.enqueue(packet.arrival, *packet, &mut evicted);
            }
        });
        // What doubles is there twice for a moment, and at most half of it is empty.
        let most = 4 * 150 * packets.len() as u64;
        assert!(used.bytes_max < most, "{} bytes, more than {most}", used.bytes_max);
    }
}
