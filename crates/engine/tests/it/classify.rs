//! Section 5 of `docs/openqueue-semantics.md`: which queue a packet enters.

use crate::build::*;
use crate::random_policy::random_policy;
use crate::random_traffic::Traffic;
use forebay_core::{QueueId, Seed};
use forebay_engine::{Classify, Engine, Fast, Reference};
use forebay_lang::ir::{Arith, Entry, PacketField, Relation};

fn three_queues() -> forebay_lang::ir::Policy {
    one_port(vec![queue("a", packets(9)), queue("b", packets(9)), queue("c", packets(9))])
}

fn filled(engine: &Reference) -> Vec<u64> {
    (0..3).map(|queue| engine.occupancy(QueueId(queue)).packets).collect()
}

#[test]
fn the_first_case_that_holds_counts() {
    let mut policy = three_queues();
    let class = || packet(PacketField::Class);
    policy.classify = vec![
        enter(compare(Relation::GreaterEqual, class(), number(40)), 2),
        enter(compare(Relation::GreaterEqual, class(), number(20)), 1),
    ];
    let mut engine = Reference::new(&policy, options(1));
    // 5.3: class 0 has no queue.
    assert_eq!(offer(&mut engine, &[of_class(1, 46), of_class(2, 20), of_class(3, 0)]), "1+ 2+ 3-");
    assert_eq!(filled(&engine), [0, 1, 1]);
    assert_eq!(count(&engine, "unclassified"), 1);
}

#[test]
fn an_index_counts_from_the_first_and_is_rounded_down() {
    let mut policy = three_queues();
    let half = arith(Arith::Div, packet(PacketField::Flow), number(2));
    policy.classify = vec![Entry { when: always(), queues: vec![QueueId(1), QueueId(2)], first: 1, index: half }];
    let mut engine = Reference::new(&policy, options(1));
    // Flows 2 and 3 have index 1, 4 and 5 have 2; 0, 1 and 6 have none.
    let flows: Vec<_> = (0..7).map(|flow| of_flow(flow.into(), flow)).collect();
    assert_eq!(offer(&mut engine, &flows), "0- 1- 2+ 3+ 4+ 5+ 6-");
    assert_eq!(filled(&engine), [0, 2, 2]);
    assert_eq!(count(&engine, "unclassified"), 3);
}

#[test]
fn a_negative_index_has_no_queue() {
    let mut policy = three_queues();
    // Half a queue below the first is rounded down, too.
    let index = arith(Arith::Sub, packet(PacketField::Flow), fraction(1, 2));
    policy.classify = vec![Entry { when: always(), queues: vec![QueueId(0), QueueId(1)], first: 0, index }];
    let mut engine = Reference::new(&policy, options(1));
    assert_eq!(offer(&mut engine, &[of_flow(1, 0), of_flow(2, 1), of_flow(3, 2)]), "1- 2+ 3+");
    assert_eq!(filled(&engine), [1, 1, 0]);
}

#[test]
fn without_classify_the_packet_says_the_queue() {
    let mut engine = Reference::new(&three_queues(), options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 2), arrives_for(2, 0), arrives_for(3, 3)]), "1+ 2+ 3-");
    assert_eq!(filled(&engine), [1, 0, 1]);
    assert_eq!(count(&engine, "unclassified"), 1);
}

#[test]
fn without_classify_the_only_queue_has_everything() {
    let mut engine = Reference::new(&one_port(vec![queue("only", packets(9))]), options(1));
    assert_eq!(offer(&mut engine, &[arrives_for(1, 0), arrives_for(2, 7)]), "1+ 2+");
}

#[test]
fn who_asks_for_the_queue_first_gets_what_who_does_not_gets() {
    let mut classified = 0;
    for seed in 0..200 {
        let policy = random_policy(&mut Seed(seed).stream("policy"));
        let mut traffic = Traffic::new(Seed(seed).stream("traffic"), &policy);
        let (mut reference, mut fast) =
            (Reference::new(&policy, options(1)), Fast::new(&policy, options(1)).expect("a checked policy"));
        for _ in 0..200 {
            let (packet, port) = (traffic.packet(), traffic.port());
            let now = packet.arrival;
            let (mut evicted, mut expected) = (Vec::new(), Vec::new());
            let verdict = match fast.classify(now, &packet) {
                Some(queue) => {
                    classified += u32::from(policy.queues.len() > 1 && !policy.classify.is_empty());
                    fast.enqueue_classified(now, packet, queue, &mut evicted)
                }
                None => fast.enqueue(now, packet, &mut evicted),
            };
            assert_eq!(verdict, reference.enqueue(now, packet, &mut expected), "seed {seed}: {packet:?}");
            assert_eq!(evicted, expected, "seed {seed}: {packet:?}");
            if packet.id % 2 == 0 {
                assert_eq!(fast.dequeue(now, port), reference.dequeue(now, port), "seed {seed}: {packet:?}");
            }
            assert_eq!(fast.counters(), reference.counters(), "seed {seed}: {packet:?}");
        }
    }
    assert!(classified > 1_000, "{classified} packets by a classifier");
}
