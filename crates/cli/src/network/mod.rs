//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.
//!
//! `docs/network.md` describes the file and the result. A scenario is expanded into cells, one for each scheme and each
//! combination of values in its lists; every cell is run once for each repetition, all on the same random numbers.

mod axis;
mod cell;
mod failure;
mod files;
mod kept;
mod links;
mod measure;
mod part;
mod read;
mod run;
pub(crate) mod run_result;
mod scheme;
mod settings;
mod sweep;
mod topology;
mod workload;

use forebay_core::Seed;

pub(crate) use cell::Cell;
pub(crate) use read::is_network;
pub(crate) use run::run;

/// A checked scenario.
#[derive(Debug)]
pub(crate) struct NetworkScenario {
    pub(crate) name: String,
    pub(crate) seed: Seed,
    pub(crate) repetitions: u64,
    /// In the order of the report.
    pub(crate) cells: Vec<Cell>,
    /// Each once, in the order of the scenario.
    pub(crate) scheme_names: Vec<String>,
}
