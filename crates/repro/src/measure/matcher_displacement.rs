//! Policies before a two-stage matcher under optimal attacks: figure 3.18 of SurgeProtector.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::Matcher;
use crate::attacked::displacement::{Rates, measure};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "matcher-displacement",
        title: "Displacement by optimal attacks on policies in front of a two-stage matcher",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "an attack study",
        source: "SurgeProtector (thesis, chapter 3), figure 3.18",
        params: &[],
    },
    run,
    missing: || None,
};

const RATES: Rates<'_> = Rates {
    innocent: &[0.1, 0.5, 0.9],
    attack: &[0.001, 0.0018, 0.003, 0.0056, 0.01, 0.018, 0.03, 0.056, 0.1, 0.18, 0.3, 0.56, 1.0],
};

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    measure(&Matcher, &RATES, true, seed, observer)
}
