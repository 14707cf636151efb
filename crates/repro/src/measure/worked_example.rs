//! SP-PIFO's worked example of the gradient algorithm (section 3.2, Figure 4): five
//! ranks, two queues, one step.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
use forebay_sched::queues::unpifoness::{Histogram, step};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "worked-example",
        title: "One step of SP-PIFO's gradient algorithm on five ranks and two queues",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "no simulation",
        source: "SP-PIFO, NSDI'20, section 3.2, Figure 4",
        params: &[],
    },
    run,
    missing: || None,
};

/// Ranks 1 to 5 with probabilities 2, 1, 1, 2, 1 sevenths.
const PACKETS: [(u64, u64); 5] = [(1, 2), (2, 1), (3, 1), (4, 2), (5, 1)];

fn run(_: &Experiment, _: Seed, _: &dyn Observer) -> Result<Measured> {
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
