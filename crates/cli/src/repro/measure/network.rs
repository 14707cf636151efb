//! A network: `scenario.toml` of the experiment. Means over all repetitions are called like
//! `load 0.5: SP-PIFO: < 100 KB: fct_ns_mean`, after the axes, the scheme, the class of sizes (or `all`) and the quantity in
//! `docs/result.md`; those of whole runs like `load 0.5: SP-PIFO: drops`, and of bins of ranks at a link like
//! `load 0.5: SP-PIFO: a>b: inversions of 12`, after the bin's lowest rank, or `packets_out of 12`. Where the scenario has a series, the rate at
//! which a flow was received between one look and the next, at 40 ms, is `SP-PIFO: flow 3: bps to 40 ms`; flows count from 0.

use super::{Experiment, MeasureEntry, Measured};
use crate::document::Node;
use crate::error::Result;
use crate::network::{self, NetworkScenario};
use crate::output::folder;
use forebay_core::Seed;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry { name: "network", run };

const FILE: &str = "scenario.toml";

fn run(experiment: &Experiment, seed: Seed) -> Result<Measured> {
    let file = format!("experiments/{}/{FILE}", experiment.name);
    let document = Node::parse(&file, experiment.file(FILE)?)?;
    let scenario = NetworkScenario::read(&document, &experiment.name, Some(seed.0), experiment)?;
    let report = network::run(&scenario, None)?.report;
    let mut measured = Measured::default();
    for cell in &report.results {
        let axes: String = cell.axes.iter().map(|(name, value)| format!("{name} {}: ", value.text)).collect();
        let place = format!("{axes}{}", cell.scheme);
        let groups = cell.groups.iter().filter(|group| group.workload.is_none());
        let of_groups = groups.map(|group| (format!("{place}: {}", group.size_name()), &group.quantities));
        for (place, quantities) in std::iter::once((place.clone(), &cell.quantities)).chain(of_groups) {
            for (name, estimate) in quantities.iter() {
                if let Some(mean) = estimate.mean {
                    measured.value(format!("{place}: {name}"), mean);
                }
            }
        }
        for link in &cell.inversions_by_rank {
            for (name, means) in [("packets_out", &link.packets_out), ("inversions", &link.inversions)] {
                for (rank, mean) in link.lowest_rank.iter().zip(&means.mean) {
                    measured.value(format!("{place}: {}: {name} of {rank}", link.link), *mean);
                }
            }
        }
        if let Some(series) = &cell.series {
            for flow in &series.received {
                let looks = series.times_ns.iter().zip(&flow.bytes);
                for ((earlier_ns, earlier), (ns, bytes)) in looks.clone().zip(looks.skip(1)) {
                    let name = format!("{place}: flow {}: bps to {} ms", flow.flow, ns / 1e6);
                    measured.value(name, (bytes - earlier) as f64 * 8.0 / ((ns - earlier_ns) / 1e9));
                }
            }
        }
    }
    measured.files.push(("network.json".to_owned(), folder::json(&report)?));
    for (name, svg) in network::plots(&report)? {
        measured.files.push((name, svg));
    }
    Ok(measured)
}
