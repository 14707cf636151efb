//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.
//!
//! `docs/network.md` describes the file and the result. A scenario is expanded into cells, one for each scheme and each
//! combination of values in its lists; every cell is run once for each repetition, all on the same random numbers.

mod axis;
mod cell;
mod columns;
pub(crate) mod csv;
mod digits;
mod failure;
mod files;
mod flows_csv;
mod kept;
mod links;
mod measure;
mod part;
pub(crate) mod plot;
mod ports;
mod ports_csv;
mod quantity;
mod read;
pub(crate) mod report;
mod run;
pub(crate) mod run_result;
#[cfg(test)]
mod sample;
mod scheme;
mod series_csv;
mod settings;
mod spread;
mod sweep;
pub(crate) mod table;
mod topology;
mod unfinished;
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
