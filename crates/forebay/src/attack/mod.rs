//! Scenarios with `[processor]`, `[innocent]` and `[attack]`: how much innocent traffic does an attacker displace under each policy, per
//! bit sent?
//!
//! Every policy gets the same innocent packets, with every attack and without one. Each repetition has other packets, so that each number
//! has a confidence interval. `docs/attack.md` is the guide, `docs/scenario.md` describes the file and `docs/result.md` the result.
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Answer, Changes, Question, Session};
//!
//! let scenario = r#"
//!     repetitions = 2
//!     processor = { buffer = "100 packets" }
//!     innocent = { rate = "9 Gbps", size_bytes = 1250, job_ns = 1000, packets = 2000 }
//!     attack = { rate = ["100 Mbps", "1 Gbps"], max_job = "10 us" }
//!     policy = [{ name = "WSJF", rank = "job-ratio", queue = "pifo", drop = "worst-first" }]
//! "#;
//! let question = Question::parse("attack", scenario, &Embedded, &Changes::default())?;
//! let Answer::Attack(report) = question.run(&Session::default())? else { unreachable!("it has an attack") };
//! assert_eq!((report.results.len(), report.worst[0].holds), (2, Some(true)));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod application;
mod below_watermark;
mod bound;
mod cost;
mod file_paths;
mod plan;
mod plot;
mod read;
mod read_attack;
mod read_innocent;
mod read_suspected;
mod report;
mod run;
mod run_result;
mod scenario;
pub mod search;
mod table;

pub(crate) use cost::costs;
pub use file_paths::find_from_anywhere;
pub use plan::Found;
pub use plot::pictures;
pub(crate) use read::is_attack;
pub use report::{AttackReport, Row, Settings, Worst};
pub(crate) use run::run;
pub(crate) use run_result::Attacked;
pub use scenario::AttackScenario;
pub use table::report as table;

/// The scenario that `forebay attack` runs by default.
pub const EXAMPLE: &str = include_str!("../../attack/example.toml");
