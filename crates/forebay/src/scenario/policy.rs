//! A policy of a scenario: rank function, queue, drop rule, mark rule.

use super::plan::Plan;
use super::{Files, Offered, PortNode, optimal_bounds, oq, tree};
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use forebay_core::registry::find;
use forebay_core::{ParamError, ParamValue, Seed};
use forebay_sched::queues::QUEUES;
use forebay_sched::{DROP_RULES, DisciplineError, DisciplineSpec, MAX_MANTISSA_BITS, Part, RankUnit, Ranking};

/// Characters of a name that tables and plots have room for.
const MAX_NAME: usize = 40;

/// A named discipline.
#[derive(Debug, Clone)]
pub struct NamedPolicy<D = DisciplineSpec> {
    /// The policy's name.
    pub name: String,
    /// The policy's parts.
    pub discipline: D,
}

impl NamedPolicy<Plan> {
    /// Reads and checks one `[[policy]]`.
    pub fn read(node: &Node, port: &PortNode<'_>, offered: &Offered, files: &dyn Files) -> Result<Self> {
        let table = node.table(port.policy)?;
        if let Some(below) = table.get("below") {
            return Err(below.error("`below` is for policies in scenarios of attacks, once for each; leave it out"));
        }
        if let Some(file) = table.get("policy") {
            if let Some(mark) = table.get("mark") {
                return Err(mark.error("a policy in OpenQueue marks packets itself, by the action `notify`"));
            }
            if let Some(pace) = table.get("pace") {
                let message = "a policy in OpenQueue decides itself when packets depart; leave `pace` out";
                return Err(pace.error(message));
            }
            return oq::read(file, &table, port, offered, files);
        }
        if let Some(root) = table.get("tree") {
            return tree::read(root, node, &table, port, offered, files);
        }
        let rank_node = table.require("rank", "rank = \"arrival\"")?;
        let rank = part(rank_node, "rank", files)?;
        let default_name = |discipline: &DisciplineSpec| format!("{} {}", discipline.rank.name, discipline.queue.name);
        let ranks = offered.ranks.as_ref().filter(|_| rank.name == "packet-rank");
        let resolve = |node: &Node, discipline: &mut DisciplineSpec| match ranks {
            Some(ranks) => optimal_bounds::resolve(node, discipline, ranks),
            None => Ok(()),
        };
        let mut policy = NamedPolicy::with_rank((rank_node, rank), node, &table, port, files, default_name, resolve)?;
        check_needs(rank_node, &mut policy.discipline.rank, offered)?;
        let plan = match Ranking::of(&policy.discipline.rank) {
            Ok(Ranking::Flows(_)) => Plan::Flows(policy.discipline),
            _ => Plan::Parts(policy.discipline),
        };
        Ok(Self { name: policy.name, discipline: plan })
    }
}

impl<D> NamedPolicy<D> {
    /// Reads a list of `[[key]]`, which are several `plural`, each with `read`;
    /// `example` shows one.
    pub fn read_all(
        list: &Node,
        (key, plural): (&str, &str),
        example: &str,
        read: impl Fn(&Node) -> Result<Self>,
    ) -> Result<Vec<Self>> {
        let Value::Array(items) = &list.value else {
            return Err(list.error(format!("{plural} must be a list: write [[{key}]] with two brackets")));
        };
        let mut policies = Vec::<Self>::new();
        for node in items {
            let policy = read(node)?;
            if policies.iter().any(|earlier| earlier.name == policy.name) {
                let message = format!("there are two {plural} called `{}`; give one a `name`", policy.name);
                return Err(node.error(message));
            }
            policies.push(policy);
        }
        if policies.is_empty() {
            return Err(list.error(format!("there are no {plural}; add [[{key}]] with {example}")));
        }
        Ok(policies)
    }
}

impl NamedPolicy {
    /// The rest of a policy whose rank function is known, with the place of that.
    fn with_rank(
        (rank_node, rank): (&Node, Part),
        node: &Node,
        table: &Table<'_>,
        port: &PortNode<'_>,
        files: &dyn Files,
        default_name: impl Fn(&DisciplineSpec) -> String,
        resolve: impl Fn(&Node, &mut DisciplineSpec) -> Result<()>,
    ) -> Result<Self> {
        let queue_node = table.require("queue", "queue = \"pifo\"")?;
        let drop_node = table.get("drop");
        let mark_node = table.get("mark");
        let pace_node = table.get("pace");
        let (buffer, buffer_node) = port.buffer(table.get("buffer"))?;
        let mut discipline = DisciplineSpec {
            rank,
            queue: part(queue_node, "queue", files)?,
            drop: drop_node.map_or(Ok(Part::named("tail")), |node| part(node, "drop", files))?,
            mark: mark_node.map(|node| part(node, "mark", files)).transpose()?,
            pace: pace_node.map(|node| part(node, "pace", files)).transpose()?,
            buffer,
            rank_unit: table.get("rank_unit").map_or(Ok(RankUnit::ONE), rank_unit)?,
            link_rate: port.rate,
        };
        let name = table.get("name").map_or_else(|| Ok(default_name(&discipline)), label)?;
        table.finish()?;
        resolve(queue_node, &mut discipline)?;

        // Built once to see whether it can be; built again for every run.
        forebay_sched::discipline(&discipline, Seed(0)).map_err(|error| match error {
            DisciplineError::Rank(error) => param_error(rank_node, &error),
            DisciplineError::Queue(error) => param_error(queue_node, &error),
            DisciplineError::Drop(error) => param_error(drop_node.unwrap_or(node), &error),
            DisciplineError::Mark(error) => param_error(mark_node.unwrap_or(node), &error),
            DisciplineError::Pace(error) => param_error(pace_node.unwrap_or(node), &error),
            DisciplineError::Buffer(message) => buffer_node.error(message),
        })?;
        Ok(Self { name, discipline })
    }
}

/// Rejects a rank function or flow rank that needs fields that the packets lack. A rank from the registry then gets its name there.
pub(super) fn check_needs(node: &Node, rank: &mut Part, offered: &Offered) -> Result<()> {
    let ranking = Ranking::of(rank).map_err(|text| node.error(text))?;
    match ranking.needs() {
        Some(field) if !offered.fields.contains(field) => Err(node.error(format!(
            "rank = \"{}\" needs packets with {}, which this traffic does not have; {}",
            rank.name,
            field.name(),
            (offered.how_to_get)(field)
        ))),
        _ => {
            if rank.own.is_none() {
                ranking.about().name.clone_into(&mut rank.name);
            }
            Ok(())
        }
    }
}

/// `1000`, or `{ steps_per_doubling = 256 }`.
fn rank_unit(node: &Node) -> Result<RankUnit> {
    let Value::Table(_) = node.value else {
        return Ok(RankUnit::linear(node.integer("rank_unit", 1, i64::MAX as u64)?));
    };
    let table = node.table("rank_unit")?;
    let steps_node = table.require("steps_per_doubling", "steps_per_doubling = 256")?;
    table.finish()?;
    let steps = steps_node.integer("steps_per_doubling", 1, 1 << MAX_MANTISSA_BITS)?;
    if !steps.is_power_of_two() {
        let next = steps.next_power_of_two();
        return Err(steps_node.error(format!("`steps_per_doubling` must be a power of two, such as {next}")));
    }
    Ok(RankUnit::Float { mantissa_bits: steps.ilog2() })
}

/// Reads a `name` that is short enough for tables and plots.
pub fn label(node: &Node) -> Result<String> {
    match node.text("name")? {
        name if (1..=MAX_NAME).contains(&name.chars().count()) && !name.contains(char::is_control) => {
            Ok(name.to_owned())
        }
        _ => Err(node.error(format!("`name` must have 1 to {MAX_NAME} characters and no control characters"))),
    }
}

/// Reads `"pifo"` or `{ name = "sp-pifo", queues = 8 }`, or the name of an algorithm of the calling program.
pub(super) fn part(node: &Node, what: &str, files: &dyn Files) -> Result<Part> {
    let mut part = named_part(node, what)?;
    part.own = files.own().parts.get(&part.name).cloned();
    let is_known = || {
        Ranking::find(&part.name).is_ok()
            || find("queue", QUEUES, &part.name).is_ok()
            || find("drop rule", DROP_RULES, &part.name).is_ok()
    };
    if part.own.is_some() && is_known() {
        return Err(node.error(format!("forebay has a `{}` itself; give yours another name", part.name)));
    }
    Ok(part)
}

/// A part by its name and its parameters.
fn named_part(node: &Node, what: &str) -> Result<Part> {
    if let Value::Text(name) = &node.value {
        return Ok(Part::named(name));
    }
    let Value::Table(_) = node.value else {
        let message = format!("`{what}` must be a name, or a table like {{ name = \"...\", parameter = 1 }}");
        return Err(node.error(message));
    };
    let table = node.table(what)?;
    let name = table.require("name", "name = \"...\"")?.text("name")?.to_owned();
    let params = table.rest().map(|(key, node)| (key.to_owned(), param(node))).collect();
    Ok(Part { name, params, own: None })
}

/// Reads a parameter of an algorithm, which checks its kind itself.
pub fn param(node: &Node) -> ParamValue {
    match &node.value {
        Value::Text(text) => ParamValue::Text(text.clone()),
        Value::Integer(number) => ParamValue::Integer(*number),
        Value::Number(number) => ParamValue::Number(*number),
        Value::Boolean(boolean) => ParamValue::Boolean(*boolean),
        Value::Array(items) => ParamValue::List(items.iter().map(param).collect()),
        Value::Table(fields) => {
            ParamValue::Table(fields.iter().map(|(key, node)| (key.clone(), param(node))).collect())
        }
    }
}

/// Places an error at the parameter that it names, or at the part.
pub fn param_error(part: &Node, error: &ParamError) -> UserError {
    let field = match (&error.param, &part.value) {
        (Some(name), Value::Table(fields)) => fields.iter().find(|(key, _)| key == name).map(|(_, node)| node),
        _ => None,
    };
    field.unwrap_or(part).error(error.message.clone())
}
