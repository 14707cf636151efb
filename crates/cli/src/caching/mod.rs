//! Cache policies on request traces: what `forebay cache`, `forebay curve` and `forebay
//! bound` do.

mod attribution;
mod bounded;
mod bounds;
mod capacity;
mod compare;
mod curve;
mod latency;
mod list;
mod object_latencies;
mod plan;
mod play;
mod plot;
mod population;
mod programme;
mod reading;
mod report;
mod rows_csv;
mod table;
mod units;

pub(crate) use attribution::{Pair, objects_csv};
pub(crate) use bounds::{Effort, Limits, known, limits, progress_text};
pub(crate) use capacity::CapacitySpec;
pub(crate) use compare::compare;
pub(crate) use curve::{curve_csv, curve_pictures, curve_table, curves};
pub(crate) use latency::LatencySpec;
pub(crate) use list::List;
pub(crate) use plan::Plan;
pub(crate) use plot::plot;
pub(crate) use population::{Population, seen};
pub(crate) use programme::programme;
pub(crate) use reading::Reading;
pub(crate) use rows_csv::rows_csv;
pub(crate) use table::table;
pub(crate) use units::{LatencyValue, capacity_unit, ticks_text, unit};
