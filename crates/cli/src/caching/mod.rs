//! Cache policies on request traces: what `forebay cache` does.

mod attribution;
mod capacity;
mod compare;
mod curve;
mod latency;
mod list;
mod plan;
mod play;
mod report;
mod table;

pub(crate) use attribution::{Pair, objects_csv};
pub(crate) use capacity::{CapacitySpec, Population};
pub(crate) use compare::compare;
pub(crate) use curve::{curve_csv, curve_table, curves};
pub(crate) use latency::LatencySpec;
pub(crate) use list::List;
pub(crate) use plan::Plan;
pub(crate) use report::csv;
pub(crate) use table::{table, ticks_text, unit};
