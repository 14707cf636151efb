//! A policy as a discipline: section 1.3 of `docs/openqueue-semantics.md`.

use crate::build::*;
use forebay_core::{Discipline, Duration, Rate, Seed, Time};
use forebay_engine::{PolicyDiscipline, Reference, Transition};
use forebay_lang::Ratio;
use forebay_lang::ir::{Policy, PortRate};

fn link() -> Rate {
    Rate::from_bits_per_second(1_000_000_000).expect("it is not 0")
}

fn at_percent(percent: i128) -> Policy {
    let mut policy = one_port(vec![queue("q", packets(100))]);
    policy.ports[0].rate = PortRate::Percent(Ratio::from_integer(percent));
    policy
}

fn discipline(policy: Policy) -> PolicyDiscipline<Reference> {
    PolicyDiscipline::new(Reference::new, policy, link(), Seed(1)).expect("the policy has one port")
}

/// Fills it with packets of 100 B, 800 ns at the link, and sends as fast as it lets: when each was begun.
fn begun(discipline: &mut PolicyDiscipline<Reference>, packets: u64) -> Vec<u64> {
    for id in 0..packets {
        discipline.enqueue(Time::ZERO, arrives(id), &mut Vec::new());
    }
    let (mut now, mut begun) = (Time::ZERO, Vec::new());
    while !discipline.is_empty() {
        match discipline.dequeue(now) {
            Some(packet) => {
                begun.push(now.as_ps() / 1_000);
                now += link().transmission_time(packet.size_bytes);
            }
            None => {
                let wakeup = discipline.next_wakeup(now).expect("packets wait");
                assert!(wakeup > now);
                assert_eq!(discipline.dequeue(Time::from_ps(wakeup.as_ps() - 1)), None, "not sooner");
                now = wakeup;
            }
        }
    }
    begun
}

#[test]
fn a_slow_port_begins_packets_at_its_own_rate() {
    assert_eq!(begun(&mut discipline(at_percent(50)), 4), [0, 1_600, 3_200, 4_800]);
    let mut policy = at_percent(100);
    policy.ports[0].rate = PortRate::Rate(Rate::from_bits_per_second(250_000_000).unwrap());
    assert_eq!(begun(&mut discipline(policy), 3), [0, 3_200, 6_400]);
}

#[test]
fn a_port_at_the_rate_of_its_link_never_waits() {
    assert_eq!(begun(&mut discipline(at_percent(100)), 3), [0, 800, 1_600]);
    let discipline = discipline(at_percent(100));
    assert_eq!(discipline.next_wakeup(Time::ZERO), None);
}

#[test]
fn an_idle_port_owes_nothing() {
    let mut discipline = discipline(at_percent(50));
    begun(&mut discipline, 1);
    assert_eq!(discipline.next_wakeup(Time::ZERO), None, "nothing waits");
    let late = Time::from_ns(10_000);
    discipline.enqueue(late, arrives(7), &mut Vec::new());
    discipline.enqueue(late, arrives(8), &mut Vec::new());
    assert_eq!(discipline.dequeue(late).map(|packet| packet.id), Some(7));
    assert_eq!(discipline.next_wakeup(late), Some(late + Duration::from_ns(1_600)));
    assert_eq!((discipline.len(), discipline.bytes()), (1, 100));
}

#[test]
fn a_change_of_the_rate_counts_from_the_last_packet() {
    let mut discipline = discipline(at_percent(50));
    for id in 0..3 {
        discipline.enqueue(Time::ZERO, arrives(id), &mut Vec::new());
    }
    assert!(discipline.dequeue(Time::ZERO).is_some());
    let change = discipline.change(Time::from_ns(1), at_percent(25), Transition::Drain).unwrap();
    assert_eq!((change.version, change.draining), (2, 2));
    assert_eq!(discipline.next_wakeup(Time::from_ns(1)), Some(Time::from_ns(3_200)));
    assert!(discipline.dequeue(Time::from_ns(3_199)).is_none());
    assert!(discipline.dequeue(Time::from_ns(3_200)).is_some());
    assert_eq!(discipline.next_wakeup(Time::from_ns(3_200)), Some(Time::from_ns(6_400)));
}

#[test]
fn a_policy_with_two_ports_is_no_discipline() {
    let two =
        policy(vec![queue("a", packets(1)), queue("b", packets(1))], vec![port("x", &[0]), port("y", &[1])], vec![]);
    let refused =
        PolicyDiscipline::new(Reference::new, two.clone(), link(), Seed(1)).err().map(|error| error.to_string());
    assert_eq!(
        refused.as_deref(),
        Some("the policy has 2 ports, but runs at one port; list all queues in one `Port(...)`")
    );
    let mut discipline = discipline(at_percent(50));
    assert!(discipline.change(Time::ZERO, two, Transition::Rerank).is_err());
    assert_eq!(discipline.live().version(), 1);
    assert_eq!(discipline.counters().len(), 6);
}
