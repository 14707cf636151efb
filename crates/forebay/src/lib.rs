//! forebay decides for a network element which packet waits, which is dropped, which is sent next, and which state is cached. With this
//! library, a program or a notebook can use all functions of the command.
//!
//! A [`Question`] is a scenario, read from a file or a text and checked. [`Question::run`] returns an [`Answer`], which is a table, CSV,
//! JSON or pictures, and has its numbers in public fields. A [`Session`] holds the number of threads, the place for finished runs, and the
//! [`Observer`] that watches a run and may stop it. The library reads no clock, opens no terminal, has no global state and never exits. A
//! [`UserError`] names file and line, and says what to write instead.
//!
//! # Two policies on a recording
//!
//! ```
//! use forebay::demo::Embedded; // opens mixed.pcap, a recording that is part of the library
//! use forebay::{Answer, Changes, Question, Session};
//!
//! let scenario = r#"
//!     port = { rate = "20 Mbps", buffer = "200 packets" }
//!     traffic = { trace = "mixed.pcap" }
//!     policy = [{ rank = "arrival", queue = "fifo" }, { rank = "srpt", queue = "pifo" }]
//! "#;
//! let question = Question::parse("two policies", scenario, &Embedded, &Changes::default())?;
//! let answer = question.run(&Session::default())?;
//! println!("{}", answer.table());
//! let Answer::Port(report) = answer else { unreachable!("the scenario has a port") };
//! let [fifo, srpt] = &report.results[..] else { unreachable!("it has two policies") };
//! assert!(srpt.runs[0].counts.packets_dropped < fifo.runs[0].counts.packets_dropped);
//! # Ok::<(), forebay::UserError>(())
//! ```
//!
//! # Two caches on a trace
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Answer, Changes, Question, Session};
//!
//! // A file's name would do as well; capacities are entries here, and latencies slots.
//! let scenario = r#"
//!     cache = { trace = "zipf:objects=1e3,requests=2e4,skew=0.9", capacity = 64, latency = 1000 }
//!     policy = [{ name = "lru" }, { name = "lru-mad" }]
//! "#;
//! let question = Question::parse("two caches", scenario, &Embedded, &Changes::default())?;
//! let answer = question.run(&Session::default())?;
//! println!("{}", answer.table());
//! assert!(answer.is_complete());
//! # Ok::<(), forebay::UserError>(())
//! ```
//!
//! # Two policies in a network
//!
//! ```
//! use forebay::demo::Embedded;
//! use forebay::{Changes, Question, Session};
//!
//! let scenario = r#"
//!     network = { topology = { name = "star", hosts = 4 }, duration = "2 ms" }
//!     workload = [{ sizes = { name = "fixed", bytes = 20000 }, load = 0.6 }]
//!     policy = [
//!         { transport = "newreno", port = { rank = "arrival", queue = "fifo", buffer = "100 packets" } },
//!         { transport = "dctcp", port = { rank = "arrival", queue = "fifo", buffer = "100 packets", mark = { name = "threshold", packets = 20 } } },
//!     ]
//! "#;
//! let question = Question::parse("two policies", scenario, &Embedded, &Changes::default())?;
//! let answer = question.run(&Session::default())?;
//! assert!(answer.csv().lines().count() > 2 && answer.is_complete());
//! # Ok::<(), forebay::UserError>(())
//! ```

pub mod advice;
mod answer;
pub mod attack;
pub mod caching;
pub mod catalogue;
pub mod comparison;
pub mod demo;
mod detail;
pub mod disk;
pub mod document;
pub mod error;
pub mod fields;
pub mod figure;
pub mod frame;
mod headline;
mod metric;
pub mod network;
mod observer;
mod op_streams;
pub mod openqueue;
pub mod output;
pub mod picture;
mod plausibility;
pub mod port;
pub mod prefix;
pub mod question;
pub mod report_page;
pub mod requests;
pub mod result_schema;
pub mod run;
pub mod scenario;
mod session;
pub mod statistics;
pub mod sweep;

pub use answer::Answer;
pub use error::{Result, UserError};
pub use observer::{Cancel, Meter, Observer, Silent, Unit};
pub use question::{Changes, Question};
pub use session::Session;
