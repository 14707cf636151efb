//! Policies before TCP reassembly under optimal attacks: figure 3.17 of SurgeProtector.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::Reassembly;
use crate::attacked::displacement::{Rates, measure};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "reassembly-displacement",
        title: "Displacement by optimal attacks on policies in front of TCP reassembly",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "an attack study",
        source: "SurgeProtector (thesis, chapter 3), figure 3.17",
        params: &[],
    },
    run,
    missing: || None,
};

const RATES: Rates<'_> = Rates {
    innocent: &[1.0, 5.0, 10.0],
    attack: &[0.01, 0.018, 0.03, 0.056, 0.1, 0.18, 0.3, 0.42, 0.56, 0.7, 1.0, 3.0, 10.0],
};

/// The rates of attack of a quick measurement.
const QUICK_ATTACK: &[f64] = &[0.01, 0.03, 0.1, 0.3, 0.7, 3.0];

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let quick = Rates { attack: QUICK_ATTACK, ..RATES };
    measure(&Reassembly, if experiment.is_quick { &quick } else { &RATES }, !experiment.is_quick, seed, observer)
}
