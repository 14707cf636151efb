//! The policies of Tables I and II as texts, from text to transmitted packets, against plain lists of packets.

use crate::build::options;
use crate::naive::{self, Before, Queue, Scheduling, by, fifo, lifo, longest, oldest, shortest};
use forebay_core::Seed;
use forebay_engine::Reference;
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::{Input, Service, run, single_queue};
use forebay_lang::ir::PortId;
use forebay_lang::{Overrides, Policy, Ratio, Unit, Value, analyse};

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../../../experiments/openqueue/", $name, ".oq"))
    };
}

/// The policy for queues that hold `buffer` packets: one less than their size (`tailDrop` of Listing 2).
fn policy(text: &str, buffer: u32, k: Option<u16>) -> Option<Policy> {
    let value = |number: i128, unit| Value { number: Ratio::from_integer(number), unit };
    let mut overrides: Overrides = vec![("B".to_owned(), value(i128::from(buffer) + 1, Unit::Packets))];
    overrides.extend(k.map(|k| ("k".to_owned(), value(k.into(), Unit::None))));
    let analysis = analyse(text, &overrides);
    assert_eq!(analysis.diagnostics, []);
    analysis.policy
}

fn transmitted(policy: &Policy, input: &Input) -> u64 {
    run(&mut Reference::new(policy, options(1)), PortId(0), input, Service::Cycles(1)).transmitted
}

/// Table I: the last row transmits the most of all that there is, and more than the others.
#[test]
fn policies_of_table_i_do_what_it_says_on_1000_random_inputs() {
    let rows: [(&str, Before, Before); 4] = [
        (text!("table-1/fifo-fifo"), lifo, fifo),
        (text!("table-1/fifo-by-the-letter"), oldest, fifo),
        (text!("table-1/rsrpt-fifo"), longest, fifo),
        (text!("table-1/rsrpt-srpt"), longest, shortest),
    ];
    let mut below = [0; 4];
    let mut rng = Seed(3).stream("table I");
    for (number, buffer) in (0..1_000).zip([1, 2, 3, 4].into_iter().cycle()) {
        let input = bursty(Shape { slots: 24, burst: 4, kinds: Kinds::Work(6) }, &mut rng);
        let most = single_queue::optimum(&input, buffer).unwrap();
        for ((text, drop, serve), below) in rows.into_iter().zip(&mut below) {
            let transmitted = transmitted(&policy(text, buffer, None).unwrap(), &input);
            assert_eq!(transmitted, naive::single_queue(&input, buffer as usize, drop, serve), "{number}: {text}");
            *below += u32::from(transmitted < most);
        }
    }
    assert_eq!(below[3], 0);
    assert!(below[..3].iter().all(|&below| below > 500), "{below:?}");
}

#[test]
fn policies_of_table_ii_do_what_they_say() {
    let k = 4;
    let state: fn(&Queue) -> i64 = |queue| queue.state as i64;
    let rows: [(&str, Scheduling); 6] = [
        (text!("table-2/lqf"), by(|queue| -(queue.packets as i64))),
        (text!("table-2/sqf"), by(|queue| queue.packets as i64)),
        (text!("table-2/maxqf"), by(|queue| -(queue.number as i64))),
        (text!("table-2/mqf"), by(|queue| queue.number as i64)),
        (text!("table-2/crr"), Scheduling { key: state, after_cycle: 4, after_packet: 0 }),
        (text!("table-2/prr"), Scheduling { key: state, after_cycle: 0, after_packet: 16 }),
    ];
    let mut rng = Seed(3).stream("table II");
    for (number, buffer) in (0..200).zip([1, 2, 3, 5].into_iter().cycle()) {
        let input = bursty(Shape { slots: 60, burst: 5, kinds: Kinds::Queues(k) }, &mut rng);
        for (text, naive) in &rows {
            let transmitted = transmitted(&policy(text, buffer, Some(k)).unwrap(), &input);
            assert_eq!(transmitted, naive::separate_queues(&input, k, buffer as usize, naive), "{number}: {text}");
        }
    }
}
