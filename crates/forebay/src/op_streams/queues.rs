//! The rank queues of a policy whose operations can be recorded.

use crate::scenario::Plan;
use forebay_core::Exactness;
use forebay_core::registry::find;
use forebay_sched::queues::QUEUES;
use forebay_sched::{Below, NodeSpec, RankDiscipline, RankUnit};
use std::fmt;

/// The reason why the operations on the queues of a policy cannot be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotRecorded(String);

impl fmt::Display for NotRecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the rank queues of a policy: a suffix for its name, and the divisor of ranks. The queues of a tree are in the order of its
/// nodes.
///
/// # Errors Says why the operations on them cannot be recorded.
pub(super) fn of(plan: &Plan) -> Result<Vec<(String, RankUnit)>, NotRecorded> {
    let refuse = |why: &str| Err(NotRecorded(why.to_owned()));
    match plan {
        Plan::Parts(spec) if spec.pace.is_some() => refuse("a pace rule holds its packets back"),
        Plan::Parts(spec) if RankDiscipline::new(spec).is_ok_and(|discipline| discipline.holds_back()) => {
            refuse(&format!("the rank function `{}` holds its packets back", spec.rank.name))
        }
        Plan::Parts(spec) => match find("queue", QUEUES, &spec.queue.name).map(|queue| queue.about.exactness) {
            Ok(Exactness::Exact) => Ok(vec![(String::new(), spec.rank_unit)]),
            Ok(Exactness::ExactWithinWindow) => {
                refuse(&format!("the queue `{}` is exact only for ranks within its window", spec.queue.name))
            }
            _ => refuse(&format!("the queue `{}` does not keep the order of ranks", spec.queue.name)),
        },
        Plan::Flows(spec) => refuse(&format!(
            "`{}` orders flows, not packets: flows are removed and enqueued again as their ranks change",
            spec.rank.name
        )),
        Plan::Tree(spec, ..) => {
            let mut queues = Vec::new();
            add_nodes(&spec.root, &spec.queue.name, ".root", &mut queues)?;
            Ok(queues)
        }
        Plan::OpenQueue(_) => refuse(
            "a policy in OpenQueue keeps its packets in structures of its engine, not in a rank queue: they order packets by more than one \
             rank",
        ),
    }
}

/// Adds the queue of a node, or the tree's if the node has none of its own, and the queues of all nodes below.
fn add_nodes(
    node: &NodeSpec,
    of_tree: &str,
    suffix: &str,
    queues: &mut Vec<(String, RankUnit)>,
) -> Result<(), NotRecorded> {
    match node.queue.as_ref().map_or(of_tree, |queue| &queue.name) {
        "pifo" => {}
        "hffs" if node.queue.is_none() => {
            let message = "the nodes of the tree share one queue; with queue = \"pifo\" each has its own";
            return Err(NotRecorded(message.to_owned()));
        }
        other => return Err(NotRecorded(format!("a node of its tree has the queue `{other}`, and not `pifo`"))),
    }
    queues.push((suffix.to_owned(), RankUnit::linear(node.rank_unit)));
    if let Below::Children(children) = &node.below {
        for (number, child) in children.iter().enumerate() {
            add_nodes(child, of_tree, &format!("{suffix}.{number}"), queues)?;
        }
    }
    Ok(())
}

/// Returns advice on the policies that can be recorded.
pub(super) fn advice() -> String {
    let exact = QUEUES.iter().filter(|queue| queue.about.exactness == Exactness::Exact);
    let names: Vec<_> = exact.map(|queue| queue.about.name).collect();
    format!("only policies with a rank and one of the exact queues ({}) are recorded", names.join(", "))
}
