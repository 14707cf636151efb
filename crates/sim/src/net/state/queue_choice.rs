//! The choice of a queue for each packet, at a port that notifies the next node when its packets will arrive there.
//!
//! Notifications are true if the order of the backlog is fixed when a packet arrives. Section 2 of the paper has such an order: strict
//! priorities over queues that are first come, first served. Any rule may choose the queues, as long as the notifying port knows the queue
//! of each packet. A port that sorts by rank has a queue for each rank, and corrects its earlier notifications.

use forebay_core::{ClassId, Packet};
use std::fmt;

/// The choice of the port's queue for a packet; queue 0 is served first.
pub enum Order {
    /// For each class of packets its queue.
    Classes(Box<[u8; 256]>),
    /// A rule that looks at packets.
    Packets(Box<dyn QueueChoice>),
    /// The port sorts packets by rank, those above `greatest` as if they had that, and may push out the last one. Its
    /// [`Announcer`](forebay_cache::seer::Announcer) is [sorted](forebay_cache::seer::Announcer::sorted).
    Sorted {
        /// The highest rank that the port distinguishes from others.
        greatest: u64,
    },
}

/// A rule by which a port chooses strict-priority queues for its packets. It follows the element at the port, packet by packet.
pub trait QueueChoice: Send {
    /// A packet was admitted. `packet` is as the port saw it on arrival, but with the rank that the port gave it. Returns the queue that it
    /// went to.
    fn queued(&mut self, packet: &Packet) -> usize;

    /// A packet was dropped on arrival, which may move the rule, too.
    fn refused(&mut self, packet: &Refused) {
        let _ = packet;
    }
}

/// A packet that a port dropped on arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// The rank that the packet would have had.
    pub rank: u64,
    /// The length of the packet on the wire.
    pub size_bytes: u32,
    /// The number of packets that wait in the port.
    pub packets: u64,
    /// The bytes of these packets.
    pub bytes: u64,
}

/// A queue for each range of ranks; each bound is the lowest rank of its queue, and the first is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankBounds(pub Vec<u64>);

impl QueueChoice for RankBounds {
    fn queued(&mut self, packet: &Packet) -> usize {
        self.0.partition_point(|&bound| bound <= packet.rank).saturating_sub(1)
    }
}

impl Order {
    /// Whether a packet's class says its queue.
    pub(super) fn is_by_class(&self) -> bool {
        matches!(self, Self::Classes(_))
    }

    /// The queue of a class, if the class says that.
    #[inline]
    pub(super) fn of_class(&self, class: ClassId) -> usize {
        match self {
            Self::Classes(queues) => usize::from(queues[usize::from(class.0)]),
            Self::Packets(_) | Self::Sorted { .. } => 0,
        }
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Classes(_) => "Classes",
            Self::Packets(_) => "Packets",
            Self::Sorted { .. } => "Sorted",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_has_the_last_queue_whose_bound_it_reaches() {
        let mut bounds = RankBounds(vec![0, 3, 3, 5]);
        let mut queue = |rank| bounds.queued(&Packet { rank, ..Packet::default() });
        assert_eq!([0, 2, 3, 4, 5, u64::MAX].map(&mut queue), [0, 0, 2, 2, 3, 3]);
    }
}
