//! A policy that is a tree: `tree = { rank = "stfq", children = [...] }`.

use super::plan::Plan;
use super::policy::{NamedPolicy, check_needs, label, param_error, part};
use super::{Files, Offered, PortNode};
use crate::document::{Node, Table, Value};
use crate::error::{Result, UserError};
use forebay_core::{ClassId, Seed};
use forebay_sched::{Below, MAX_WEIGHT, Marking, NodeSpec, Part, Ranking, TreeDiscipline, TreeError, TreeSpec};

/// Reads and checks the `[[policy]]` whose `tree` is `root`.
pub(super) fn read(
    root: &Node,
    policy: &Node,
    table: &Table<'_>,
    port: &PortNode<'_>,
    offered: &Offered,
    files: &dyn Files,
) -> Result<NamedPolicy<Plan>> {
    for key in ["rank", "rank_unit"] {
        if let Some(node) = table.get(key) {
            return Err(node.error(format!("in a policy with a `tree`, each node has its own `{key}`; write it there")));
        }
    }
    if let Some(node) = table.get("pace") {
        return Err(
            node.error("in a policy with a `tree`, its nodes hold packets back; give `pace` to children of the root")
        );
    }
    let queue_node = table.require("queue", "queue = \"hffs\"")?;
    let drop_node = table.get("drop");
    let drop = drop_node.map_or(Ok(Part::named("tail")), |node| part(node, "drop", files))?;
    let (buffer, buffer_node) = port.buffer(table.get("buffer"))?;
    let (root_spec, queue) = (node_spec(root, offered, files)?, part(queue_node, "queue", files)?);
    let spec = TreeSpec { root: root_spec, queue, drop, buffer, link_rate: port.rate };
    let name = match table.get("name") {
        Some(node) => label(node)?,
        None => format!("{} tree {}", spec.root.rank.name, queue_of_root(&spec)),
    };
    let mark_node = table.get("mark");
    let mark = mark_node.map(|node| part(node, "mark", files)).transpose()?;
    table.finish()?;

    // Built once to see whether it can be; built again for every run.
    let tree = TreeDiscipline::new(&spec).map_err(|error| match error {
        TreeError::Node { path, field, error } => {
            let node = below(root, &path);
            let fields = node.table("a node").ok();
            let at = fields.and_then(|fields| fields.get(field)).unwrap_or(node);
            param_error(at, &error)
        }
        TreeError::Queue(error) => param_error(queue_node, &error),
        TreeError::Drop(error) => param_error(drop_node.unwrap_or(policy), &error),
        TreeError::Buffer(message) => buffer_node.error(message),
    })?;
    if let Some(class) =
        offered.classes.iter().copied().find(|&class| tree.leaf_of_class()[usize::from(class)].is_none())
    {
        return Err(no_leaf(policy, root, class));
    }
    let leaves = Box::new(*tree.leaf_of_class());
    if let (Some(node), Some(mark)) = (mark_node, &mark) {
        Marking::new(tree, mark, port.rate, Seed(0)).map_err(|error| param_error(node, &error))?;
    }
    Ok(NamedPolicy { name, discipline: Plan::Tree(spec, leaves, mark) })
}

fn no_leaf(policy: &Node, root: &Node, class: u8) -> UserError {
    let at = if matches!(root.value, Value::Table(_)) { root } else { policy };
    let name = ClassId(class);
    at.error(format!(
        "class {class} ({name}) of this traffic is in no leaf; add the class to the `classes` of a leaf, or leave one leaf without \
         `classes` for all others"
    ))
}

/// The name of the queue in the root.
fn queue_of_root(spec: &TreeSpec) -> &str {
    &spec.root.queue.as_ref().unwrap_or(&spec.queue).name
}

/// The node that is reached by taking these children.
fn below<'a>(root: &'a Node, path: &[usize]) -> &'a Node {
    path.iter().fold(root, |node, &number| {
        let children = node.table("a node").ok().and_then(|table| table.get("children"));
        match children.map(|children| &children.value) {
            Some(Value::Array(items)) => items.get(number).unwrap_or(node),
            _ => node,
        }
    })
}

/// `{ rank = "stfq", children = [...] }`, or `{ rank = "strict", classes = [46, 34] }`.
fn node_spec(node: &Node, offered: &Offered, files: &dyn Files) -> Result<NodeSpec> {
    let table = node.table("a node of `tree`")?;
    let rank_node = table.require("rank", "rank = \"stfq\"")?;
    let mut rank = part(rank_node, "rank", files)?;
    Ranking::of_packets(&rank, "a tree").map_err(|text| rank_node.error(text))?;
    check_needs(rank_node, &mut rank, offered)?;
    let weight = table.get("weight").map(|node| node.integer("weight", 1, MAX_WEIGHT.into())).transpose()?;
    let pace = table.get("pace").map(|node| part(node, "pace", files)).transpose()?;
    let queue = table.get("queue").map(|node| part(node, "queue", files)).transpose()?;
    let below = match (table.get("children"), table.get("classes")) {
        (Some(_), Some(classes)) => {
            return Err(classes.error("a node has either `children` or `classes`, not both"));
        }
        (Some(children), None) => Below::Children(
            list(children, "children", "{ rank = \"strict\", classes = [46] }")?
                .iter()
                .map(|child| node_spec(child, offered, files))
                .collect::<Result<_>>()?,
        ),
        (None, Some(classes)) => {
            Below::Packets(Some(list(classes, "classes", "46, 34")?.iter().map(class).collect::<Result<_>>()?))
        }
        (None, None) => Below::Packets(None),
    };
    let rank_unit = table.get("rank_unit").map_or(Ok(1), |node| node.integer("rank_unit", 1, i64::MAX as u64))?;
    table.finish()?;
    let weight = weight.and_then(|weight| u32::try_from(weight).ok());
    Ok(NodeSpec { rank, rank_unit, queue, weight, pace, below })
}

fn class(node: &Node) -> Result<u8> {
    let class = node.integer("classes", 0, u8::MAX.into())?;
    Ok(u8::try_from(class).expect("read as at most 255"))
}

fn list<'a>(node: &'a Node, what: &str, example: &str) -> Result<&'a [Node]> {
    match &node.value {
        Value::Array(items) => Ok(items),
        _ => Err(node.error(format!("`{what}` must be a list, like {what} = [{example}]"))),
    }
}
