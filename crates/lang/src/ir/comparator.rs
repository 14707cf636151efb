//! Comparators: orders of packets and of queues (section III-B).

use super::{Cond, Num};

/// An order.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparator {
    /// Its name in the policy, or `fifo` and such for a default.
    pub name: String,
    /// Whether the first object comes before the second.
    pub before: Cond,
    /// The same as a list of keys: the first that differs decides. `None` if it is no such list.
    pub keys: Option<Vec<Key>>,
}

/// One key of an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// A number of one object (`This`).
    pub value: Num,
    /// Whether the object with the highest value is first.
    pub descending: bool,
}
