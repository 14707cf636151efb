//! Cost and value of the algorithms of section IV-G of OpenQueue. A is FIFO with tail drop. B is FIFO that drops the lowest priority. C
//! serves the highest priority first and drops the lowest.
//!
//! Values are called like `C: thread: million packets per second` (a thread that is always busy, with three arrivals for two
//! departures) and `C: bursts at 16 Gbps: value per microsecond` (a simulated 10 GbE port). With several queues the
//! algorithm is called `C, k = 4`.

mod link;
mod thread;

use super::{Experiment, MeasureEntry, Measured};
use crate::drawing::{Line, one_panel, unit};
use crate::policy::{plain, policy};
use forebay::Observer;
use forebay::error::Result;
use forebay::figure::Axis;
use forebay_core::{About, ClassId, Exactness, FlowId, Packet, Rng, Seed};
use forebay_lang::Policy;
use rand::RngExt;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "operational-cost",
        title: "Cost and benefit of three OpenQueue algorithms on the engine of simulations",
        exactness: Exactness::NotApplicable,
        hardware: "an idle core: it measures CPU time",
        cost: "a run for each algorithm and setting",
        source: "OpenQueue, ToN 2020, section IV-G",
        params: &[],
    },
    run,
    missing: || None,
};

/// The file, and what the paper calls it; those `by heap` have a priority of 32 bits instead of 8.
const ALGORITHMS: [(&str, &str); 5] =
    [("a", "A"), ("b", "B"), ("c", "C"), ("b-heap", "B by heap"), ("c-heap", "C by heap")];
/// Numbers of queues of experiment 2.
const QUEUES: [u32; 3] = [2, 4, 8];
/// Type of Service of the two priorities.
const PRIORITIES: [u8; 2] = [63, 1];
/// More than the queues, of whose number it is a multiple.
const FLOWS: u32 = 64;
/// The largest usual Ethernet frame with its preamble and the gap behind it.
const WIRE_BYTES: u32 = 1_538;

/// An algorithm, with a number of queues if there are several.
struct Contender {
    label: String,
    algorithm: &'static str,
    /// 1 in experiment 1.
    queues: u32,
    policy: Policy,
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let contenders = contenders(experiment)?;
    let mut measured = Measured::default();
    thread::measure(&contenders, seed, &mut measured, observer)?;
    let different: Vec<_> = contenders.iter().filter(|one| !one.by_heap()).collect();
    link::measure(&different, seed, &mut measured, observer)?;
    Ok(measured)
}

/// A, B and C with one queue, or those of them that are there with several.
fn contenders(experiment: &Experiment) -> Result<Vec<Contender>> {
    // Experiment 2 leaves out B.
    let several = experiment.file("b.oq").is_err();
    let mut found = Vec::new();
    for (file, algorithm) in ALGORITHMS.into_iter().filter(|(file, _)| !file.starts_with('b') || !several) {
        if several {
            for queues in QUEUES {
                let policy = policy(experiment, file, &vec![plain("k", queues)])?;
                found.push(Contender { label: format!("{algorithm}, k = {queues}"), algorithm, queues, policy });
            }
        } else {
            let policy = policy(experiment, file, &Vec::new())?;
            found.push(Contender { label: algorithm.to_owned(), algorithm, queues: 1, policy });
        }
    }
    Ok(found)
}

impl Contender {
    /// It does what another does, at another cost.
    fn by_heap(&self) -> bool {
        self.algorithm.ends_with("by heap")
    }
}

/// A packet of either priority and of any flow.
fn packet(rng: &mut Rng) -> Packet {
    let priority = PRIORITIES[rng.random_range(0..PRIORITIES.len())];
    Packet {
        class: ClassId(priority),
        value: priority.into(),
        flow: FlowId(rng.random_range(0..FLOWS)),
        size_bytes: WIRE_BYTES,
        ..Packet::default()
    }
}

/// Adds a picture of one line for each policy.
fn draw(measured: &mut Measured, file: &str, title: &str, [x, y]: [(&str, &str); 2], lines: Vec<Line>) -> Result<()> {
    let axes = [&Axis::linear(x.0, unit(x.1)), &Axis::logarithmic(y.0, unit(y.1))];
    measured.draw(file, "lines", one_panel(title, axes, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn contenders_of(experiment: &str) -> Vec<Contender> {
        let all = crate::all().unwrap();
        contenders(all.iter().find(|one| one.name == experiment).unwrap()).unwrap()
    }

    #[test]
    fn experiment_1_has_three_algorithms_and_experiment_2_two_with_several_queues() {
        let labels = |name| contenders_of(name).into_iter().map(|one| one.label).collect::<Vec<_>>();
        assert_eq!(labels("openqueue/experiment-1"), ["A", "B", "C", "B by heap", "C by heap"]);
        let several = ["A", "C", "C by heap"].map(|name| [2, 4, 8].map(|k| format!("{name}, k = {k}")));
        assert_eq!(labels("openqueue/experiment-2"), several.concat());
    }
}
