//! TCP reassembly under attack flows of different degrees of out-of-orderness: figure 3.14 of SurgeProtector.
//!
//! Values are called like `FCFS: goodput at 8192 segments`, in Gb/s; `least goodput`; `greatest goodput less least`.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::{self, FCFS, Reassembly, WSJF_IN_ORDER, each, greatest};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
use forebay_sim::attack::applications::tcp::AttackFlows;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "reassembly-degrees",
        title: "Goodput of TCP reassembly under attack flows of several degrees of disorder",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "eight degrees for each policy",
        source: "SurgeProtector (thesis, chapter 3), figure 3.14",
        params: &[],
    },
    run,
    missing: || None,
};

/// Segments of an attack flow that wait.
const DEGREES: [u32; 8] = [1, 4, 16, 64, 256, 1_024, 4_096, 8_192];
/// Of the attack, in Gb/s.
const ATTACK_GBPS: f64 = 0.3;

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let mut lines = Vec::new();
    for contender in [FCFS, WSJF_IN_ORDER] {
        let name = contender.name;
        let goodputs = each(&DEGREES, observer, |&out_of_order| {
            let flows = AttackFlows { out_of_order, ..AttackFlows::longest() };
            Reassembly::served(contender, seed, Some((flows, ATTACK_GBPS)))
        })?;
        for (degree, goodput) in DEGREES.iter().zip(&goodputs) {
            measured.value(format!("{name}: goodput at {degree} segments"), *goodput);
        }
        // By how much a longer list can leave more goodput, at worst.
        let rises = greatest(goodputs.windows(2).map(|pair| pair[1] - pair[0]));
        measured.value(format!("{name}: largest rise"), rises);
        let least = goodputs.iter().copied().fold(f64::INFINITY, f64::min);
        measured.value(format!("{name}: least goodput"), least);
        measured.value(format!("{name}: greatest goodput less least"), greatest(goodputs.iter().copied()) - least);
        lines.push((name.to_owned(), DEGREES.iter().map(|&degree| f64::from(degree)).zip(goodputs).collect()));
    }
    let title = "TCP reassembly, 10 Gbps of innocents, 0.3 Gbps of attack: goodput over the length of attack flows";
    let axes = [("segments out of order", ""), ("goodput", "Gbit/s")];
    attacked::draw(&mut measured, "goodput", title, axes, lines)?;
    Ok(measured)
}
