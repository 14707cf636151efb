//! Section 8.5 of `docs/openqueue-semantics.md`: a packet says under which version it is treated.

use crate::build::*;
use forebay_core::{ClassId, Packet, QueueId, Seed, Time, Verdict};
use forebay_engine::{Engine, EngineOptions, Fast, Live, Occupancy, Reference, Transition};
use forebay_lang::ir::{PacketField, Policy, PortId};
use rand::RngExt;
use std::collections::VecDeque;

const OUT: PortId = PortId(0);
const Q: QueueId = QueueId(0);

/// One queue of so many packets, whose packets say their version in `class`.
fn versioned(size: u64) -> Policy {
    Policy { policy_id: Some(packet(PacketField::Class)), ..one_port(vec![queue("q", packets(size))]) }
}

fn of_version(id: u64, version: u8) -> Packet {
    Packet { class: ClassId(version), ..arrives(id) }
}

/// What became of an arrival: 1 + 2- 3!.
fn offer(live: &mut Live<impl Engine>, id: u64, version: u8) -> String {
    let mut evicted = Vec::new();
    let packet = of_version(id, version);
    let verdict = live.enqueue(packet.arrival, packet, &mut evicted);
    let sign = if matches!(verdict, Verdict::Queued { .. }) { '+' } else { '-' };
    evicted.iter().fold(format!("{id}{sign}"), |said, victim| format!("{said} {}!", victim.id))
}

fn leave(live: &mut Live<impl Engine>) -> Vec<u64> {
    std::iter::from_fn(|| live.dequeue(Time::from_ns(1_000_000), OUT).map(|packet| packet.id)).collect()
}

#[test]
fn a_packet_is_treated_by_the_version_that_it_names_while_that_drains() {
    let mut live = Live::new(Reference::new, versioned(3), Seed(1));
    // No other version is in force yet.
    assert_eq!(offer(&mut live, 1, 9), "1+");
    live.change(Time::from_ns(5), versioned(5), Transition::Drain).unwrap();
    assert_eq!([offer(&mut live, 10, 2), offer(&mut live, 11, 1), offer(&mut live, 12, 1)], ["10+", "11+", "12+"]);
    // The first has room for three; the second counts those, too.
    assert_eq!([offer(&mut live, 13, 1), offer(&mut live, 14, 0), offer(&mut live, 15, 2)], ["13-", "14+", "15-"]);
    assert_eq!(live.occupancy(Q), Occupancy { packets: 5, bytes: 500 });
    assert_eq!((live.len(), live.bytes()), (5, 500));
    assert_eq!(leave(&mut live), [1, 11, 12, 10, 14]);
    // It is no longer in force.
    assert_eq!(offer(&mut live, 20, 1), "20+");
    live.change(Time::from_ns(30), versioned(3), Transition::Drain).unwrap();
    assert_eq!(offer(&mut live, 31, 1), "31+");
    assert_eq!(live.transitions().iter().map(|change| change.done.is_some()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(leave(&mut live), [20, 31]);
}

#[test]
fn only_the_newest_version_is_asked() {
    let plain = one_port(vec![queue("q", packets(9))]);
    let mut live = Live::new(Reference::new, versioned(9), Seed(1));
    offer(&mut live, 1, 1);
    live.change(Time::from_ns(2), plain, Transition::Drain).unwrap();
    offer(&mut live, 3, 2);
    assert_eq!(offer(&mut live, 4, 1), "4+");
    assert_eq!(leave(&mut live), [1, 3, 4]);
}

#[test]
fn a_version_with_a_port_that_the_newest_has_not_takes_no_more_packets() {
    let queues = || vec![queue("q", packets(9)), queue("r", packets(9))];
    let two = policy(queues(), vec![port("out", &[0]), port("other", &[1])], Vec::new());
    let mut live = Live::new(Reference::new, two, Seed(1));
    offer(&mut live, 1, 1);
    live.change(Time::from_ns(2), versioned(9), Transition::Drain).unwrap();
    let mut to_the_other = of_version(4, 1);
    to_the_other.queue = QueueId(1);
    live.enqueue(to_the_other.arrival, to_the_other, &mut Vec::new());
    assert_eq!(leave(&mut live), [1, 4]);
}

/// Tail-drop queues of all versions in force, as lists.
#[derive(Default)]
struct Lists {
    /// Version, size and packets, the oldest first.
    all: Vec<(u8, usize, VecDeque<u64>)>,
}

impl Lists {
    fn arrive(&mut self, id: u64, version: u8) -> bool {
        let newest = self.all.len() - 1;
        let at = self.all[..newest].iter().position(|(number, ..)| *number == version).unwrap_or(newest);
        let before: usize = self.all[..at].iter().map(|(_, _, list)| list.len()).sum();
        let (_, size, list) = &mut self.all[at];
        list.push_back(id);
        // 6.5: the last leave as long as there are too many, the arriving packet first.
        while before + list.len() > *size && list.pop_back().is_some() {}
        let queued = list.back() == Some(&id);
        self.forget();
        queued
    }

    fn leave(&mut self) -> Option<u64> {
        let id = self.all.iter_mut().find_map(|(_, _, list)| list.pop_front());
        self.forget();
        id
    }

    fn change(&mut self, size: usize) {
        let number = self.all.last().map_or(1, |(number, ..)| number + 1);
        self.all.push((number, size, VecDeque::new()));
        self.forget();
    }

    /// Versions without packets are removed, except for the newest.
    fn forget(&mut self) {
        let newest = self.all.last().map(|(number, ..)| *number);
        self.all.retain(|(number, _, list)| !list.is_empty() || Some(*number) == newest);
    }
}

fn like_lists<E: Engine + 'static>(build: fn(&Policy, EngineOptions) -> E) {
    for seed in 0..300 {
        let mut rng = Seed(seed).stream("versions");
        let mut lists = Lists::default();
        let first = rng.random_range(1..6);
        lists.change(first);
        let mut live = Live::new(build, versioned(first as u64), Seed(seed));
        for id in 1..400 {
            match rng.random_range(0..10) {
                0 if live.version() < 200 => {
                    let size = rng.random_range(1..9);
                    lists.change(size);
                    live.change(Time::from_ns(id), versioned(size as u64), Transition::Drain).unwrap();
                }
                1..=3 => {
                    let served = live.dequeue(Time::from_ns(id), OUT).map(|packet| packet.id);
                    assert_eq!(served, lists.leave(), "seed {seed}, {id}");
                }
                _ => {
                    let newest = u8::try_from(live.version()).unwrap();
                    let version = newest.saturating_sub(rng.random_range(0..4));
                    let queued = offer(&mut live, id, version).ends_with('+');
                    assert_eq!(queued, lists.arrive(id, version), "seed {seed}, {id} of {version}");
                }
            }
            let waiting: usize = lists.all.iter().map(|(_, _, list)| list.len()).sum();
            assert_eq!((live.len(), live.occupancy(Q).packets), (waiting, waiting as u64), "seed {seed}, {id}");
        }
    }
}

#[test]
fn versions_in_force_are_like_lists_in_the_reference() {
    like_lists(Reference::new);
}

#[test]
fn versions_in_force_are_like_lists_in_the_fast_engine() {
    like_lists(|policy, options| Fast::new(policy, options).unwrap());
}
