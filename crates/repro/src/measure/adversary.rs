//! Orders of ranks that harm approximate queues (SP-PIFO, section 7 and appendix B.3): ramps and searched orders. Also the harm that is
//! left when they are shuffled, or when another flow's packets arrive between.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::output::csv;
use forebay_core::params::ParamValue;
use forebay_core::registry::find;
use forebay_core::{About, Exactness, Packet, ParamError, Params, Seed};
use forebay_sched::queues::adversary::{Harm, Objective, Search, harm, ramps, search, shuffled, with_another_flow};
use forebay_sched::queues::{BuiltQueue, QUEUES, QueueSize, RankQueue};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "adversary",
        title: "Orders of ranks that harm approximate queues: ramps, and orders found by a search",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "a search for each queue",
        source: "SP-PIFO, NSDI'20, section 7 and appendix B.3",
        params: &[],
    },
    run,
    missing: || None,
};

const PACKETS: usize = 400;
/// Packets that wait all the time.
const BACKLOG: usize = 40;
const HIGHEST: u64 = 100;
const RAMP: usize = 50;
/// Orders that each search tries.
const EVALUATIONS: usize = 20_000;
/// Orders over which random ones are averaged.
const RANDOM_ORDERS: u64 = 50;

/// What is attacked: a name, a queue, and how it pushes down, if it does.
const TARGETS: [(&str, &str, Option<&str>); 10] = [
    ("SP-PIFO", "sp-pifo", Some("cost")),
    ("SP-PIFO queue-bound", "sp-pifo", Some("queue-bound")),
    ("SP-PIFO rank", "sp-pifo", Some("rank")),
    ("SP-PIFO one", "sp-pifo", Some("one")),
    ("mean bounds", "mean-bounds", None),
    ("fixed bounds", "fixed-bounds", None),
    ("AIFO", "aifo", None),
    ("PACKS", "packs", None),
    ("FIFO", "fifo", None),
    ("HFFS", "hffs", None),
];

/// The orders, as they are called in results.
const ORDERS: [&str; 5] = ["ramps", "ramps shuffled", "searched", "searched shuffled", "searched, with another flow"];

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let results = TARGETS
        .par_iter()
        .map(|&(name, queue, push_down)| {
            let build = || build(queue, push_down);
            build().map_err(|error| UserError::new(error.message))?;
            Ok((name, attack(&|| build().expect("it was built before"), seed, observer)))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    for (name, (harms, searched)) in results {
        measured
            .files
            .push((searched_file(name), csv::lines(&["rank"], searched.iter().map(|rank| vec![rank.to_string()]))));
        for (order, harm) in ORDERS.into_iter().zip(harms) {
            measured.value(format!("{name}: {order}: inversions"), harm.inversions);
            measured.value(format!("{name}: {order}: excess"), harm.excess);
            rows.push(vec![name.to_owned(), order.to_owned(), harm.inversions.to_string(), harm.excess.to_string()]);
        }
    }
    let header = ["queue", "order", "inversions_per_packet", "rank_excess_per_packet"];
    measured.files.push(("orders.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(measured)
}

/// The file with the order that was searched for the target, which a scenario's
/// `order = "list"` reads.
fn searched_file(target: &str) -> String {
    format!("searched-{}.csv", target.to_lowercase().replace(' ', "-"))
}

/// The queue with room for all packets in each of its FIFO queues, so that nothing
/// is dropped.
fn build(name: &str, push_down: Option<&str>) -> std::result::Result<BuiltQueue, ParamError> {
    let entry = find("queue", QUEUES, name)?;
    let mut given = BTreeMap::new();
    if let Some(push_down) = push_down {
        given.insert("push_down".to_owned(), ParamValue::Text(push_down.to_owned()));
    }
    if entry.about.params.iter().any(|spec| spec.name == "queue_packets") {
        given.insert("queue_packets".to_owned(), ParamValue::Integer(PACKETS as i64));
    }
    (entry.build)(QueueSize { packets: PACKETS }, &Params::check(entry.about.params, given)?)
}

/// Harm per packet.
#[derive(Debug, Clone, Copy)]
struct PerPacket {
    inversions: f64,
    /// By how much the rank served exceeded the lowest that waited.
    excess: f64,
}

impl PerPacket {
    fn of(harm: &Harm) -> Self {
        Self { inversions: harm.inversions_per_packet(), excess: harm.excess_per_packet() }
    }
}

/// What each of [`ORDERS`] does, and the searched one.
fn attack(
    build: &dyn Fn() -> BuiltQueue,
    seed: Seed,
    observer: &dyn Observer,
) -> ([PerPacket; ORDERS.len()], Vec<u64>) {
    let measure = |ranks: &[u64]| PerPacket::of(&harm(&mut build() as &mut dyn RankQueue<Packet>, ranks, BACKLOG));
    let mean = |order: &dyn Fn(Seed) -> Vec<u64>| {
        let all: Vec<_> = (0..RANDOM_ORDERS).map(|number| measure(&order(seed.part(&format!("{number}"))))).collect();
        let mean = |value: fn(&PerPacket) -> f64| all.iter().map(value).sum::<f64>() / all.len() as f64;
        PerPacket { inversions: mean(|one| one.inversions), excess: mean(|one| one.excess) }
    };
    let spec = Search {
        length: PACKETS,
        highest: HIGHEST,
        backlog: BACKLOG,
        objective: Objective::Inversions,
        evaluations: EVALUATIONS,
        seed,
    };
    let go_on = || if !observer.goes_on() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let ramp = ramps(PACKETS / RAMP, RAMP, 0, HIGHEST);
    let searched = search(&spec, build, |_, _| go_on()).ranks;
    let harms = [
        measure(&ramp),
        mean(&|seed| shuffled(&ramp, seed)),
        measure(&searched),
        mean(&|seed| shuffled(&searched, seed)),
        mean(&|seed| with_another_flow(&searched, HIGHEST, seed)),
    ];
    (harms, searched)
}
