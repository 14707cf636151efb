//! A port: `scenario.toml` of the experiment. Names of its means over all repetitions are like `rank uniform: FIFO: inversions`, after the
//! axes, the policy and the quantity in `docs/result.md`. Those of each bin of ranks are like `rank uniform: FIFO: inversions of 12`, after
//! the bin's lowest rank. Values of a `scenario-NAME.toml` beside it have `NAME: ` before them, and its files have `NAME-`. It is played if
//! a row asks for one of its values.

use super::{Experiment, MeasureEntry, Measured};
use crate::OwnScenario;
use forebay::Observer;
use forebay::error::Result;
use forebay::output::folder;
use forebay::port::{self, PortScenario};
use forebay::run::Part;
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "port",
        title: "The port in scenario.toml, and in every scenario-NAME.toml: means over repetitions, and bins of ranks",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "as the scenario: cells times repetitions times packets",
        source: "SP-PIFO, NSDI'20, section 4.2, Figures 5 and 6",
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
    let scenario = PortScenario::read(&document, &own.title(&experiment.name), Some(seed.0), experiment)?;
    let report = port::run(&scenario, None, None, &Part::default(), observer)?;
    for cell in &report.results {
        let axes: String = cell.axes.iter().map(|(name, value)| format!("{name} {}: ", value.text)).collect();
        let place = format!("{}{axes}{}", own.before_values(), cell.policy);
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
    measured.files.push((format!("{}port.json", own.before_files()), folder::json(&report)?));
    for mut picture in port::pictures(&report, &(&report).into())? {
        picture.name.insert_str(0, &own.before_files());
        measured.add(&picture)?;
    }
    Ok(())
}
