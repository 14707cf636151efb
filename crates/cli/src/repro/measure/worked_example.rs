//! SP-PIFO's worked example of the gradient algorithm (section 3.2, Figure 4): five
//! ranks, two queues, one step.

use super::{Experiment, MeasureEntry, Measured};
use crate::error::Result;
use forebay_core::Seed;
use forebay_sched::queues::unpifoness::{Histogram, step};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry { name: "worked-example", run, missing: || None };

/// Ranks 1 to 5 with probabilities 2, 1, 1, 2, 1 sevenths.
const PACKETS: [(u64, u64); 5] = [(1, 2), (2, 1), (3, 1), (4, 2), (5, 1)];

fn run(_: &Experiment, _: Seed) -> Result<Measured> {
    let window = Histogram::of_counts(PACKETS);
    let unpifoness = |bounds: &[u64]| window.unpifoness(bounds) as f64;
    let mut measured = Measured::default();
    measured.value("bounds 1, 4", unpifoness(&[1, 4]));
    measured.value("bounds 1, 5", unpifoness(&[1, 5]));
    let mut bounds = [1, 4];
    step(&mut bounds, &window);
    measured.value("after the step", unpifoness(&bounds));
    measured.value("second bound after the step", bounds[1] as f64);
    Ok(measured)
}
