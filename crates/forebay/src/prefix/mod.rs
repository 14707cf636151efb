//! `forebay prefix`: policies of the prefix cache of a language model, on a trace of prompts.
//!
//! ```
//! use forebay::prefix::{self, Setting};
//!
//! let setting = Setting { blocks: vec![200], ..Setting::new("conversations:prompts=300") };
//! let report = prefix::run(&setting)?;
//! println!("{}", prefix::table(&report));
//! let best = report.bounds[0].hit_blocks_most;
//! assert!(report.results.iter().all(|row| row.hit_blocks <= best));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod blocks;
mod csv;
mod prompts;
mod report;
mod run;
mod setting;
mod table;

pub use blocks::Blocks;
pub use csv::csv;
pub use report::{Bounds, Gap, PrefixReport, Row, Trace};
pub use run::run;
pub use setting::{Fetch, Setting};
pub use table::table;
