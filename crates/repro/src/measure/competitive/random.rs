//! Random inputs, small enough for an exact optimum, and a search for worse ones.
//!
//! Values are called like `mqf: random: worst`, `… mean`, `… below optimum` (of so many inputs), and `mqf: searched: worst`. With a
//! speedup of two the policy does two cycles in each slot, and the optimum one: `mqf, speedup 2: searched: worst`. With one of `k`, a
//! packet is done in each slot.

use super::{Experiment, Measured, Size, has, transmitted};
use forebay::Observer;
use forebay::error::Result;
use forebay::output::csv;
use forebay_core::Seed;
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::search::{Compared, Found, Search, search};
use forebay_engine::slotted::{Input, separate_queues, single_queue};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Random inputs per policy.
const INPUTS: usize = 1_000;
/// Inputs that a search tries.
const EVALUATIONS: usize = 3_000;

const SINGLE: Size = Size { k: 6, buffer: 4, separate: false };
const SEPARATE: Size = Size { k: 4, buffer: 2, separate: true };

/// Policies of Tables I and II, with the cycles that they do in a slot.
const POLICIES: [(&str, Size, u32); 11] = [
    ("fifo-fifo", SINGLE, 1),
    ("rsrpt-fifo", SINGLE, 1),
    ("rsrpt-srpt", SINGLE, 1),
    ("lqf", SEPARATE, 1),
    ("sqf", SEPARATE, 1),
    ("maxqf", SEPARATE, 1),
    ("mqf", SEPARATE, 1),
    ("mqf", SEPARATE, 2),
    ("mqf", SEPARATE, SEPARATE.k),
    ("crr", SEPARATE, 1),
    ("prr", SEPARATE, 1),
];

/// Adds what random and searched inputs do to the policies of the experiment.
pub(super) fn measure(
    experiment: &Experiment,
    seed: Seed,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<()> {
    let policies: Vec<_> = POLICIES.into_iter().filter(|(name, ..)| has(experiment, name)).collect();
    let results = policies
        .par_iter()
        .map(|&(name, size, cycles)| {
            let policy = size.policy(experiment, name)?;
            let compare = |input: &Input| Compared {
                // One that is too large to be found would be seen in every ratio.
                optimum: optimum(input, size).unwrap_or(u64::MAX),
                policy: transmitted(&policy, input, cycles, seed),
            };
            Ok((on_random(size, seed, &compare, observer), on_searched(name, size, seed, &compare, observer)))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut rows = Vec::new();
    for ((policy, _, cycles), (random, found)) in policies.into_iter().zip(results) {
        let name = if cycles == 1 { policy.to_owned() } else { format!("{policy}, speedup {cycles}") };
        let ratios = || random.iter().map(|compared| compared.ratio());
        let below = random.iter().filter(|compared| compared.policy < compared.optimum).count();
        let values = [
            ("random: worst", ratios().fold(f64::NEG_INFINITY, f64::max)),
            ("random: best", ratios().fold(f64::INFINITY, f64::min)),
            ("random: mean", ratios().sum::<f64>() / random.len() as f64),
            ("random: below optimum", below as f64),
            ("searched: worst", found.compared.ratio()),
        ];
        for (what, value) in values {
            measured.value(format!("{name}: {what}"), value);
            rows.push(vec![name.clone(), what.to_owned(), value.to_string()]);
        }
        measured
            .files
            .push((format!("searched-{}.csv", name.replace(", ", "-").replace(' ', "-")), arrivals(&found.input)));
    }
    let header = ["policy", "quantity", "value"];
    measured.files.push(("random.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(())
}

/// The results of random inputs. All policies of a table see the same ones.
fn on_random(size: Size, seed: Seed, compare: &dyn Fn(&Input) -> Compared, observer: &dyn Observer) -> Vec<Compared> {
    let numbers = (0..INPUTS).take_while(|_| observer.goes_on());
    let inputs = numbers.map(|number| bursty(shape(size), &mut seed.stream(&format!("competitive/{number}"))));
    inputs.map(|input| compare(&input)).filter(|compared| compared.optimum > 0).collect()
}

/// The worst input that a search finds.
fn on_searched(
    name: &str,
    size: Size,
    seed: Seed,
    compare: &dyn Fn(&Input) -> Compared,
    observer: &dyn Observer,
) -> Found {
    let plan = Search { shape: shape(size), evaluations: EVALUATIONS, patience: 600, seed: seed.part(name) };
    search(
        &plan,
        |input| {
            if !observer.goes_on() { ControlFlow::Break(()) } else { ControlFlow::Continue(compare(input)) }
        },
    )
}

fn shape(size: Size) -> Shape {
    if size.separate {
        Shape { slots: 16, burst: 5, kinds: Kinds::Queues(u16::try_from(size.k).expect("sizes here are small")) }
    } else {
        Shape { slots: 24, burst: 4, kinds: Kinds::Work(size.k) }
    }
}

fn optimum(input: &Input, size: Size) -> Option<u64> {
    if size.separate {
        separate_queues::optimum(input, size.k as usize, size.buffer)
    } else {
        single_queue::optimum(input, u32::try_from(size.buffer).ok()?)
    }
}

/// An input as a table: one line for each packet.
fn arrivals(input: &Input) -> String {
    let slots = input.slots.iter().enumerate();
    let rows = slots.flat_map(|(slot, arrivals)| {
        arrivals.iter().map(move |one| vec![slot.to_string(), one.queue.to_string(), one.processing.to_string()])
    });
    csv::lines(&["slot", "queue", "processing"], rows)
}
