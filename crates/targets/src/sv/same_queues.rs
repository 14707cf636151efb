//! Which queues two policies share.

use super::shape::Shape;

/// For each queue of a policy, the one of the same name in the other.
pub(super) fn same_queues(shapes: &[Shape<'_>; 2], place: usize) -> Vec<Option<usize>> {
    let there = &shapes[1 - place].model.policy.queues;
    let queues = shapes[place].model.policy.queues.iter();
    queues.map(|queue| there.iter().position(|other| other.name == queue.name)).collect()
}
