//! A network: `scenario.toml` of the experiment, or if there is none every `scenario-NAME.toml`, whose values begin with `NAME: `
//! and whose files with `NAME-`. Means over all repetitions are called like
//! `load 0.5: SP-PIFO: < 100 KB: fct_ns_mean`, after the axes, the policy, the class of sizes (or `all`) and the quantity in
//! `docs/result.md`; those of whole runs like `load 0.5: SP-PIFO: drops`, and of bins of ranks at a link like
//! `load 0.5: SP-PIFO: a>b: inversions of 12`, after the bin's lowest rank, or `packets_out of 12`. Where the scenario has a series, the rate at
//! which a flow was received between one look and the next, at 40 ms, is `SP-PIFO: flow 3: bps to 40 ms`; flows count from 0.
//! Those of states in switches are called like `mss 24: Seer: states flows: miss_share`, after the name of the `[[state]]`.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::document::Node;
use forebay::error::Result;
use forebay::network::{self, CellReport, NetworkScenario};
use forebay::output::folder;
use forebay::run::Part;
use forebay_core::{About, Exactness, Seed};
use std::iter::once;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "network",
        title: "The network in scenario.toml, or in every scenario-NAME.toml: means over repetitions",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "as the scenario: cells times repetitions",
        source: "SP-PIFO, NSDI'20, section 6; Seer, NSDI'24, section 6; OpenQueue, ToN 2020, IV-C",
        params: &[],
    },
    run,
    missing: || None,
};

const FILE: &str = "scenario.toml";

/// What the files of several scenarios begin with.
const OF_SEVERAL: &str = "scenario-";

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let several: Vec<(&str, &str)> = experiment.files_like(OF_SEVERAL, ".toml").collect();
    if several.is_empty() || experiment.has(FILE) {
        measure(experiment, FILE, experiment.file(FILE)?, seed, "", &mut measured, observer)?;
    } else {
        for (name, text) in several {
            if observer.goes_on() {
                measure(experiment, &format!("{OF_SEVERAL}{name}.toml"), text, seed, name, &mut measured, observer)?;
            }
        }
    }
    Ok(measured)
}

/// Runs the scenario in `file`; what it measures has `name` before it, if that is not empty.
fn measure(
    experiment: &Experiment,
    file: &str,
    text: &str,
    seed: Seed,
    name: &str,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<()> {
    let document = Node::parse(&experiment.path(file), text)?;
    let title = format!("{}{}{name}", experiment.name, if name.is_empty() { "" } else { ": " });
    let scenario = NetworkScenario::read(&document, &title, Some(seed.0), experiment)?;
    let report = network::run(&scenario, None, &Part::default(), observer)?;
    let (of_values, of_files) =
        if name.is_empty() { Default::default() } else { (format!("{name}: "), format!("{name}-")) };
    for cell in &report.results {
        let axes: String = cell.axes.iter().map(|(name, value)| format!("{name} {}: ", value.text)).collect();
        values(cell, &format!("{of_values}{axes}{}", cell.policy), measured);
    }
    measured.files.push((format!("{of_files}network.json"), folder::json(&report)?));
    for mut picture in network::pictures(&report, &(&report).into())? {
        picture.name.insert_str(0, &of_files);
        measured.add(&picture)?;
    }
    Ok(())
}

/// Everything that a policy came to with these values of the axes, called by its `place`.
fn values(cell: &CellReport, place: &str, measured: &mut Measured) {
    let groups = cell.groups.iter().filter(|group| group.workload.is_none());
    let of_groups = groups.map(|group| (format!("{place}: {}", group.size_name()), &group.quantities));
    let of_states = cell.states.iter().map(|state| (format!("{place}: states {}", state.name), &state.quantities));
    for (place, quantities) in once((place.to_owned(), &cell.quantities)).chain(of_groups).chain(of_states) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all;

    const SMALL: &str = r#"
        [network]
        topology = { name = "star", hosts = 3 }
        duration = "100 us"
        [[workload]]
        sizes = { name = "fixed", bytes = 3_000 }
        load = 0.5
        [[state]]
        name = "flows"
        at = "*"
        key = "flow"
        capacity = 8
        policy = "lru"
        [[policy]]
        name = "LRU"
        transport = "dctcp"
        port = { rank = "arrival", queue = "fifo", buffer = "1 MB" }
    "#;

    fn figure(name: &str) -> Experiment {
        all().unwrap().into_iter().find(|experiment| experiment.name == name).unwrap()
    }

    #[test]
    fn values_and_files_of_one_of_several_scenarios_begin_with_its_name() {
        let mut measured = Measured::default();
        measure(
            &figure("seer/figure-7"),
            "scenario-small.toml",
            SMALL,
            Seed(1),
            "small",
            &mut measured,
            &forebay::Silent,
        )
        .unwrap();
        assert!(measured.values["small: LRU: flows"] > 0.0);
        let share = measured.values["small: LRU: states flows: miss_share"];
        assert!(share > 0.0 && share <= 1.0, "{share}");
        assert!(measured.files.iter().all(|(name, _)| name.starts_with("small-")), "{:?}", measured.files);
    }

    #[test]
    fn every_one_of_several_scenarios_is_found_and_can_be_read() {
        let experiment = figure("seer/figure-7");
        let found: Vec<_> = experiment.files_like(OF_SEVERAL, ".toml").collect();
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["data-mining", "incast", "permutation-network", "permutation", "web-search"]);
        for (name, text) in found {
            let document = Node::parse(name, text).unwrap();
            NetworkScenario::read(&document, name, Some(1), &experiment).unwrap();
        }
    }
}
