//! `study.toml`: what is played.

use super::Comparison;
use crate::Experiment;
use forebay::caching::{CapacitySpec, LatencySpec, List};
use forebay::document::{Node, Table, Value};
use forebay::error::Result;
use forebay_cache::{Choice, ChoiceError};

/// What a study plays and compares.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) policies: Vec<StudyPolicy>,
    pub(super) traces: Vec<StudyTrace>,
    /// Whether the classical model is played, too.
    pub(super) classical: bool,
    /// Steps of the search for bounds; `None`: no bounds.
    pub(super) bounds: Option<u32>,
    /// Whether pairs of policies are judged by hit rate and by latency.
    pub(super) pairs: bool,
    /// Whether the sizes of the optimum's formulations are counted.
    pub(super) formulation: bool,
    pub(super) comparisons: Vec<Comparison>,
    /// Those that are looked at object by object.
    pub(super) bursts: Vec<Comparison>,
}

/// A policy with the name that results have.
#[derive(Debug)]
pub(super) struct StudyPolicy {
    pub(super) name: String,
    pub(super) choice: Choice,
}

/// A trace with what is played on it.
#[derive(Debug)]
pub(super) struct StudyTrace {
    /// Its name in the workloads.
    pub(super) name: String,
    pub(super) node: Node,
    pub(super) capacities: Vec<CapacitySpec>,
    pub(super) latencies: Vec<LatencySpec>,
    /// Its first requests that are played; `None`: all.
    pub(super) requests: Option<u64>,
}

const FILE: &str = "study.toml";
const MOST_REQUESTS: u64 = 1 << 30;

impl Study {
    /// The study of an experiment.
    ///
    /// # Errors
    /// Names the line and what is wrong.
    pub(super) fn read(experiment: &Experiment) -> Result<Self> {
        let file = experiment.path(FILE);
        let document = Node::parse(&file, experiment.file(FILE)?)?;
        let top = document.table("the study")?;
        let traces_node = top.require("trace", "[[trace]] with name = \"network\"")?;
        let flag = |key: &'static str| match top.get(key).map(|node| &node.value) {
            None => Ok(false),
            Some(Value::Boolean(flag)) => Ok(*flag),
            Some(_) => Err(top.error(format!("`{key}` must be true or false"))),
        };
        let bounds = top.get("bounds").map(|node| node.integer("bounds", 1, 1_000_000)).transpose()?;
        let study = Self {
            policies: policies(&top)?,
            traces: items(traces_node)?.iter().map(|node| StudyTrace::read(node, &top)).collect::<Result<_>>()?,
            classical: flag("classical")?,
            bounds: bounds.and_then(|steps| u32::try_from(steps).ok()),
            pairs: flag("pairs")?,
            formulation: flag("formulation")?,
            comparisons: comparisons(&top, "compare")?,
            bursts: comparisons(&top, "bursts")?,
        };
        top.finish()?;
        Ok(study)
    }

    /// Whether the policy is looked at object by object.
    pub(super) fn looks_at(&self, policy: &str) -> bool {
        self.bursts.iter().any(|comparison| comparison.policy == policy || comparison.other == policy)
    }
}

impl StudyTrace {
    /// What it does not say itself, the study says for all.
    fn read(node: &Node, top: &Table<'_>) -> Result<Self> {
        let own = node.table("[[trace]]")?;
        let (of_all, of_own) = (["capacity", "latency", "requests"].map(|key| top.get(key)), &own);
        let [capacity, latency, requests] = of_all;
        let needed = |own: Option<&'_ Node>, all: Option<&'_ Node>, key: &str, example: &str| {
            own.or(all).cloned().ok_or_else(|| node.error(format!("there is no `{key}`; add for example `{example}`")))
        };
        let capacity = needed(of_own.get("capacity"), capacity, "capacity", "capacity = \"5%active\"")?;
        let latency = needed(of_own.get("latency"), latency, "latency", "latency = \"100,1000\"")?;
        let requests = of_own.get("requests").or(requests);
        let trace = Self {
            name: own.require("name", "name = \"network\"")?.text("name")?.to_owned(),
            node: node.clone(),
            capacities: parsed::<List<_>>(&capacity, "capacity")?.0,
            latencies: parsed::<List<_>>(&latency, "latency")?.0,
            requests: requests.map(|node| node.integer("requests", 1, MOST_REQUESTS)).transpose()?,
        };
        own.finish()?;
        Ok(trace)
    }
}

/// Those of `policy`; what `parameters` says of one is not part of its name.
fn policies(top: &Table<'_>) -> Result<Vec<StudyPolicy>> {
    let Some(node) = top.get("policy") else { return Ok(Vec::new()) };
    let names: List<Choice> = parsed(node, "policy")?;
    let parameters = top.get("parameters").map(|node| node.table("parameters")).transpose()?;
    let policy = |choice: Choice| {
        let name = choice.to_string();
        let given = parameters.iter().flat_map(Table::rest).find(|(known, _)| *known == name);
        let choice = match given {
            Some((_, node)) => format!("{name}({})", node.text("parameters")?)
                .parse()
                .map_err(|error: ChoiceError| node.error(error))?,
            None => choice,
        };
        Ok(StudyPolicy { name, choice })
    };
    names.0.into_iter().map(policy).collect()
}

fn parsed<T: std::str::FromStr<Err: Into<String>>>(node: &Node, what: &str) -> Result<T> {
    node.text(what)?.parse().map_err(|wrong: T::Err| node.error(wrong))
}

fn items(node: &Node) -> Result<&[Node]> {
    match &node.value {
        Value::Array(items) => Ok(items),
        _ => Err(node.error("this must be a list")),
    }
}

fn comparisons(top: &Table<'_>, key: &'static str) -> Result<Vec<Comparison>> {
    let Some(node) = top.get(key) else { return Ok(Vec::new()) };
    items(node)?.iter().map(|node| parsed(node, key)).collect()
}
