//! Which rank queues a policy has whose operations can be recorded.

use crate::scenario::Plan;
use forebay_core::Exactness;
use forebay_core::registry::find;
use forebay_sched::queues::QUEUES;
use forebay_sched::{Below, NodeSpec, RankUnit};

/// The rank queues of a policy: what to append to its name, and what ranks are divided by.
/// Those of a tree are in the order in which it has its nodes.
///
/// # Errors
/// Says why what is done to them cannot be recorded.
pub(super) fn of(plan: &Plan) -> Result<Vec<(String, RankUnit)>, String> {
    match plan {
        Plan::Parts(spec) => match find("queue", QUEUES, &spec.queue.name).map(|queue| queue.about.exactness) {
            Ok(Exactness::Exact) => Ok(vec![(String::new(), spec.rank_unit)]),
            Ok(Exactness::ExactWithinWindow) => {
                Err(format!("the queue `{}` is exact only for ranks within its window", spec.queue.name))
            }
            _ => Err(format!("the queue `{}` does not keep the order of ranks", spec.queue.name)),
        },
        Plan::Flows(spec) => Err(format!(
            "`{}` orders flows, which are removed and put in again as their ranks change, and not packets",
            spec.rank.name
        )),
        Plan::Tree(spec, ..) if spec.queue.name == "pifo" => {
            let mut queues = Vec::new();
            add_nodes(&spec.root, ".root", &mut queues);
            Ok(queues)
        }
        Plan::Tree(..) => {
            Err("the nodes of the tree share one queue; with queue = \"pifo\" each has its own".to_owned())
        }
        Plan::OpenQueue(_) => Err(
            "a policy in OpenQueue keeps its packets in structures of its engine, which order them by more than one \
             rank, and not in a rank queue"
                .to_owned(),
        ),
    }
}

fn add_nodes(node: &NodeSpec, suffix: &str, queues: &mut Vec<(String, RankUnit)>) {
    queues.push((suffix.to_owned(), RankUnit::linear(node.rank_unit)));
    if let Below::Children(children) = &node.below {
        for (number, child) in children.iter().enumerate() {
            add_nodes(child, &format!("{suffix}.{number}"), queues);
        }
    }
}

/// Which policies can be recorded.
pub(super) fn advice() -> String {
    let exact = QUEUES.iter().filter(|queue| queue.about.exactness == Exactness::Exact);
    let names: Vec<_> = exact.map(|queue| queue.about.name).collect();
    format!("policies with a rank and one of the exact queues ({}) can be", names.join(", "))
}
