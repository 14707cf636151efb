//! One file per subcommand.

pub(crate) mod advise;
pub(crate) mod attack;
mod attack_search;
pub(crate) mod bound;
pub(crate) mod cache;
mod cache_scenario;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod completions;
pub(crate) mod conform;
#[cfg(target_os = "linux")]
pub(crate) mod ctl;
pub(crate) mod curve;
pub(crate) mod demo;
#[cfg(target_os = "linux")]
pub(crate) mod deploy;
mod dry_run;
pub(crate) mod explain;
mod explain_field;
mod explain_policy;
pub(crate) mod fmt;
pub(crate) mod list;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod merge;
#[cfg(not(target_os = "linux"))]
mod needs_linux;
pub(crate) mod play;
pub(crate) mod plot;
pub(crate) mod prefix;
mod report;
pub(crate) mod repro;
pub(crate) mod run;
pub(crate) mod schema;
#[cfg(target_os = "linux")]
pub(crate) mod switch;
#[cfg(target_os = "linux")]
mod switch_table;
pub(crate) mod trace;
mod trace_cut;
pub(crate) mod trace_requests;
mod trace_worst;
pub(crate) mod verify;

#[cfg(not(target_os = "linux"))]
pub(crate) use needs_linux::{ctl, deploy, switch};
