//! The network scenario: many hosts and switches, transports, and policies that are compared on the same flows.
//!
//! `docs/network.md` describes the file and the result. A scenario is expanded into cells, one for each policy and each combination of
//! values in its lists. Every cell is run once for each repetition, all on the same random numbers.

mod by_rank;
mod carried_ranks;
mod cell;
mod classified;
mod cost;
mod elements;
mod failure;
mod fetch_result;
mod files;
mod flow_rows;
mod inversions;
mod lateness;
mod limits;
mod links;
mod live_states;
mod measure;
mod moving_bounds;
mod node_policy;
mod notification_result;
mod pictures;
mod policy;
mod port_rows;
mod ports;
mod rank_rows;
mod read;
mod recorded;
mod recorded_graph;
mod registry_part;
mod report;
#[cfg(test)]
mod rows_tests;
mod run;
mod run_evidence;
mod run_result;
#[cfg(test)]
mod sample;
mod seer_impairments;
mod seer_plan;
mod series_rows;
mod service_order;
mod settings;
#[cfg(test)]
mod sharing_tests;
mod spread;
mod state_key;
mod state_nodes;
mod state_policy;
mod state_result;
mod state_rows;
mod state_store;
mod states;
#[cfg(test)]
mod states_tests;
mod table;
mod topology;
mod transport_plan;
mod unfinished_flows;
mod warnings;
mod workload;

use crate::run::{MadeOnce, Said};
use cell::Cell;
use run_result::Completion;
use std::sync::Arc;

pub(crate) use cost::costs;
pub use files::{RegularBeside, read_bounded};
pub(crate) use flow_rows::FLOWS;
pub use pictures::pictures;
pub(crate) use port_rows::PORTS;
pub(crate) use rank_rows::RANKS;
pub use read::is_network;
pub(crate) use recorded::dscps;
pub use recorded::{RecordedFlow, RecordedFlows};
pub use report::{CellReport, NetworkReport, NetworkSettings};
pub use run::run;
pub(crate) use run_result::{GroupResult, RunResult};
pub(crate) use series_rows::SERIES;
pub(crate) use state_result::StateResult;
pub(crate) use state_rows::STATES;
pub use table::report as table;

/// A checked scenario.
#[derive(Debug)]
pub struct NetworkScenario {
    said: Said,
    repetitions: u64,
    /// In the order of the report.
    cells: Vec<Cell>,
    /// Each once, in the order of the scenario.
    policy_names: Vec<String>,
    /// The policy that the others are compared with.
    baseline: Option<String>,
    /// The topology's name in the scenario; if there are several, the first.
    topology: String,
    completion: Completion,
    /// Warnings for readers of the result.
    warnings: Vec<String>,
    /// Where its runs are shared with other scenarios, if they are.
    made_once: Option<Arc<MadeOnce>>,
}
