//! What ramps and searched orders do to each queue, and what a shuffle undoes.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say what it measured"
)]

use forebay_core::params::ParamValue;
use forebay_core::{Params, Seed};
use forebay_sched::queues::adversary::{Harm, Objective, Search, harm, ramps, search, shuffled, with_another_flow};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueSize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const PACKETS: usize = 400;
const BACKLOG: usize = 40;
const HIGHEST: u64 = 100;

/// The queue with room for all packets in each of its FIFO queues.
fn build(name: &str, push_down: Option<&str>) -> BuiltQueue {
    let entry = QUEUES.iter().find(|entry| entry.about.name == name).unwrap();
    let mut given = BTreeMap::new();
    if entry.about.params.iter().any(|spec| spec.name == "queue_packets") {
        given.insert("queue_packets".to_owned(), ParamValue::Integer(PACKETS as i64));
    }
    if let Some(push_down) = push_down {
        given.insert("push_down".to_owned(), ParamValue::Text(push_down.to_owned()));
    }
    let params = Params::check(entry.about.params, given).unwrap();
    (entry.build)(QueueSize { packets: PACKETS }, &params).unwrap()
}

/// Inversions and excess of rank, per packet.
fn per_packet(harm: &Harm) -> (f64, f64) {
    (harm.inversions_per_packet(), harm.excess_per_packet())
}

/// The mean of 20 orders that are made with a seed.
fn mean(name: &str, push_down: Option<&str>, order: impl Fn(Seed) -> Vec<u64>) -> (f64, f64) {
    let all: Vec<_> =
        (1..=20).map(|seed| per_packet(&harm(&mut build(name, push_down), &order(Seed(seed)), BACKLOG))).collect();
    (all.iter().map(|one| one.0).sum::<f64>() / 20.0, all.iter().map(|one| one.1).sum::<f64>() / 20.0)
}

fn worst(name: &str, push_down: Option<&str>) -> (Vec<u64>, Harm) {
    let spec = Search {
        length: PACKETS,
        highest: HIGHEST,
        backlog: BACKLOG,
        objective: Objective::Inversions,
        evaluations: 3_000,
        seed: Seed(1),
    };
    let found = search(&spec, || build(name, push_down), |_, _| ControlFlow::Continue(()));
    (found.ranks, found.harm)
}

#[test]
fn searched_orders_harm_and_random_ones_among_them_undo_it() {
    println!("inversions (excess of rank) per packet");
    println!("                             ramp     shuffled     searched     shuffled  another flow");
    for (name, push_down) in [
        ("sp-pifo", Some("cost")),
        ("sp-pifo", Some("queue-bound")),
        ("sp-pifo", Some("rank")),
        ("sp-pifo", Some("one")),
        ("fixed-bounds", None),
        ("aifo", None),
        ("packs", None),
        ("fifo", None),
        ("hffs", None),
    ] {
        let ramp = ramps(PACKETS / 50, 50, 0, HIGHEST);
        let (ranks, found) = worst(name, push_down);
        let columns = [
            per_packet(&harm(&mut build(name, push_down), &ramp, BACKLOG)),
            mean(name, push_down, |seed| shuffled(&ramp, seed)),
            per_packet(&found),
            mean(name, push_down, |seed| shuffled(&ranks, seed)),
            mean(name, push_down, |seed| with_another_flow(&ranks, HIGHEST, seed)),
        ];
        let title = format!("{name} {}", push_down.unwrap_or(""));
        let text: String = columns.iter().map(|(count, excess)| format!("{count:7.2} ({excess:3.0})")).collect();
        println!("{title:20}{text}  {} refused", found.refused);
        let [ramp, random, searched, shuffled, mixed] = columns.map(|(count, _)| count);
        match name {
            "hffs" => assert_eq!((ramp, searched), (0.0, 0.0), "an exact queue cannot be harmed"),
            "sp-pifo" => {
                assert!(searched > 1.3 * random, "{title}: the search beats random orders");
                assert!(searched - shuffled > 2.0 * (shuffled - random), "{title}: a shuffle undoes most of it");
                assert!(mixed < searched, "{title}: another flow breaks the order");
            }
            _ => {}
        }
    }
}
