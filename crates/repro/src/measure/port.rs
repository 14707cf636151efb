//! A port: `scenario.toml` of the experiment. Its means over all repetitions are called like `rank uniform: FIFO: inversions`, after the
//! axes, the policy and the quantity in `docs/result.md`, and those of each bin of ranks like `rank uniform: FIFO: inversions of 12`,
//! after the bin's lowest rank.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::document::Node;
use forebay::error::Result;
use forebay::output::folder;
use forebay::port::{self, PortScenario};
use forebay::run::Part;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "port",
        title: "The port in scenario.toml: means over repetitions, and bins of ranks",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "as the scenario: cells times repetitions times packets",
        source: "SP-PIFO, NSDI'20, section 4.2, Figures 5 and 6",
        params: &[],
    },
    run,
    missing: || None,
};

const FILE: &str = "scenario.toml";

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let file = experiment.path(FILE);
    let document = Node::parse(&file, experiment.file(FILE)?)?;
    let scenario = PortScenario::read(&document, &experiment.name, Some(seed.0), experiment)?;
    let report = port::run(&scenario, None, None, &Part::default(), observer)?;
    let mut measured = Measured::default();
    for cell in &report.results {
        let axes: String = cell.axes.iter().map(|(name, value)| format!("{name} {}: ", value.text)).collect();
        let place = format!("{axes}{}", cell.policy);
        for (name, estimate) in cell.quantities.iter() {
            if let Some(mean) = estimate.mean {
                measured.value(format!("{place}: {name}"), mean);
            }
        }
        let Some(ranks) = &cell.per_rank else { continue };
        for (name, column) in ranks.columns() {
            for (rank, mean) in ranks.lowest_rank.iter().zip(&column.mean) {
                if let Some(mean) = mean {
                    measured.value(format!("{place}: {name} of {rank}"), *mean);
                }
            }
        }
    }
    measured.files.push(("port.json".to_owned(), folder::json(&report)?));
    for picture in port::pictures(&report, &(&report).into())? {
        measured.add(&picture)?;
    }
    Ok(measured)
}
