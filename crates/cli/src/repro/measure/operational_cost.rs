//! What the algorithms of section IV-G of OpenQueue cost and bring: A (FIFO, tail drop), B (FIFO, the lowest priority is
//! dropped) and C (the highest priority first, the lowest is dropped).
//!
//! Values are called like `C: CPU: million packets per second` (a thread that is always busy, with three arrivals for two
//! departures) and `C: bursts at 15 Gbps: value per microsecond` (a simulated 10 GbE port). With several queues the
//! algorithm is called `C, k = 4`.

mod link;
mod thread;

use super::{Experiment, MeasureEntry, Measured};
use crate::error::Result;
use crate::output::curves::{self, Curve};
use crate::repro::policy::{plain, policy};
use forebay_core::{FlowId, Packet, Rng, Seed};
use forebay_lang::Policy;
use rand::RngExt;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry { name: "operational-cost", run };

/// The file, and what the paper calls it.
const ALGORITHMS: [(&str, &str); 3] = [("a", "A"), ("b", "B"), ("c", "C")];
/// Numbers of queues of experiment 2.
const QUEUES: [u32; 3] = [2, 4, 8];
/// Type of Service of the two priorities.
const VALUES: [u32; 2] = [63, 1];
/// More than the queues, of whose number it is a multiple.
const FLOWS: u32 = 64;
/// The smallest Ethernet frame with its preamble and the gap behind it.
const WIRE_BYTES: u32 = 84;
const LINK_BPS: u64 = 10_000_000_000;

/// An algorithm, with a number of queues if there are several.
struct Contender {
    label: String,
    policy: Policy,
}

fn run(experiment: &Experiment, seed: Seed) -> Result<Measured> {
    let contenders = contenders(experiment)?;
    let mut measured = Measured::default();
    thread::measure(&contenders, seed, &mut measured)?;
    link::measure(&contenders, seed, &mut measured)?;
    Ok(measured)
}

/// A, B and C with one queue, or those of them that are there with several.
fn contenders(experiment: &Experiment) -> Result<Vec<Contender>> {
    let mut found = Vec::new();
    let several = experiment.file("b.oq").is_err();
    for (file, name) in ALGORITHMS.into_iter().filter(|(file, _)| *file != "b" || !several) {
        if several {
            for k in QUEUES {
                let policy = policy(experiment, file, &vec![plain("k", k)])?;
                found.push(Contender { label: format!("{name}, k = {k}"), policy });
            }
        } else {
            found.push(Contender { label: name.to_owned(), policy: policy(experiment, file, &Vec::new())? });
        }
    }
    Ok(found)
}

/// A packet of either priority and of any flow.
fn packet(rng: &mut Rng) -> Packet {
    Packet {
        value: VALUES[rng.random_range(0..VALUES.len())],
        flow: FlowId(rng.random_range(0..FLOWS)),
        size_bytes: WIRE_BYTES,
        ..Packet::default()
    }
}

/// Adds a picture of one line for each contender.
fn draw(measured: &mut Measured, file: &str, axes: [&str; 3], curves: &[Curve]) -> Result<()> {
    let [title, x, y] = axes;
    measured.files.push((format!("{file}.svg"), curves::svg(title, x, y, curves)?));
    Ok(())
}
