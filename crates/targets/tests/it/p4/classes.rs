//! Classifiers, and policies whose queues are the switch's own, beside the reference engine.

use super::choices::{arrivals, packet, port, switch};
use super::frames::Spread;
use super::{made, mapping, policy};
use forebay_conform::p4model::FrameOutcome;
use forebay_core::{QueueId, Seed, Time};
use forebay_engine::{Engine, Reference};
use forebay_lang::ir::PortId;
use forebay_targets::TargetOptions;

const OPTIONS: forebay_engine::EngineOptions = forebay_engine::EngineOptions { policy_id: 1, seed: Seed(1) };

/// Policies, and the names of their queues in the order of service.
pub(super) const POLICIES: [(&str, &[&str], &[&str]); 5] = [
    (include_str!("../../../../../policies/strict-priority.oq"), &[], &["voice", "video", "data", "bulk"]),
    (
        // As declared.
        "a = Queue(9 pkts); b = Queue(9 pkts); c = Queue(9 pkts); out = Port(100, a, b, c);
         out.schedPrio(q1, q2) = (q1.size < q2.size);",
        &["queue=udp[23:1]&7"],
        &["a", "b", "c"],
    ),
    (
        "q[1..6] = Queue(9 pkts); out = Port(100, q[1..6]);
         for i in 1..6 { q[i].admState = mod(i, 3); }
         out.schedPrio(q1, q2) = (q1.admState > q2.admState);
         classify(p) = (p.value == 3 || !(p.value != 4), enter(q2))
             .(p.remaining < 5 * p.value - 40, enter(q[1 + mod(p.remaining, 8)]))
             .(p.class > 30 && p.size >= 100, enter(q[max(min(p.class - 36, 5), 0) + 1]));",
        &["value=udp[12:4]&15", "remaining=udp[23:1]"],
        &["q2", "q5", "q1", "q4", "q3", "q6"],
    ),
    (
        "q[1..3] = Queue(9 pkts); out = Port(100, q[1..3]);
         q[1..3].congestion(q) = (q.currSize > 4, drop(1));
         for i in 1..3 { q[i].schedState = 0 - i; }
         out.schedPrio(q1, q2) = (q1.schedState * 2 < q2.schedState * 2);
         classify(p) = (p.rank > 70000, enter(q2)).(p.class > 20 || p.rank < 9, enter(q3)).(p.rank >= 300, enter(q1));",
        &["rank=udp[12:4]>>8"],
        &["q3", "q2", "q1"],
    ),
    ("q = Queue(9 pkts); out = Port(100); classify(p) = (p.class > 20, enter(q));", &[], &["q"]),
];

#[test]
fn packets_enter_the_queues_that_the_engine_says_or_none() {
    for (number, (text, fields, order)) in POLICIES.into_iter().enumerate() {
        let policy = policy(text);
        let options = TargetOptions { mapping: mapping(fields), ..TargetOptions::default() };
        let mut switch = switch(&made(&policy, &options, "policy.p4"));
        let mut rng = Seed(number as u64).stream("classes");
        let names: Vec<&str> = policy.queues.iter().map(|queue| queue.name.as_str()).collect();
        let mut seen = vec![0; names.len() + 1];
        // Numbers of several sizes.
        let stream: Vec<_> = (0..8).flat_map(|_| arrivals(800, Spread::Uniform, true, &mut rng)).collect();
        for arrival in stream {
            let outcome = switch.pass(&arrival.bytes, arrival.now.into(), None);
            if port(&arrival).is_none() {
                assert_eq!(outcome, FrameOutcome::Dropped);
                continue;
            }
            let mut engine = Reference::new(&policy, OPTIONS);
            let packet = packet(&options.mapping, &arrival);
            let verdict = engine.enqueue(Time::ZERO, packet, &mut Vec::new());
            let entered =
                (0..names.len()).find(|queue| engine.occupancy(QueueId(u16::try_from(*queue).unwrap())).packets > 0);
            seen[entered.unwrap_or(names.len())] += 1;
            match entered {
                None => assert_eq!(outcome, FrameOutcome::Dropped, "{verdict:?} {packet:?}"),
                Some(queue) => {
                    let FrameOutcome::Queued(place, priority) = outcome else { panic!("{outcome:?}: {packet:?}") };
                    if names.len() > 1 {
                        assert_eq!(order[usize::try_from(place).unwrap()], names[queue], "{packet:?}");
                        assert_eq!(priority, names.len() as u128 - 1 - place);
                    }
                }
            }
            engine.dequeue(Time::ZERO, PortId(0));
        }
        assert!(seen.iter().filter(|count| **count > 20).count() >= seen.len() - 2, "{text}: {seen:?}");
    }
}

#[test]
fn the_order_of_queues_is_that_of_the_engine() {
    for (text, _, order) in POLICIES {
        let policy = policy(text);
        let mut policy = forebay_lang::Policy { classify: Vec::new(), ..policy };
        policy.queues.iter_mut().for_each(|queue| queue.size = forebay_core::BufferSize::Packets(9));
        let mut engine = Reference::new(&policy, OPTIONS);
        for queue in (0..policy.queues.len()).rev() {
            let queue = QueueId(u16::try_from(queue).unwrap());
            let packet = forebay_core::Packet { queue, size_bytes: 100, ..Default::default() };
            engine.enqueue(Time::ZERO, packet, &mut Vec::new());
        }
        let served = std::iter::from_fn(|| engine.dequeue(Time::ZERO, PortId(0)));
        let served: Vec<&str> = served.map(|packet| policy.queues[usize::from(packet.queue.0)].name.as_str()).collect();
        assert_eq!(served, order);
    }
}
