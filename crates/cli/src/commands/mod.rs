//! One file per subcommand.

pub(crate) mod attack;
mod attack_search;
pub(crate) mod bound;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod completions;
pub(crate) mod ctl;
pub(crate) mod curve;
pub(crate) mod demo;
pub(crate) mod explain;
mod explain_network;
mod explain_policy;
pub(crate) mod fmt;
pub(crate) mod list;
pub(crate) mod lsp;
pub(crate) mod man;
mod network;
mod reported;
pub(crate) mod repro;
pub(crate) mod run;
mod study;
pub(crate) mod switch;
mod switch_table;
pub(crate) mod trace;
pub(crate) mod trace_requests;
