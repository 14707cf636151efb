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

pub use attribution::{Pair, objects_csv};
pub use bounds::{Effort, Limits, known, limits, progress_text};
pub use capacity::CapacitySpec;
pub use compare::compare;
pub use curve::{curve_csv, curve_pictures, curve_table, curves};
pub use latency::LatencySpec;
pub use list::List;
pub use plan::Plan;
pub use plot::plot;
pub use population::{Population, seen};
pub use programme::programme;
pub use reading::Reading;
pub use rows_csv::rows_csv;
pub use table::table;
pub use units::{LatencyValue, capacity_unit, ticks_text, unit};
