//! Workloads: the start times of flows, their senders, receivers and sizes.
//!
//! A [`Recipe`] combines three independent parts: [sizes](size), [`Arrivals`] and a [pattern] of senders and receivers. [`Generator`] draws
//! its flows; each of the three draws from a stream of its own, so a change of the sizes does not change arrivals and pairs. [`read_flows`]
//! replays flows from a file instead, and [`Merge`] joins several sources.
//!
//! ```
//! use forebay_core::{Duration, Params, Rate, Seed, Time};
//! use forebay_sim::net::workload::{Arrivals, Generator, Hosts, Intensity, Recipe, pattern, size};
//! use forebay_sim::net::{FlowSource, Graph, NodeKind};
//!
//! let mut graph = Graph::default();
//! let switch = graph.add_node("s", NodeKind::Switch, 0);
//! for name in ["a", "b", "c"] {
//!     let host = graph.add_node(name, NodeKind::Host, 0);
//!     graph.connect(host, switch, Rate::parse("10 Gbps")?, Duration::from_us(1));
//! }
//! let hosts = Hosts::of(&graph)?;
//! let seed = Seed(1);
//! let size = size::find("web-search")?;
//! let pattern = pattern::find("all-to-all")?;
//! let workload = Recipe {
//!     number: 0,
//!     sizes: size.build(&Params::defaults(size.about.params), None)?,
//!     pattern: (pattern.build)(&Params::defaults(pattern.about.params), &hosts, seed)?,
//!     arrivals: Arrivals::Poisson(Intensity::Load { load: 0.6, wire_overhead: 1500.0 / 1460.0 }),
//!     start: Time::ZERO,
//!     duration: Some(Duration::from_ms(10)),
//!     flows: None,
//! };
//! let mut flows = Generator::new(workload, &hosts, seed)?;
//! while let Some(flow) = flows.next_flow() {
//!     assert!(flow.src != flow.dst && flow.bytes >= 1);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrivals;
mod cdf_file;
mod flow_sizes;
mod generator;
mod hosts;
mod merge;
mod pairs_at_arrivals;
#[path = "pattern/registry.rs"]
pub mod pattern;
mod replay;
#[path = "size/registry.rs"]
pub mod size;
mod size_table;

pub use arrivals::{Arrivals, Intensity};
pub use cdf_file::read_cdf;
pub use generator::{Generator, Recipe};
pub use hosts::{HostNames, HostNumbers, Hosts, UnknownHost, UnknownRack};
pub use merge::Merge;
pub use replay::{Replay, read_flows};
pub use size_table::SizeTable;
