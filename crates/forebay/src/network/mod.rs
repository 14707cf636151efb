//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.
//!
//! `docs/network.md` describes the file and the result. A scenario is expanded into cells, one for each scheme and each
//! combination of values in its lists; every cell is run once for each repetition, all on the same random numbers.

mod by_rank;
mod cell;
mod cost;
#[cfg(test)]
mod csv_tests;
mod failure;
mod files;
mod flows_csv;
mod inversions;
mod limits;
mod links;
mod measure;
mod part;
mod pictures;
mod ports;
mod ports_csv;
mod ranks_csv;
mod read;
mod report;
mod run;
mod run_result;
#[cfg(test)]
mod sample;
mod scheme;
mod seen;
mod seer_impairments;
mod seer_plan;
mod series_csv;
mod service_order;
mod settings;
mod spread;
mod state_nodes;
mod state_policy;
mod state_result;
mod states;
mod states_csv;
mod table;
mod told_result;
mod topology;
mod unfinished;
mod workload;

use crate::run::Said;
use cell::Cell;
use run_result::Completion;

pub(crate) use cost::costs;
pub use files::RegularBeside;
pub use pictures::pictures;
pub use read::is_network;
pub use report::{CellReport, NetworkReport};
pub use run::run;
pub(crate) use run::{KIND, merged};
pub(crate) use run_result::{GroupResult, RunResult};
pub(crate) use state_result::StateResult;
pub use table::report as table;

/// A checked scenario.
#[derive(Debug)]
pub struct NetworkScenario {
    said: Said,
    repetitions: u64,
    /// In the order of the report.
    cells: Vec<Cell>,
    /// Each once, in the order of the scenario.
    scheme_names: Vec<String>,
    /// Whom the other policies are compared with.
    baseline: Option<String>,
    /// As the scenario calls it, and the first where there are several.
    topology: String,
    completion: Completion,
    /// What whoever reads the result must know.
    warnings: Vec<String>,
}
