//! Forwards dequeues to the inner queues, for a queue that only chooses the inner queue of a packet.

/// Implements methods of `RankQueue` by forwarding them to the inner queue or queues in a field. For a queue that only maps ranks to inner
/// queues or rejects some items.
macro_rules! serve_from {
    ($field:ident) => {
        fn pop_min(&mut self) -> Option<(u64, T)> {
            self.$field.pop_min()
        }

        fn peek_min(&self) -> Option<(u64, &T)> {
            self.$field.peek_min()
        }

        fn len(&self) -> usize {
            self.$field.len()
        }

        fn capacity(&self) -> usize {
            self.$field.capacity()
        }
    };
}
pub(crate) use serve_from;
