//! BBQ's example of what a pipelined queue does to strict priority (appendix C.1,
//! Figure 18), and the ways to manage it.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
use forebay_sched::queues::pipeline_schedule::{Example, Management};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "pipeline",
        title: "Effects of a pipelined queue on strict priority, and ways to manage them",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "100,000 cycles for each way",
        source: "BBQ, NSDI'24, appendix C.1, Figure 18",
        params: &[],
    },
    run,
    missing: || None,
};

/// A whole number of latencies, and long enough for the start not to count.
const CYCLES: usize = 100_000;
/// The number of cycles in which a new flow begins to wait once.
const NEW_FLOWS: usize = 100;
/// The flow of highest priority, and the next.
const A: u64 = 0;
const B: u64 = 1;

fn run(_: &Experiment, _: Seed, _: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let example = Example::FIGURE_18;
    for (name, management) in [
        ("wait", Management::Wait),
        ("concurrent", Management::Concurrent),
        ("bursts of 2", Management::Bursts(2)),
        ("front PIFO", Management::LatencyFree),
    ] {
        let schedule = example.schedule(management, CYCLES + 1);
        let slots = (CYCLES / example.packet_cycles) as f64;
        let of_a = schedule.iter().filter(|(_, flow)| *flow == A).count() as f64;
        let first_b = schedule.iter().find(|(_, flow)| *flow == B).map(|&(cycle, _)| cycle as f64);
        measured.value(format!("{name}: share of the link"), schedule.len() as f64 / slots);
        measured.value(format!("{name}: share of A"), of_a / schedule.len() as f64);
        measured.value(format!("{name}: first cycle of B"), first_b.unwrap_or(f64::INFINITY));
        measured
            .value(format!("{name}: first cycle of A"), schedule.first().map_or(f64::NAN, |&(cycle, _)| cycle as f64));
        measured.value(format!("{name}: packets before a new flow"), example.overtaken(management, NEW_FLOWS) as f64);
    }
    Ok(measured)
}
