//! A policy at its links: several ports, their pace, and changes at given times.

use forebay_core::{Element, Packet, QueueId, Rate, Seed, Time, Verdict};
use forebay_engine::{PolicyElement, Reference, Transition};
use forebay_lang::{Policy, analyse};

fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Vec::new());
    analysis.policy.unwrap_or_else(|| panic!("{:#?}", analysis.diagnostics))
}

fn element(text: &str) -> PolicyElement<Reference> {
    PolicyElement::new(Reference::new, policy(text), Rate::parse("1 Gbps").unwrap(), Seed(1))
}

fn arrive(element: &mut PolicyElement<Reference>, ns: u64, id: u64, queue: u16) -> bool {
    let now = Time::from_ns(ns);
    let packet = Packet { arrival: now, size_bytes: 1_000, id, queue: QueueId(queue), ..Packet::default() };
    matches!(element.enqueue(now, packet, &mut Vec::new()), Verdict::Queued { .. })
}

fn sent(element: &mut PolicyElement<Reference>, ns: u64, link: usize) -> Option<u64> {
    element.dequeue(Time::from_ns(ns), link).map(|packet| packet.id)
}

const TWO_PORTS: &str = "q[1..2] = Queue(9 pkts); left = Port(100, q1); right = Port(50%, q2)";

#[test]
fn each_port_has_its_link_and_its_pace() {
    let mut element = element(TWO_PORTS);
    assert_eq!(element.links(), 2);
    for id in 0..4 {
        assert!(arrive(&mut element, 0, id, u16::try_from(id % 2).unwrap()));
    }
    assert_eq!((sent(&mut element, 0, 0), sent(&mut element, 0, 1)), (Some(0), Some(1)));
    // 1000 B at 1 Gb/s take 8 us, and at half of it 16 us.
    assert_eq!((sent(&mut element, 8_000, 0), sent(&mut element, 8_000, 1)), (Some(2), None));
    assert_eq!(element.next_wakeup(Time::from_ns(8_000), 1), Some(Time::from_ns(16_000)));
    assert_eq!(sent(&mut element, 16_000, 1), Some(3));
    assert!(element.is_empty());
}

#[test]
fn each_port_has_the_rate_of_its_own_link() {
    let rates = ["1 Gbps", "4 Gbps"].map(|rate| Rate::parse(rate).unwrap());
    let mut element = PolicyElement::at_links(Reference::new, policy(TWO_PORTS), &rates, Seed(1));
    for id in 0..4 {
        assert!(arrive(&mut element, 0, id, u16::try_from(id % 2).unwrap()));
    }
    assert_eq!((sent(&mut element, 0, 0), sent(&mut element, 0, 1)), (Some(0), Some(1)));
    // 1000 B at half of 4 Gb/s take 4 us.
    assert_eq!((sent(&mut element, 3_999, 1), sent(&mut element, 4_000, 1)), (None, Some(3)));
}

#[test]
fn a_change_of_rate_counts_from_the_last_packet() {
    let mut element = element("q = Queue(9 pkts); out = Port(1%)");
    for id in 0..3 {
        arrive(&mut element, 0, id, 0);
    }
    assert_eq!(sent(&mut element, 0, 0), Some(0));
    element.plan_change(Time::from_ns(9_000), policy("q = Queue(9 pkts); out = Port(50%)"), Transition::Drain);
    // At 1 % the next would begin after 800 us; the change is at 9 us, and at 50 % it is 16 us.
    assert_eq!(
        (sent(&mut element, 8_000, 0), element.next_wakeup(Time::from_ns(8_000), 0)),
        (None, Some(Time::from_ns(9_000)))
    );
    assert_eq!(
        (sent(&mut element, 9_000, 0), element.next_wakeup(Time::from_ns(9_000), 0)),
        (None, Some(Time::from_ns(16_000)))
    );
    assert_eq!(sent(&mut element, 16_000, 0), Some(1));
}

#[test]
fn planned_changes_are_made_when_their_time_has_come() {
    let mut element = element("q = Queue(2 pkts); out = Port(100)");
    // The later one is planned first.
    element.plan_change(Time::from_ns(300), policy("q = Queue(1 pkts); out = Port(100)"), Transition::Rerank);
    element.plan_change(Time::from_ns(100), policy("q = Queue(4 pkts); out = Port(100)"), Transition::Rerank);
    assert_eq!([0, 1, 2].map(|id| arrive(&mut element, 0, id, 0)), [true, true, false]);
    assert!(!arrive(&mut element, 99, 3, 0), "not yet");
    assert!(arrive(&mut element, 100, 4, 0), "between the last packet before and the first at that time");
    assert_eq!(element.live().version(), 2);
    assert!(!arrive(&mut element, 1_000, 5, 0), "the size is 1 now");
    let asked: Vec<_> = element.live().transitions().iter().map(|record| record.asked).collect();
    assert_eq!(asked, [Time::from_ns(100), Time::from_ns(300)]);
}

#[test]
fn a_planned_change_that_cannot_be_made_is_reported_and_changes_nothing() {
    let mut element = element("q = Queue(2 pkts); out = Port(100)");
    element.plan_change(Time::from_ns(10), policy("other = Queue(2 pkts); out = Port(100)"), Transition::Rerank);
    element.plan_change(Time::from_ns(20), policy(TWO_PORTS), Transition::Drain);
    assert!(arrive(&mut element, 0, 1, 0));
    assert_eq!(sent(&mut element, 30, 0), Some(1));
    assert_eq!(element.live().version(), 1);
    let refused: Vec<_> =
        element.refused_changes().iter().map(|change| (change.number, change.why.to_string())).collect();
    assert_eq!(
        refused,
        [
            (
                0,
                "1 packet waits in `q`, which the new version does not have; change with drain, or let it empty first"
                    .to_owned()
            ),
            (
                1,
                "the links are served by the ports `out`, but the new version has `left`, `right`; keep the ports' \
                 names"
                    .to_owned()
            ),
        ]
    );
}
