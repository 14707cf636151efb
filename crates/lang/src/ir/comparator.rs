//! Comparators: orders of packets and of queues (section III-B).

use super::{Cond, Num};

/// An order.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparator {
    /// The order's name in the policy, or that of a default such as `fifo`.
    pub name: String,
    /// Whether the first object comes before the second.
    pub before: Cond,
    /// The order as a list of keys: the first that differs decides. `None` if the order is no such list.
    pub keys: Option<Vec<Key>>,
}

/// One key of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// A number of one object (`This`).
    pub value: Num,
    /// Whether the highest value ranks first.
    pub descending: bool,
}
