//! Cache policies on request traces: scenarios with `[cache]`, `[curve]` or `[bound]`. The commands `forebay cache`, `forebay curve` and
//! `forebay bound` are short forms of such scenarios.
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Answer, Changes, Question, Session};
//!
//! let scenario = r#"
//!     cache = { trace = "zipf:objects=1e3,requests=2e4,skew=0.9", capacity = [32, 64], latency = 1000 }
//!     policy = [{ name = "lru" }, { name = "lru-mad" }]
//! "#;
//! let question = Question::parse("caches", scenario, &Embedded, &Changes::default())?;
//! let Answer::Cache(report) = question.run(&Session::default())? else { unreachable!("it has a cache") };
//! let [small, .., large] = &report.results[..] else { unreachable!("two capacities") };
//! assert!(large.mean("mean_latency") < small.mean("mean_latency"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod attribution;
mod bound_report;
mod bounds;
mod capacity;
mod cell_numbers;
mod chained;
mod choices;
mod curve;
mod defaults;
mod estimates;
mod future;
mod job;
mod latency;
mod lifetime;
mod list;
mod measured;
mod object_latencies;
mod object_rows;
mod outcome;
mod pairwise;
mod pass;
mod per_user;
mod pictures;
mod population;
mod prefetch;
mod programme;
mod read;
mod reading;
mod report;
mod request_rows;
mod run;
mod scenario;
pub(crate) mod scenario_values;
mod schedule;
mod schedule_field;
mod schedule_file;
mod schedule_rows;
mod service;
mod slow_policies;
mod slow_start;
mod spread;
mod table;
#[cfg(test)]
mod tests;
mod units;
mod verdict;
mod watch;

pub(crate) use attribution::files as attribution_files;
pub use attribution::{Attribution, Group, Object, Pair, Window};
pub use bound_report::{BoundReport, BoundRow, bound_table};
pub use bounds::Limits;
pub(crate) use bounds::{BesideBound, BestSchedule, LowerBound};
pub use capacity::CapacitySpec;
pub use chained::PageNumbers;
pub use curve::{Curve, CurvePoint, CurveReport, CurveTrace, curve_pictures, curve_table};
pub use defaults::{default_policies, default_sample};
pub use estimates::Estimates;
pub use latency::LatencySpec;
pub use list::List;
pub(crate) use list::whole;
pub(crate) use object_rows::OBJECTS;
pub use outcome::{MissRatio, Numbers, Point};
pub use pairwise::Pairwise;
pub use pictures::pictures;
pub use population::Population;
pub(crate) use read::is_caching;
pub use reading::Reading;
pub use report::{Bounded, CacheReport, CacheSettings, Place, Row, TraceReport};
pub(crate) use request_rows::REQUESTS;
pub(crate) use run::costs;
pub use run::run;
pub use scenario::{CacheScenario, Study};
pub(crate) use schedule_rows::SCHEDULE;
pub use spread::Spread;
pub use table::{BEST_SCHEDULE, LOWER_BOUND, SCHEDULE_OF_FILE, table};
pub use units::LatencyValue;
pub use verdict::{Difference, Verdict};
