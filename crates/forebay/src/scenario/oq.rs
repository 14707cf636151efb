//! A policy of a scenario that is an OpenQueue file: `policy = "lqd.oq"`.

use super::node_links::{LINKS, check_change};
use super::policy::{NamedPolicy, label};
use super::{Files, NodeLinks, Offered, Plan, PortNode, positive};
use crate::document::{Node, Table, Value};
use crate::error::Result;
use forebay_core::{Duration, Field, QueueId, Rate, Time};
use forebay_engine::Transition;
use forebay_lang::ir::PacketField;
use forebay_lang::render::{Style, render_sources};
use forebay_lang::{Overrides, Policy as Checked, Sources, ValueError};
use std::io::Read as _;
use std::path::Path;

/// A policy in OpenQueue, with its changes.
#[derive(Debug, Clone)]
pub struct OqPlan {
    /// The policy's file.
    pub file: String,
    /// The policy's first version.
    pub policy: Checked,
    /// The policy's changes with their times, in order of time.
    pub changes: Vec<PlannedChange>,
    /// The engine that runs the policy.
    pub engine: EngineKind,
    /// The rate of the link of each port.
    pub link_rates: Vec<Rate>,
    /// Whether one instance serves all links of a host or switch.
    pub is_of_node: bool,
}

/// A change at a given time.
#[derive(Debug, Clone)]
pub struct PlannedChange {
    pub at: Time,
    pub file: String,
    pub policy: Checked,
    pub transition: Transition,
}

/// An engine that runs policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// On rank queues.
    Fast,
    /// Word by word as the semantics say.
    Reference,
}

impl EngineKind {
    const ALL: [Self; 2] = [Self::Fast, Self::Reference];

    /// Returns the engine's name in scenarios and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Reference => "reference",
        }
    }
}

/// Where a version of a policy comes from.
struct Source {
    file: String,
    sources: Sources,
    params: Overrides,
    /// The number of links of the node, if the policy may be for all of them.
    links: Option<usize>,
    /// Whether a param is that number.
    counts_links: bool,
}

/// Reads and checks the `[[policy]]` whose `policy` is `file_node`.
pub(super) fn read(
    file_node: &Node,
    table: &Table<'_>,
    port: &PortNode<'_>,
    offered: &Offered,
    files: &dyn Files,
) -> Result<NamedPolicy<Plan>> {
    for key in ["rank", "tree", "queue", "drop", "buffer", "rank_unit"] {
        if let Some(node) = table.get(key) {
            let message = format!("a policy in OpenQueue defines `{key}` itself; write params = {{ ... }}");
            return Err(node.error(message));
        }
    }
    let links = port.at.map(|at| at.rates.len());
    let source = Source::open(file_node, files, links)?.with_params(table.get("params"))?;
    let policy = source.check(file_node)?;
    if let (Some(_), Some(inside)) = (port.at, leads_on(&policy)) {
        return Err(file_node.error(format!(
            "port `{inside}` of {} leads into queues of a later stage (`next`), which links of a network do not run; play it with \
             [port]",
            source.file
        )));
    }
    let node_links = port.at.filter(|_| source.counts_links || policy.ports.len() > 1);
    let link_rates = node_links.map_or_else(|| vec![port.rate; policy.ports.len()], |at| at.rates.to_vec());
    let offered = &match node_links {
        Some(_) => Offered { fields: offered.fields.with(Field::Queue), ..offered.clone() },
        None => offered.clone(),
    };
    if let Some(at) = node_links {
        at.check(file_node, port.what, &source.file, &policy)?;
    }
    check_needs(file_node, &source.file, &policy, offered)?;
    let engine = table.get("engine").map_or(Ok(EngineKind::Fast), engine)?;
    let name = match table.get("name") {
        Some(node) => label(node)?,
        None => {
            Path::new(&source.file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
        }
    };
    let changes_node = table.get("changes");
    let file = source.file.clone();
    let versions = Versions { first: &policy, port, node_links, offered, files };
    let changes = changes_node.map_or(Ok(Vec::new()), |node| versions.read(node, source))?;
    table.finish()?;
    let plan = OqPlan { file, policy, changes, engine, link_rates, is_of_node: node_links.is_some() };
    Ok(NamedPolicy { name, discipline: Plan::OpenQueue(Box::new(plan)) })
}

impl Source {
    fn open(node: &Node, files: &dyn Files, links: Option<usize>) -> Result<Self> {
        let read = |name: &str| -> std::result::Result<(String, String), String> {
            let (file, mut input) = files.open(name).map_err(|error| error.to_string())?;
            let mut text = String::new();
            input.read_to_string(&mut text).map_err(|error| format!("{file}: cannot be read: {error}"))?;
            Ok((file, text))
        };
        let name = node.text("policy")?;
        let (file, text) = read(name).map_err(|error| node.error(error))?;
        let sources = Sources::read(name, &text, &|path| read(path).map(|(_, text)| text)).called(&file);
        Ok(Self { file, sources, params: Overrides::new(), links, counts_links: false })
    }

    /// Adds params, and replaces existing ones.
    fn with_params(mut self, node: Option<&Node>) -> Result<Self> {
        let Some(node) = node else { return Ok(self) };
        for (name, node) in node.table("params")?.rest() {
            let text = match (&node.value, self.links) {
                (Value::Text(text), Some(links)) if text == LINKS => {
                    self.counts_links = true;
                    links.to_string()
                }
                (Value::Text(text), None) if text == LINKS => {
                    return Err(node.error(format!(
                        "param `{name}`: \"{LINKS}\" is the number of links of a switch in a [network]; here give a number, such as 4"
                    )));
                }
                (Value::Text(text), _) => text.clone(),
                _ => node.shown(),
            };
            let value = text.parse().map_err(|error: ValueError| node.error(format!("param `{name}`: {error}")))?;
            self.params.retain(|(given, _)| given != name);
            self.params.push((name.to_owned(), value));
        }
        Ok(self)
    }

    fn check(&self, node: &Node) -> Result<Checked> {
        checked(&self.file, &self.sources, &self.params).map_err(|Mistakes(text)| node.error(text))
    }
}

fn engine(node: &Node) -> Result<EngineKind> {
    let given = node.text("engine")?;
    let found = EngineKind::ALL.into_iter().find(|engine| engine.name() == given);
    found.ok_or_else(|| node.error(format!("`engine` must be \"fast\" or \"reference\", not `{given}`")))
}

/// The common part of the versions of a policy.
struct Versions<'a> {
    first: &'a Checked,
    port: &'a PortNode<'a>,
    /// If one instance serves all links of a node.
    node_links: Option<NodeLinks<'a>>,
    offered: &'a Offered,
    files: &'a dyn Files,
}

impl Versions<'_> {
    /// `changes = [{ at = "1 ms", policy = "other.oq", params = { B = 64 }, transition = "rerank" }]`
    fn read(&self, list: &Node, mut source: Source) -> Result<Vec<PlannedChange>> {
        let Value::Array(items) = &list.value else {
            return Err(list.error("`changes` must be a list: changes = [{ at = \"1 ms\", params = { B = 64 } }]"));
        };
        let mut last = Duration::ZERO;
        let mut changes = Vec::new();
        for node in items {
            let table = node.table("a change")?;
            let at_node = table.require("at", "at = \"1 ms\"")?;
            let at = positive(at_node, "at")?;
            if at < last {
                return Err(
                    at_node.error("changes must be in order of time; this one is earlier than the one above it")
                );
            }
            last = at;
            let file_node = table.get("policy");
            if let Some(node) = file_node {
                source = Source::open(node, self.files, source.links)?;
            }
            source = source.with_params(table.get("params"))?;
            let place = file_node.unwrap_or(node);
            if source.counts_links && self.node_links.is_none() {
                return Err(place.error(format!(
                    "\"{LINKS}\" is for a policy at all links of a switch, and the first version stands at each link; give a number"
                )));
            }
            let policy = source.check(place)?;
            check_needs(place, &source.file, &policy, self.offered)?;
            if let Some(inside) = leads_on(self.first).or_else(|| leads_on(&policy)) {
                return Err(place.error(format!(
                    "a policy with stages is not changed while it runs, and port `{inside}` leads into queues of a later stage \
                     (`next`); leave `changes` out"
                )));
            }
            self.check_ports(place, &source.file, &changes, &policy)?;
            let transition = table.get("transition").map_or(Ok(Transition::Drain), transition)?;
            table.finish()?;
            changes.push(PlannedChange { at: Time::ZERO + at, file: source.file.clone(), policy, transition });
        }
        Ok(changes)
    }

    /// Rejects a version with other ports.
    fn check_ports(&self, place: &Node, file: &str, earlier: &[PlannedChange], policy: &Checked) -> Result<()> {
        if let Some(at) = self.node_links {
            at.check(place, self.port.what, file, policy)?;
            return check_change(place, self.first, earlier, policy);
        }
        let ports = |policy: &Checked| {
            let mut names: Vec<_> = policy.ports.iter().map(|port| port.name.clone()).collect();
            names.sort();
            names
        };
        if ports(policy) != ports(self.first) {
            let (present, wanted) = (ports(self.first).join(", "), ports(policy).join(", "));
            return Err(place.error(format!(
                "the links are fed by the ports {present}, but this version has {wanted}; keep the ports' names"
            )));
        }
        Ok(())
    }
}

fn transition(node: &Node) -> Result<Transition> {
    match node.text("transition")? {
        "drain" => Ok(Transition::Drain),
        "rerank" => Ok(Transition::Rerank),
        other => Err(node.error(format!(
            "`transition` must be \"drain\" (waiting packets leave first, in the old order) or \"rerank\" (waiting packets are sorted into \
             the new orders), not `{other}`"
        ))),
    }
}

/// The name of a port that leads into queues of a later stage, if there is one.
fn leads_on(policy: &Checked) -> Option<&str> {
    policy.ports.iter().find(|port| port.next.is_some()).map(|port| port.name.as_str())
}

/// Rejects a policy that reads what the packets do not have.
fn check_needs(node: &Node, file: &str, policy: &Checked, offered: &Offered) -> Result<()> {
    let mut needs: Vec<(Field, &str)> = Vec::new();
    policy.reads(&mut |read| {
        if let Some(field) = read.of_packets() {
            needs.extend(match field {
                PacketField::Value => Some((Field::Value, "value")),
                PacketField::Processing => Some((Field::Processing, "processing")),
                PacketField::Slack => Some((Field::Slack, "slack")),
                PacketField::Remaining => Some((Field::RemainingBytes, "remaining")),
                PacketField::Rank => Some((Field::Rank, "rank")),
                PacketField::Queue => Some((Field::Queue, "queue")),
                PacketField::PolicyId
                | PacketField::Flow
                | PacketField::Arrival
                | PacketField::Size
                | PacketField::Class
                // What no source says is not there.
                | PacketField::Marked
                | PacketField::Notified => None,
            });
        }
    });
    if let Some((field, name)) = needs.into_iter().find(|(field, _)| !offered.fields.contains(*field)) {
        return Err(node.error(format!(
            "{file} reads `{name}`, which the packets of this traffic do not have; {}",
            (offered.how_to_get)(field)
        )));
    }
    let entrances = policy.entrances();
    if let [first, second, ..] = entrances[..]
        && policy.classify.is_empty()
        && !offered.fields.contains(Field::Queue)
    {
        let name = |queue: QueueId| &policy.queues[usize::from(queue.0)].name;
        return Err(node.error(format!(
            "{file} has {} queues, but neither the policy nor the traffic says which one a packet enters; add for example \
             `classify(p) = (p.size < 200, enter({})).(true, enter({}))` to the policy; or as to the traffic, {}",
            entrances.len(),
            name(first),
            name(second),
            (offered.how_to_get)(Field::Queue)
        )));
    }
    Ok(())
}

/// The mistakes in a policy, with their lines.
struct Mistakes(String);

/// The policy that the texts of its files are.
///
/// # Errors
/// Its mistakes.
fn checked(name: &str, sources: &Sources, params: &Overrides) -> std::result::Result<forebay_lang::Policy, Mistakes> {
    let analysis = sources.analyse(params, &[]);
    let shown = render_sources(sources, &analysis.diagnostics, Style::Plain);
    if let Some(routine) = analysis.policy.as_ref().and_then(|policy| policy.routines.first()) {
        return Err(Mistakes(format!(
            "{name} declares the action `{}`, which a program must provide, and a scenario cannot; leave it out, or embed the engine in a \
             program (forebay_engine::Routines)",
            routine.name
        )));
    }
    analysis.policy.ok_or_else(|| Mistakes(format!("{name} cannot be used:\n{}", shown.trim_end())))
}
