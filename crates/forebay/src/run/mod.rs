//! The common part of runs of all kinds of scenarios: the folder for finished runs, the part of the runs that a process makes, and the
//! merging of folders.
//!
//! ```
//! use forebay::run::Part;
//!
//! let part: Part = "1/4".parse()?;
//! assert!(part.has_place(5) && !part.has_place(6)); // the second of four shares
//! # Ok::<(), forebay::error::WrongValue>(())
//! ```

mod cell_runs;
mod cost;
mod kind;
mod memory;
mod merge;
mod part;
mod plan_file;
mod run_cache;
mod run_store;
mod runner;
mod scenario_question;

pub(crate) use cell_runs::CellRuns;
pub use cost::Cost;
pub(crate) use kind::{About, Kind, PlannedCell, made, plan};
pub use memory::{Memory, readable as readable_bytes};
pub use merge::{Merged, merge};
pub use part::Part;
pub(crate) use plan_file::{CellAxes, PlanFile, PlannedRun, Said};
pub use run_cache::MadeOnce;
pub(crate) use run_store::{Kept, digits, hex, part as part_of_run};
pub(crate) use runner::{Job, Made, Plan, Results};
pub use scenario_question::Asked;
pub(crate) use scenario_question::Head;

/// The version of forebay with its build id; a kept run is only valid for the same version.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("FOREBAY_BUILD"));
