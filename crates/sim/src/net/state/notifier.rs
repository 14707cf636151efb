//! The source of notifications at a port that notifies the node at the other end of its link of waiting packets.

use super::impairments::Impairments;
use super::queue_choice::Order;
use forebay_cache::seer::{Announcer, AnnouncerCounts};

/// The source of notifications at a port. The port must serve strict priorities, each first come first served, and drop packets that arrive
/// and find no room: then no packet arrives at another time than notified. Or the port sorts by rank, and corrects earlier notifications.
#[derive(Debug)]
pub struct Notifier {
    /// The queues of notifications.
    pub announcer: Announcer,
    /// To which queue of the port each packet goes.
    pub order: Order,
    /// The faults of the notifications that it sends.
    pub impairments: Impairments,
}

/// The notifications of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifierCounts {
    /// The link.
    pub link: usize,
    /// What the port made and sent.
    pub announcer: AnnouncerCounts,
    /// Packets that could overtake others and that the node does not expect, since they need no state.
    pub unnamed: u64,
    /// Packets that could overtake others and departed before any notification of them.
    pub untold: u64,
    /// Notifications that were lost on the link, by chance or as it failed.
    pub lost: u64,
    /// Those that wait to be sent.
    pub waiting: u64,
    /// Those on the link, or held up at its end.
    pub on_link: u64,
    /// Those that reached a node and were not for a cache there, but to be passed on, if at all.
    pub ended: u64,
    /// Whether their contents may be wrong, or late.
    pub misleading: bool,
}
