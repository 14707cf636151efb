//! `forebay attack --search`: searches for the attack, of any packets, that does the most harm to each policy.
//!
//! The search knows nothing of the policy. The attack found is measured with packets that the search has not seen, next to the attacks in
//! closed form and the published bound. It can be written as a scenario that `forebay attack` runs again.

mod arena;
mod budget;
mod closed_form;
mod confirm;
mod csv;
mod description;
mod options;
mod replay;
mod report;
mod run;
mod table;

pub use budget::{Budget, CpuTime};
pub use csv::report as csv;
pub(super) use options::SearchOptions;
pub use replay::files as replays;
pub use report::SearchReport;
pub use run::run;
pub use table::report as table;
