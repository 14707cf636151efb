//! Policies that replace each other while packets wait. Packets under older versions count in the queues of the same names and in
//! their buffers, as in the engines (docs/openqueue-semantics.md, 8.3).

use crate::guest::{Stats, policy};
use crate::guest_or_skip;
use forebay_core::{ClassId, Packet, QueueId, Seed, Time};
use forebay_engine::live::Transition;
use forebay_engine::{Live, Reference};
use forebay_lang::Policy;
use forebay_lang::ir::PortId;
use std::fmt::Write as _;

const POLICIES: [&str; 3] = ["older-first", "older-second", "older-third"];

/// The steps, one after the other.
#[derive(Clone, Copy)]
enum Step {
    /// So many packets of a class come.
    Come(u64, u8),
    /// So many times, a packet of a class comes and one leaves.
    Pass(u64, u8),
    /// The next policy.
    Change,
}

use Step::{Change, Come, Pass};

const STEPS: [Step; 17] = [
    Come(20, 0),
    Come(15, 1),
    Change,
    Come(20, 0),
    Come(20, 1),
    Come(3, 2),
    Pass(12, 0),
    Come(12, 1),
    Change,
    Come(6, 1),
    Come(12, 2),
    Pass(20, 1),
    Pass(12, 2),
    Change,
    Come(10, 0),
    Pass(30, 1),
    Come(4, 1),
];

/// The policy of each version.
fn version(number: usize) -> &'static str {
    POLICIES[number % POLICIES.len()]
}

fn read(name: &str) -> Policy {
    let text = std::fs::read_to_string(policy(name)).unwrap();
    forebay_lang::analyse(&text, &forebay_lang::Overrides::default()).policy.unwrap()
}

/// Contents of the queues of the newest version, by name, and packets dropped by queue, buffer and size, and notified.
type Seen = (Vec<(String, u64, u64)>, [u64; 4]);

/// The engine's answer after each step.
fn of_the_engine() -> Vec<Seen> {
    let mut live = Live::new(Reference::new, read(version(0)), Seed(1));
    let (mut number, mut versions) = (0, 0);
    let mut after = |step: &Step| {
        let mut come = |live: &mut Live<Reference>, class: u8| {
            number += 1;
            let (id, now) = (number, Time::from_ns(number * 1_000));
            let packet = Packet { id, arrival: now, size_bytes: 200, class: ClassId(class), ..Packet::default() };
            live.enqueue(now, packet, &mut Vec::new());
            now
        };
        match *step {
            Come(count, class) => (0..count).for_each(|_| {
                come(&mut live, class);
            }),
            Pass(count, class) => (0..count).for_each(|_| {
                let now = come(&mut live, class);
                live.dequeue(now, PortId(0)).unwrap();
            }),
            Change => {
                versions += 1;
                live.change(Time::from_ns(number * 1_000), read(version(versions)), Transition::Drain).unwrap();
            }
        }
        let queues = (0..).map(QueueId).zip(&live.policy().queues).map(|(id, queue)| {
            let inside = live.occupancy(id);
            (queue.name.clone(), inside.packets, inside.bytes)
        });
        let counters = live.counters();
        let counter = |name| counters.iter().find(|counter| counter.name == name).unwrap().value;
        (queues.collect(), ["dropped_by_queue", "dropped_by_buffer", "overflowed", "notified"].map(counter))
    };
    STEPS.iter().map(&mut after).collect()
}

fn of_the_kernel(stats: &Stats, names: impl Iterator<Item = String>) -> Seen {
    stats.check();
    let queues = names.map(|name| {
        let (packets, bytes) = stats.inside(&name);
        (name, packets, bytes)
    });
    let [queue, buffer, overflow] = [0, 1, 2].map(|rule| stats.dropped_by(rule));
    (queues.collect(), [queue, buffer, overflow, stats.notified()])
}

#[test]
fn what_waits_under_older_versions_counts_as_in_the_engine() {
    let guest = guest_or_skip!(&POLICIES.map(|name| (name, &[][..])));
    // A packet leaves only with a ticket, when another one comes.
    let mut script = format!(
        "come() {{ traffic send v0 $1 200 1 0 $2 >/dev/null; }}
        pass() {{ for i in $(seq $1); do ticket=$((ticket + 1)); control forebay0 6 $ticket; come 1 $2; done; }}
        pair v0 v1
        put v0 {}
        control forebay0 5 1\n",
        version(0)
    );
    let mut versions = 0;
    for (number, step) in STEPS.iter().enumerate() {
        match *step {
            Come(count, class) => writeln!(script, "come {count} {}", class << 2).unwrap(),
            Pass(count, class) => writeln!(script, "pass {count} {}", class << 2).unwrap(),
            Change => {
                versions += 1;
                writeln!(script, "put v0 {}", version(versions)).unwrap();
            }
        }
        writeln!(script, "stats after-{number} v0").unwrap();
    }
    // Emptied, and nothing counts any more.
    script.push_str("ip link set v0 down\nip link set v0 up\ncome 40 0\nstats emptied v0\n");
    let said = guest.run(&script, 900);
    let right = of_the_engine();
    for (number, expected) in right.iter().enumerate() {
        let stats = said.stats(&format!("after-{number}"));
        let found = of_the_kernel(&stats, expected.0.iter().map(|(name, ..)| name.clone()));
        assert_eq!(found, *expected, "after step {number}");
    }
    let dropped = right.last().unwrap().1;
    assert!(dropped.iter().all(|count| *count > 0), "each rule is tried: {dropped:?}");
    let emptied = said.stats("emptied");
    emptied.check();
    assert_eq!(emptied.inside("q1").0, 30, "the queue is as large as it is");
}
