//! A two-stage matcher under the most expensive innocent payloads, as more of them arrive: figure 3.15 of SurgeProtector.
//!
//! Values are called like `FCFS: most lost`, in Gb/s, `FCFS: most share lost` and `FCFS: largest displacement`; those of a
//! faster matcher and a payload that is slow on a frequent rule like `FCFS, frequent rule: most lost`.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::{self, Attacked, FCFS, WSJF, each, greatest};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "matcher-rates",
        title: "Goodput of a two-stage matcher as more of the most expensive payloads arrive",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "seven attack rates for each policy, twice",
        source: "SurgeProtector (thesis, chapter 3), figure 3.15",
        params: &[],
    },
    run,
    missing: || None,
};

/// Of the attack, in Gb/s.
const RATES: [f64; 7] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0];

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let mut lines = Vec::new();
    for attacked in [Attacked::by_dearest(seed), Attacked::by_frequent_rule(seed)] {
        for contender in [FCFS, WSJF] {
            let name = attacked.called(contender);
            let baseline = attacked.goodput(contender, seed, None)?;
            let goodputs = each(&RATES, observer, |&gbps| attacked.goodput(contender, seed, Some(gbps)))?;
            let lost: Vec<f64> = goodputs.iter().map(|goodput| baseline - goodput).collect();
            measured.value(format!("{name}: most lost"), greatest(lost.iter().copied()));
            measured.value(format!("{name}: most share lost"), greatest(lost.iter().map(|lost| lost / baseline)));
            let displacement = greatest(lost.iter().zip(RATES).map(|(lost, gbps)| lost / gbps));
            measured.value(format!("{name}: largest displacement"), displacement);
            lines.push((name, RATES.iter().copied().zip(goodputs).collect()));
        }
    }
    let title = "full matching: goodput over the attack rate";
    attacked::draw(&mut measured, "goodput", title, [("attack rate", "Gbit/s"), ("goodput", "Gbit/s")], lines)?;
    Ok(measured)
}
