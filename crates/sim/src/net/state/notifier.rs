//! The source of notifications at a port that notifies the node at the other end of its link of waiting packets.

use super::impairments::Impairments;
use super::queue_choice::Order;
use forebay_cache::seer::{Announcer, AnnouncerCounts};

/// The source of notifications at a port. The port must either serve strict priorities, each first come first served, with tail drop: then
/// each packet arrives at the notified time. Or the port sorts by rank and corrects earlier notifications.
#[derive(Debug)]
pub struct Notifier {
    /// The queues of notifications.
    pub announcer: Announcer,
    /// The choice of the port's queue for each packet.
    pub order: Order,
    /// The faults of the port's notifications.
    pub impairments: Impairments,
}

/// The notifications of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifierCounts {
    /// The link.
    pub link: usize,
    /// The counts of made and sent notifications.
    pub announcer: AnnouncerCounts,
    /// The number of packets that could overtake others and that the node does not expect, since they need no state.
    pub unnamed: u64,
    /// The number of packets that could overtake others and departed before any notification of them.
    pub untold: u64,
    /// The number of notifications that were lost on the link, by chance or because it failed.
    pub lost: u64,
    /// The number of notifications that wait to be sent.
    pub waiting: u64,
    /// The number of notifications on the link, or held up at its end.
    pub on_link: u64,
    /// The number of notifications that reached a node without a cache for them, and were at most relayed.
    pub ended: u64,
    /// Whether the contents of notifications may be wrong or late.
    pub misleading: bool,
}
