//! A network: `scenario.toml` of the experiment, and every `scenario-NAME.toml` of which a row asks for a value. Those begin with `NAME: `,
//! and its files with `NAME-`. Names of means over all repetitions are like `load 0.5: SP-PIFO: < 100 KB: fct_ns_mean`. They have the axes,
//! the policy, the class of sizes (or `all`) and the quantity in `docs/result.md`. Those of whole runs are like `load 0.5: SP-PIFO: drops`.
//! Those of bins of ranks at a link are like `load 0.5: SP-PIFO: a>b: inversions of 12`, after the bin's lowest rank, or `packets_out of
//! 12`. If the scenario has a series, `SP-PIFO: flow 3: bps to 40 ms` is the rate at which a flow was received in the interval that ends at
//! 40 ms; flows count from 0. Those of states in switches are called like `mss 24: Seer: states flows: miss_share`, after the name of the
//! `[[state]]`.

use super::{Experiment, MeasureEntry, Measured};
use crate::OwnScenario;
use forebay::Observer;
use forebay::error::Result;
use forebay::network::{self, CellReport, NetworkScenario};
use forebay::output::folder;
use forebay::run::Part;
use forebay_core::{About, Exactness, Seed};
use std::iter::once;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "network",
        title: "The network in scenario.toml, and in every scenario-NAME.toml: means over repetitions",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "as the scenario: cells times repetitions",
        source: "SP-PIFO, NSDI'20, section 6; Seer, NSDI'24, section 6; OpenQueue, ToN 2020, IV-C",
        params: &[],
    },
    run,
    missing: || None,
};

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    for scenario in experiment.asked_scenarios()?.iter().take_while(|_| observer.goes_on()) {
        measure(experiment, scenario, seed, &mut measured, observer)?;
    }
    Ok(measured)
}

fn measure(
    experiment: &Experiment,
    own: &OwnScenario<'_>,
    seed: Seed,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<()> {
    let document = experiment.document(own)?;
    let scenario = NetworkScenario::read(&document, &own.title(&experiment.name), Some(seed.0), experiment)?;
    let scenario = scenario.sharing(experiment.experiments().networks());
    let report = network::run(&scenario, None, &Part::default(), observer)?;
    for cell in &report.results {
        let axes: String = cell.axes.iter().map(|(name, value)| format!("{name} {}: ", value.text)).collect();
        values(cell, &format!("{}{axes}{}", own.before_values(), cell.policy), measured);
    }
    measured.files.push((format!("{}network.json", own.before_files()), folder::json(&report)?));
    for mut picture in network::pictures(&report, &(&report).into())? {
        picture.name.insert_str(0, &own.before_files());
        measured.add(&picture)?;
    }
    Ok(())
}

/// All results of a policy with these values of the axes, called by its `place`.
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
    use forebay::document::Node;

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
        let small = OwnScenario { name: Some("small"), file: "scenario-small.toml".to_owned(), text: SMALL };
        measure(&figure("seer/figure-7"), &small, Seed(1), &mut measured, &forebay::Silent).unwrap();
        assert!(measured.values["small: LRU: flows"] > 0.0);
        let share = measured.values["small: LRU: states flows: miss_share"];
        assert!(share > 0.0 && share <= 1.0, "{share}");
        assert!(measured.files.iter().all(|(name, _)| name.starts_with("small-")), "{:?}", measured.files);
    }

    #[test]
    fn every_one_of_several_scenarios_is_found_and_can_be_read() {
        let experiment = figure("seer/figure-7");
        let found = experiment.scenarios().unwrap();
        let names: Vec<&str> = found.iter().filter_map(|own| own.name).collect();
        for name in ["data-mining", "incast", "permutation", "permutation-network", "web-search"] {
            assert!(names.contains(&name), "{names:?}");
        }
        for own in &found {
            let document = Node::parse(&own.file, own.text).unwrap();
            NetworkScenario::read(&document, &own.file, Some(1), &experiment).unwrap();
        }
    }
}
