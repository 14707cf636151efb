//! A queue study: `study.toml` of the experiment. Its means over all seeds are
//! called like `uniform at 0.8: FIFO: inversions`, and those of each bin of ranks like
//! `uniform at 0.8: FIFO: inversions of 12`, after the bin's lowest rank.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::document::Node;
use forebay::error::Result;
use forebay::output::folder;
use forebay::study::{self, Quantity, RankQuantity, Study};
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "queue-study",
        title: "The queue study in study.toml: means over seeds, and bins of ranks",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "as the study: lines times seeds times packets",
        source: "SP-PIFO, NSDI'20, section 4.2, Figures 5 and 6",
        params: &[],
    },
    run,
    missing: || None,
};

const FILE: &str = "study.toml";

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let file = experiment.path(FILE);
    let document = Node::parse(&file, experiment.file(FILE)?)?;
    let study = Study::read(&document, &experiment.name, Some(seed.0), experiment)?;
    let report = study::run(&study, None, observer)?;
    let mut measured = Measured::default();
    for cell in &report.results {
        let place = format!("{} at {}: {}", cell.ranks, cell.load, cell.queue);
        for quantity in Quantity::ALL {
            if let Some(mean) = cell.estimate(quantity).mean {
                measured.value(format!("{place}: {}", quantity.name()), mean);
            }
        }
        for quantity in RankQuantity::ALL {
            let means = &cell.per_rank.column(quantity).mean;
            for (rank, mean) in cell.per_rank.lowest_rank.iter().zip(means) {
                if let Some(mean) = mean {
                    measured.value(format!("{place}: {} of {rank}", quantity.name()), *mean);
                }
            }
        }
    }
    measured.files.push(("study.json".to_owned(), folder::json(&report)?));
    for (name, svg) in study::plots(&report)? {
        measured.files.push((name.to_owned(), svg));
    }
    Ok(measured)
}
