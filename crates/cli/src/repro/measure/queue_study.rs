//! A queue study: `study.toml` of the experiment. Its means over all seeds are
//! called like `uniform at 0.8: FIFO: inversions`.

use super::{Experiment, MeasureEntry, Measured};
use crate::document::Node;
use crate::error::{Result, UserError};
use crate::output::folder;
use crate::study::{self, Quantity, Study};
use forebay_core::Seed;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry { name: "queue-study", run };

const FILE: &str = "study.toml";

fn run(experiment: &Experiment, seed: Seed) -> Result<Measured> {
    let file = format!("experiments/{}/{FILE}", experiment.name);
    let document = Node::parse(&file, experiment.file(FILE)?)?;
    let study = Study::read(&document, &experiment.name, Some(seed.0))?;
    let report = study::run(&study).map_err(|error| UserError::at(file, error.to_string()))?;
    let mut measured = Measured::default();
    for cell in &report.results {
        for quantity in Quantity::ALL {
            if let Some(mean) = cell.estimate(quantity).mean {
                let name = format!("{} at {}: {}: {}", cell.ranks, cell.load, cell.queue, quantity.name());
                measured.value(name, mean);
            }
        }
    }
    measured.files.push(("study.json".to_owned(), folder::json(&report)?));
    for (name, svg) in study::plots(&report).map_err(folder::plot_error)? {
        measured.files.push((name.to_owned(), svg));
    }
    Ok(measured)
}
