//! An application whose jobs are studied, in place of jobs that are drawn: `application` in `[innocent]`.

mod from_recipe;
mod matcher;
mod own_attack;
mod reassembly;

pub(super) use own_attack::OwnAttack;

use crate::document::{Node, Table};
use crate::error::Result;
use crate::scenario::{Files, quantity};
use forebay_core::Duration;
use forebay_core::registry::find;
use forebay_sim::attack::applications::matcher::{self as matchers, Matching};
use forebay_sim::attack::applications::tcp::{self, Reassembly};
use forebay_sim::attack::applications::{APPLICATIONS, ApplicationEntry, Attackable, Workload};
use std::sync::Arc;

/// Reads the parameters of an application; the caller finishes the table.
type Read = fn(&Table<'_>, &dyn Files) -> Result<(Kind, Innocents)>;

/// Applications whose parameters are more than texts and numbers: files, and distributions.
const OWN_READERS: [(&str, Read); 2] =
    [(tcp::ENTRY.about.name, reassembly::read), (matchers::ENTRY.about.name, |table, _| matcher::read(table))];
/// The largest cost, so that no sum of costs reaches the end of the clock.
const MAX_COST: Duration = Duration::from_ms(1_000);

/// An application with its innocent inputs.
#[derive(Debug, Clone)]
pub(super) struct Application {
    entry: &'static ApplicationEntry,
    kind: Kind,
    /// The number of innocent flows: those that send at the same time, or those of a recording.
    pub(super) flows: u32,
    /// The name of the gaps between innocent packets in results.
    pub(super) gaps: &'static str,
    /// Warnings about a recording, for people.
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Clone)]
enum Kind {
    Reassembly(Box<Reassembly>),
    Matcher(Box<Matching>),
    Made(Arc<dyn Attackable>),
}

/// The facts about innocents from an application's own reader.
struct Innocents {
    flows: u32,
    gaps: &'static str,
    warnings: Vec<String>,
}

impl Application {
    /// Reads `application`, a field of `innocent`.
    pub(super) fn read(node: &Node, innocent: &Table<'_>, files: &dyn Files) -> Result<Self> {
        let whole = node.with_parameters("application")?;
        let table = whole.table("`application`")?;
        let name_node = table.require("name", "name = \"tcp-reassembly\"")?;
        let name = name_node.text("name")?;
        let entry = find("application", APPLICATIONS, name).map_err(|error| name_node.error(error))?;
        for field in ["size_bytes", "job_ns", "jobs", "gaps", "flows"] {
            if let Some(node) = innocent.get(field) {
                return Err(node.error(format!(
                    "`{field}` is for random jobs, but `application` makes its own jobs; leave `{field}` out, or see which parameters \
                     {name} has"
                )));
            }
        }
        let own = OWN_READERS.into_iter().find(|(known, _)| *known == entry.about.name);
        match (entry.make, own) {
            (Some(make), _) => from_recipe::read(&whole, &table, entry, make),
            (None, Some((_, read))) => {
                let (kind, Innocents { flows, gaps, warnings }) = read(&table, files)?;
                table.finish()?;
                Ok(Self { entry, kind, flows, gaps, warnings })
            }
            (None, None) => Err(name_node.error(format!("scenarios cannot read `{name}`"))),
        }
    }

    /// Returns the application's name in scenarios and results.
    pub(super) fn name(&self) -> &'static str {
        self.entry.about.name
    }

    /// Returns the application without an attack.
    pub(super) fn workload(&self) -> Arc<dyn Workload> {
        match &self.kind {
            Kind::Reassembly(reassembly) => Arc::new((**reassembly).clone()),
            Kind::Matcher(matching) => Arc::new((**matching).clone()),
            Kind::Made(made) => Arc::clone(made).workload(),
        }
    }

    /// Returns the largest job that a packet can make, if there is one.
    pub(super) fn max_work(&self) -> Option<Duration> {
        match &self.kind {
            Kind::Reassembly(reassembly) => Some(reassembly.reassembler.max_work()),
            Kind::Matcher(_) => None,
            Kind::Made(made) => Some(made.max_work()),
        }
    }
}

/// A cost like `"4 ns"`, which may be none.
fn cost(table: &Table<'_>, key: &'static str, default: Duration) -> Result<Duration> {
    let Some(node) = table.get(key) else { return Ok(default) };
    match quantity(node, key, Duration::parse)? {
        cost if cost <= MAX_COST => Ok(cost),
        _ => Err(node.error(format!("`{key}` must be at most {MAX_COST}"))),
    }
}
