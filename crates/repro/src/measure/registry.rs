//! The registry of measures: one line each.

use super::{Experiment, Measured};
use forebay::Observer;
use forebay::error::Result;
use forebay_core::{About, Named, Seed};

/// A measure.
pub struct MeasureEntry {
    /// The measure's name, which an `experiment.toml` gives, and its description.
    pub about: About,
    /// Runs the measure. Every random number comes from the seed. The observer can stop it.
    pub run: fn(&Experiment, Seed, &dyn Observer) -> Result<Measured>,
    /// Returns why the measure cannot run on this machine, if so, and what to install.
    pub missing: fn() -> Option<String>,
}

impl std::fmt::Debug for MeasureEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.about.name)
    }
}

impl Named for MeasureEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

forebay_core::registry! {
    /// All measures.
    pub static MEASURES: [MeasureEntry] = {
        mod worked_example;
        mod convergence;
        mod port;
        mod network;
        mod pipeline;
        mod adversary;
        mod competitive;
        mod operational_cost;
        mod two_futures;
        mod caches;
        mod cache_pairs;
        mod cache_burstiness;
        mod cache_formulations;
        mod prototype;
        mod toy;
        mod reassembly_rates;
        mod reassembly_degrees;
        mod reassembly_displacement;
        mod matcher_rates;
        mod matcher_displacement;
        mod estimate_change;
        mod attacked_queue;
        mod seer_examples;
        mod seer_prototype;
        mod kernel_line;
        mod dpdk_cost;
    }
}
