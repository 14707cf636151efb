//! The common part of several kinds of scenarios: policies, traffic, and the files that they name.

mod arrivals;
mod baseline;
mod detail_selection;
mod distribution;
mod file_sums;
mod input_paths;
mod node_links;
mod optimal_bounds;
mod oq;
mod own;
mod packet_properties;
mod plan;
mod policy;
mod ranks;
mod traffic;
mod tree;

use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use forebay_core::{BufferSize, Duration, Rate, Seed};
use forebay_traces::requests::HeldRequests;
use std::path::{Path, PathBuf};

pub(crate) use baseline::{baseline, merged_baseline, unknown_policy};
pub(crate) use detail_selection::{recorded_of, warn_if_lost};
pub use distribution::distribution;
pub(crate) use file_sums::{Asked, Summed};
pub(crate) use input_paths::{Noted, refuse_overwriting};
pub use node_links::NodeLinks;
pub(crate) use optimal_bounds::key_probabilities;
pub use oq::{EngineKind, OqPlan};
pub use own::{OpenSource, Own, OwnSource};
pub use packet_properties::Offered;
pub use plan::{Plan, Sinks, discipline, flow_discipline, marking, tree as tree_discipline};
pub use policy::{NamedPolicy, label, param, param_error};
pub use ranks::named_rank;
pub use traffic::{Traffic, TrafficKind, trace_error};
pub(crate) use traffic::{filter, ip_header};

/// The seed where none is given.
const DEFAULT_SEED: u64 = 1;

/// Opens the files that a scenario names.
pub trait Files {
    /// The content of the file that the scenario calls `name`.
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)>;

    /// The path of the file, for files that are read more than once.
    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(name)
    }

    /// Requests that a program holds in memory under this name, in place of a file.
    fn requests(&self, name: &str) -> Option<HeldRequests> {
        let _ = name;
        None
    }

    /// The algorithms that a program brings along.
    fn own(&self) -> &Own {
        Own::nothing()
    }
}

/// Files with paths relative to the working folder.
pub struct Here;

impl Files for Here {
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        let file = std::fs::File::open(name).map_err(|error| UserError::io(Path::new(name), "opened", &error))?;
        Ok((name.to_owned(), Box::new(file)))
    }
}

/// Files with paths relative to the folder of the scenario.
pub struct Beside<'a>(pub &'a Path);

impl Beside<'_> {
    /// Returns the path of the file that the scenario calls `name`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.parent().unwrap_or(Path::new("")).join(name)
    }
}

impl Files for Beside<'_> {
    fn open(&self, name: &str) -> Result<(String, Box<dyn std::io::Read + Send + '_>)> {
        let path = self.path(name);
        let file = std::fs::File::open(&path).map_err(|error| UserError::io(&path, "opened", &error))?;
        Ok((path.display().to_string(), Box::new(file)))
    }

    fn path(&self, name: &str) -> PathBuf {
        Beside::path(self, name)
    }
}

/// Facts about the port that a policy can know.
pub struct PortNode<'a> {
    /// The rate of the link.
    pub rate: Rate,
    /// The buffer, with its place, for policies that have none of their own; policies in OpenQueue need none.
    pub buffer: Option<(BufferSize, &'a Node)>,
    /// The place of the port in the file.
    pub node: &'a Node,
    /// The port's name in the scenario.
    pub what: &'static str,
    /// The name of a policy's table in the scenario.
    pub policy: &'static str,
    /// The node of a network that has the port: a policy with several ports is for all links of a node.
    pub at: Option<NodeLinks<'a>>,
}

impl<'a> PortNode<'a> {
    /// Returns the buffer of a policy, and its place: its `own`, or the port's.
    pub fn buffer(&self, own: Option<&'a Node>) -> Result<(BufferSize, &'a Node)> {
        match own {
            Some(node) => Ok((quantity(node, "buffer", BufferSize::parse)?, node)),
            None => self
                .buffer
                .ok_or_else(|| self.node.error(format!("{} has no `buffer`; add buffer = \"80 packets\"", self.what))),
        }
    }
}

/// Reads the name and the seed of a scenario. `seed` replaces the seed in the scenario.
pub fn name_and_seed(top: &Table<'_>, default_name: &str, seed: Option<u64>) -> Result<(String, Seed)> {
    if let Some(node) = top.get("scheme") {
        return Err(node.error("write [[policy]] in place of [[scheme]], as in all kinds of scenarios"));
    }
    if let Some(node) = top.get("seeds") {
        return Err(node.error("write `repetitions` in place of `seeds`, as in all kinds of scenarios"));
    }
    let name = top.get("name").map_or(Ok(default_name), |node| match node.text("name")? {
        text if text.trim().is_empty() || text.contains(char::is_control) => {
            Err(node.error("`name` must not be empty, and must have no control characters"))
        }
        text => Ok(text),
    })?;
    let name = name.to_owned();
    let given = top.get("seed").map_or(Ok(DEFAULT_SEED), |node| node.integer("seed", 0, i64::MAX as u64))?;
    Ok((name, Seed(seed.unwrap_or(given))))
}

/// Reads the number of repetitions, each with other random numbers.
pub fn repetitions(top: &Table<'_>, default: u64, most: u64) -> Result<u64> {
    top.get("repetitions").map_or(Ok(default), |node| node.integer("repetitions", 1, most))
}

/// Rejects `repetitions` in the table of a kind of scenario.
pub fn refuse_inner_repetitions(table: &Table<'_>) -> Result<()> {
    table.get("repetitions").map_or(Ok(()), |node| {
        Err(node.error("write `repetitions` at the top of a scenario, beside `seed`, not in a table"))
    })
}

/// Reads a duration that is not zero.
pub fn positive(node: &Node, what: &str) -> Result<Duration> {
    match quantity(node, what, Duration::parse)? {
        Duration::ZERO => Err(node.error(format!("`{what}` must be above 0, for example \"10 ms\""))),
        duration => Ok(duration),
    }
}

/// Reads a quantity that is written as a text with a unit.
pub fn quantity<T>(
    node: &Node,
    what: &str,
    parse: impl Fn(&str) -> std::result::Result<T, forebay_core::UnitError>,
) -> Result<T> {
    match &node.value {
        Value::Array(_) | Value::Table(_) => {
            return Err(node.error(format!("`{what}` must be one quantity with its unit, not a {}", node.kind())));
        }
        Value::Text(text) => parse(text),
        // A bare number gets the same advice as a text without unit.
        _ => parse(&node.shown()),
    }
    .map_err(|error| node.error(format!("`{what}`: {error}")))
}
