//! The drop rule of a tree, and the queues and nodes that it supports.

use super::node_queues::NodeQueues;
use super::spec::{Node, TreeError, TreeSpec};
use crate::spec::unknown;
use crate::traits::DropRule;
use forebay_core::ParamError;

/// The rule, if it pushes out waiting packets. Without one, arriving packets are dropped.
pub(super) type PushOut = Option<Box<dyn DropRule + Send>>;

/// Builds the rule that `spec` names.
///
/// # Errors
/// If a node cannot tell which of its entries is the last, or its queue cannot remove the last entry.
pub(super) fn build(spec: &TreeSpec, nodes: &[Node], queues: &dyn NodeQueues) -> Result<PushOut, TreeError> {
    let entry = spec.drop.drop_entry().map_err(|text| TreeError::Drop(unknown(text)))?;
    let rule = spec.drop.drop_rule(entry).map_err(TreeError::Drop)?;
    if !entry.needs_pop_max {
        return Ok(None);
    }
    let name = &spec.drop.name;
    for (number, node) in nodes.iter().enumerate() {
        if node.pace.is_some() {
            let message = format!(
                "drop = \"{name}\" needs the place of every packet in the order of the tree, but packets that `pace` holds \
                 back have none \
                 above its node; leave `pace` out, or use drop = \"tail\""
            );
            return Err(TreeError::Node { path: node.path.clone(), field: "pace", error: unknown(message) });
        }
        if !queues.ends(number).gives_up_last {
            return Err(of_queue(
                node,
                unknown(format!(
                    "`{}` cannot give up its worst packet, which drop = \"{name}\" needs; use drop = \"tail\", or queue = \
                     \"pifo\" or \"hffs\"",
                    node.queue(spec).name
                )),
            ));
        }
    }
    Ok(Some(rule))
}

/// Checks that nodes whose rank functions hold entries back have queues that support this.
pub(super) fn check_holding_back(spec: &TreeSpec, nodes: &[Node], queues: &dyn NodeQueues) -> Result<(), TreeError> {
    let wrong = |(number, node): &(usize, &Node)| node.holds_back && !queues.ends(*number).holds_back;
    let Some((_, node)) = nodes.iter().enumerate().find(wrong) else { return Ok(()) };
    let message = format!(
        "`{}` cannot hold packets back, which rank = \"{}\" needs; give this node queue = \"pieo\"",
        node.queue(spec).name,
        node.entry.about.name
    );
    Err(of_queue(node, unknown(message)))
}

/// An error of a node's queue, which is its own or the tree's.
fn of_queue(node: &Node, error: ParamError) -> TreeError {
    match node.queue {
        Some(_) => TreeError::Node { path: node.path.clone(), field: "queue", error },
        None => TreeError::Queue(error),
    }
}
