//! The port scenario: policies at one port, on the same packets.
//!
//! `docs/scenario.md` describes the file, `docs/result.md` the result. A scenario is expanded into cells, one for each policy and each
//! combination of values in its lists. Every cell is run once for each repetition, all on the same random numbers.
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Answer, Changes, Question, Session};
//!
//! let scenario = r#"
//!     repetitions = 3
//!     port = { rate = "10 Gbps", buffer = "80 packets" }
//!     traffic = { arrivals = "poisson", load = [0.9, 1.1], packets = 1000, rank = { distribution = "uniform", min = 0, max = 9 } }
//!     policy = [{ name = "SP-PIFO", rank = "packet-rank", queue = "sp-pifo" }, { name = "PIFO", rank = "packet-rank", queue = "pifo" }]
//! "#;
//! let question = Question::parse("ranks", scenario, &Embedded, &Changes::default())?;
//! let Answer::Port(report) = question.run(&Session::default())? else { unreachable!("it has a port") };
//! let inversions = |cell: usize| report.results[cell].quantities.mean("inversions").unwrap();
//! assert!(inversions(0) > 0.0 && inversions(1) == 0.0); // at load 0.9
//! let counts = &report.results[0].runs[0].counts;
//! assert_eq!(counts.packets_in, counts.packets_out + counts.packets_dropped + counts.packets_queued);
//! # Ok::<(), forebay::UserError>(())
//! ```

mod beside_baseline;
mod bound_rows;
mod by_rank;
mod cost;
mod entered_queues;
mod measure;
mod packet_rows;
mod pictures;
mod read;
mod report;
mod result;
mod run;
mod run_evidence;
mod table;
#[cfg(test)]
mod tests;

use crate::error::{Result, UserError};
use crate::run::Said;
use crate::scenario::{NamedPolicy, Plan, Traffic};
use crate::sweep::AxisValue;
use forebay_core::{BufferSize, Rate, Seed, Time};
use std::sync::Arc;

pub(crate) use beside_baseline::BesideBaseline;
pub(crate) use bound_rows::BOUNDS;
pub use by_rank::PerRankReport;
pub(crate) use cost::costs;
pub(crate) use packet_rows::PACKETS;
pub use pictures::pictures;
pub use report::{CellReport, ClassQuantities, PortSettings, Report};
pub use result::{ChangeReport, ClassReport, Counts, OpenQueueReport, ParamReport, RunResult};
pub use run::run;
pub use run_evidence::Seen;
pub use table::overview;
pub use table::report as table;

/// A checked scenario.
#[derive(Debug, Clone)]
pub struct PortScenario {
    said: Said,
    /// The number of repetitions. `None` if the scenario has none: then everything is run once, with the seed itself.
    repetitions: Option<u64>,
    /// In the order of the report.
    cells: Vec<Cell>,
    /// The policy that the others are compared with.
    baseline: Option<String>,
    /// Warnings for readers of the result.
    warnings: Vec<String>,
}

/// A policy with one value of each axis.
#[derive(Debug, Clone)]
struct Cell {
    axes: Vec<(String, AxisValue)>,
    /// The number of axes, the last ones, that are within the policy.
    own_axes: usize,
    setting: Arc<Setting>,
    policy: NamedPolicy<Plan>,
    /// Checksum of everything that its runs depend on, except for the seed.
    key: String,
}

/// The common settings of all policies.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The rate of the link.
    pub rate: Rate,
    /// The buffer of the port, if it has one.
    pub buffer: Option<BufferSize>,
    /// The time after which the run ends.
    pub until: Time,
    /// The traffic.
    pub traffic: Traffic,
    /// Whether each packet is written into a detail table.
    pub(crate) records_packets: bool,
    /// Whether the bounds of queues are written into a detail table, window by window.
    pub(crate) records_bounds: bool,
}

impl PortScenario {
    /// Returns the root of all random numbers.
    pub fn seed(&self) -> Seed {
        self.said.seed
    }

    /// Returns the name of the scenario.
    pub fn name(&self) -> &str {
        &self.said.name
    }

    /// Returns the port and the traffic; for a sweep, those of its first value.
    pub fn setting(&self) -> &Setting {
        &self.cells[0].setting
    }

    /// Returns the port and the traffic, if they have no lists of values.
    ///
    /// # Errors If they have lists of values.
    pub fn only_setting(&self) -> Result<&Setting> {
        let first = &self.cells[0];
        let shared = first.axes.len() - first.own_axes;
        match first.axes[..shared].first() {
            None => Ok(&first.setting),
            Some((name, value)) => Err(UserError::new(format!(
                "the scenario has several values of `{name}`; give one, for example {}",
                value.text
            ))),
        }
    }

    /// Returns the number of policies, counting each with each value of its own axes.
    pub fn policies(&self) -> usize {
        let first = &self.cells[0];
        let shared = |cell: &&Cell| Arc::ptr_eq(&cell.setting, &first.setting);
        self.cells.iter().filter(shared).count()
    }

    /// Returns the root of the random numbers of a repetition.
    pub fn seed_of(&self, repetition: u64) -> Seed {
        match self.repetitions {
            None => self.said.seed,
            // The same for every policy and value.
            Some(_) => self.said.seed.part(&format!("study/repetition/{repetition}")),
        }
    }
}
