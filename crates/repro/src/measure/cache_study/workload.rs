//! The traces that studies share: `workloads.toml` in the folder above an experiment.

use super::StudyTrace;
use crate::Experiment;
use forebay::Observer;
use forebay::document::{Node, Value};
use forebay::error::{Result, UserError};
use forebay::requests::RequestTrace;
use forebay_core::convert::index;
use forebay_core::registry::suggest;
use forebay_core::{Clock, Request, Seed};
use forebay_traces::requests::{Collector, Statistics};
use std::path::{Path, PathBuf};

/// All of them.
pub(crate) struct Workloads {
    known: Vec<Known>,
}

struct Known {
    name: String,
    source: Source,
}

enum Source {
    Recipe(String),
    /// A file of the shared data, which may not be there.
    Shared(String),
}

/// A trace in memory.
pub(crate) struct Workload {
    pub requests: Vec<Request>,
    pub(super) clock: Clock,
    pub statistics: Statistics,
    /// Whether it is from a recipe.
    pub(super) made: bool,
}

/// A workload that was asked for.
pub(super) enum Opened {
    Workload(Workload),
    /// This file of the shared data is not there.
    Missing(PathBuf),
}

const FILE: &str = "workloads.toml";
/// How many requests are read at a time.
const CHUNK: usize = 1 << 16;

impl Workloads {
    /// Those that an experiment may name.
    ///
    /// # Errors
    /// Names the line and what is wrong.
    pub(crate) fn read(experiment: &Experiment) -> Result<Self> {
        let (file, text) = experiment.file_beside(FILE)?;
        let document = Node::parse(&file, text)?;
        let top = document.table("the workloads")?;
        let list = top.require("workload", "[[workload]] with name and recipe")?;
        let Value::Array(items) = &list.value else {
            return Err(list.error("workloads are a list: write [[workload]] with two brackets"));
        };
        top.finish()?;
        Ok(Self { known: items.iter().map(Known::read).collect::<Result<_>>()? })
    }

    /// The trace in memory, each object one entry.
    ///
    /// # Errors
    /// If there is no such workload, or it cannot be read.
    pub(super) fn open(&self, trace: &StudyTrace, seed: Seed, observer: &dyn Observer) -> Result<Opened> {
        let Some(known) = self.known.iter().find(|known| known.name == trace.name) else {
            let names = self.known.iter().map(|known| known.name.as_str());
            return Err(trace.node.error(format!("unknown workload `{}`{}", trace.name, suggest(&trace.name, names))));
        };
        let (path, made) = match &known.source {
            Source::Recipe(recipe) => (PathBuf::from(recipe), true),
            Source::Shared(file) => (shared().join(file), false),
        };
        if !made && !path.exists() {
            return Ok(Opened::Missing(path));
        }
        let request_trace = RequestTrace::new(&path, None)?.with_seed(seed.0);
        let limit = trace.requests.map_or(usize::MAX, index);
        load(&request_trace, limit, made, observer).map(Opened::Workload)
    }
}

impl Workloads {
    /// The first requests of a workload that has a recipe.
    ///
    /// # Errors
    /// If there is no such workload.
    pub(crate) fn made(&self, name: &str, requests: usize, seed: Seed, observer: &dyn Observer) -> Result<Workload> {
        let known = self.known.iter().find(|known| known.name == name);
        let Some(Known { source: Source::Recipe(recipe), .. }) = known else {
            return Err(UserError::at(FILE, format!("there is no recipe `{name}`")));
        };
        let trace = RequestTrace::new(Path::new(recipe), None)?.with_seed(seed.0);
        load(&trace, requests, true, observer)
    }
}

impl Known {
    fn read(node: &Node) -> Result<Self> {
        let table = node.table("[[workload]]")?;
        let name = table.require("name", "name = \"network\"")?.text("name")?.to_owned();
        let text = |key| table.get(key).map(|node| Ok::<_, UserError>(node.text(key)?.to_owned())).transpose();
        let source = match (text("recipe")?, text("shared")?) {
            (Some(recipe), None) => Source::Recipe(recipe),
            (None, Some(file)) => Source::Shared(file),
            _ => return Err(node.error("a workload has either a `recipe` or a file, `shared`")),
        };
        table.finish()?;
        Ok(Self { name, source })
    }
}

/// Data that lies beside the project, or where FOREBAY_SHARED says.
fn shared() -> PathBuf {
    std::env::var_os("FOREBAY_SHARED").map_or_else(|| Path::new("..").join("shared"), PathBuf::from).join("data")
}

fn load(trace: &RequestTrace, limit: usize, made: bool, observer: &dyn Observer) -> Result<Workload> {
    let mut reader = trace.open()?;
    let mut requests = Vec::new();
    while requests.len() < limit
        && observer.goes_on()
        && reader.fill(&mut requests, CHUNK).map_err(|error| trace.error(error))?
    {}
    requests.truncate(limit);
    requests.iter_mut().for_each(|request| request.size = 1);
    let mut collector = Collector::default();
    collector.add(&requests);
    let facts = reader.facts();
    Ok(Workload { statistics: collector.finish(facts), clock: facts.clock, requests, made })
}
