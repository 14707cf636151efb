//! TCP reassembly under attack flows, as more of them arrive: figure 3.13 of SurgeProtector.
//!
//! Values are called like `FCFS: lost at 0.1 Gbps` and `WSJF in order: most lost`, in Gb/s; `FCFS, last segment
//! repeated` is about an attacker who sends the last segment of the longest flow again and again.

use super::{Experiment, MeasureEntry, Measured};
use crate::attacked::{self, FCFS, Reassembly, SAMPLE, Simulated as _, WSJF_IN_ORDER, each, greatest, setting};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Exactness, Seed};
use forebay_sim::attack::applications::Told;
use forebay_sim::attack::applications::tcp::AttackFlows;
use forebay_sim::attack::optimal;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "reassembly-rates",
        title: "Goodput of TCP reassembly as more attack flows arrive",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "six attack rates for each policy",
        source: "SurgeProtector (thesis, chapter 3), figure 3.13",
        params: &[],
    },
    run,
    missing: || None,
};

/// Of the attack, in Gb/s.
const RATES: [f64; 6] = [0.05, 0.1, 0.2, 0.3, 0.5, 1.0];

fn run(_: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let innocent = Reassembly.innocent(Told::Truth);
    let sample = innocent.sample(SAMPLE);
    measured.value("capacity", innocent.means().capacity_bps(1) / 1e9);
    let repeated = AttackFlows { repeats: u32::MAX, ..AttackFlows::longest() };
    // The flows whose packets make the best job on average.
    let best = |gbps| {
        let setting = setting(&sample, Reassembly::INNOCENT_GBPS, gbps, Reassembly.max_work());
        AttackFlows::longest()
            .of_mean_work(optimal::attack(WSJF_IN_ORDER.order, &setting).work, Reassembly::reassembler().costs())
    };
    let longest = |_| AttackFlows::longest();
    let attacks: [(_, _, &(dyn Fn(f64) -> AttackFlows + Sync)); 4] = [
        ("FCFS", FCFS, &longest),
        ("FCFS, last segment repeated", FCFS, &|_| repeated),
        ("WSJF in order", WSJF_IN_ORDER, &best),
        ("WSJF in order, longest flows", WSJF_IN_ORDER, &longest),
    ];
    let mut lines = Vec::new();
    for (name, contender, flows) in attacks {
        let baseline = Reassembly::served(contender, seed, None)?;
        let goodputs = each(&RATES, observer, |&gbps| Reassembly::served(contender, seed, Some((flows(gbps), gbps))))?;
        let lost: Vec<f64> = goodputs.iter().map(|goodput| baseline - goodput).collect();
        for (gbps, lost) in RATES.iter().zip(&lost) {
            measured.value(format!("{name}: lost at {gbps} Gbps"), *lost);
        }
        measured.value(format!("{name}: most lost"), greatest(lost.iter().copied()));
        let displacement = greatest(lost.iter().zip(RATES).map(|(lost, gbps)| lost / gbps));
        measured.value(format!("{name}: largest displacement"), displacement);
        lines.push((name.to_owned(), RATES.iter().copied().zip(goodputs).collect()));
    }
    let title = "TCP reassembly, 10 Gbps of innocents: goodput over the attack rate";
    attacked::draw(&mut measured, "goodput", title, [("attack rate", "Gbit/s"), ("goodput", "Gbit/s")], lines)?;
    Ok(measured)
}
