//! What runs of all kinds of scenarios have in common: where finished ones are kept, which part of them a process makes, and how
//! folders are joined.
//!
//! ```
//! use forebay::run::Part;
//!
//! let part: Part = "1/4".parse()?;
//! assert!(part.has_place(5) && !part.has_place(6)); // the second of four shares
//! # Ok::<(), forebay::error::WrongValue>(())
//! ```

mod asked;
mod cell_runs;
mod cost;
mod kept;
mod kind;
mod made_once;
mod memory;
mod merge;
mod part;
mod plan_file;
mod runner;

pub use asked::Asked;
pub(crate) use asked::Head;
pub(crate) use cell_runs::CellRuns;
pub use cost::Cost;
pub(crate) use kept::{Kept, digits, hex, part as part_of_run};
pub(crate) use kind::{About, Kind, PlannedCell, made, plan};
pub use made_once::MadeOnce;
pub use memory::{Memory, readable as readable_bytes};
pub use merge::{Merged, merge};
pub use part::Part;
pub(crate) use plan_file::{CellAxes, PlanFile, PlannedRun, Said};
pub(crate) use runner::{Job, Made, Plan, Results};

/// The version of forebay with its build id: what decides whether a kept run is still one.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("FOREBAY_BUILD"));
