//! What makes notifications at a port that tells the node at the other end of its link what waits in it.

use super::impairments::Impairments;
use super::queue_choice::Order;
use forebay_cache::seer::{Announcer, AnnouncerCounts};

/// What makes notifications at a port. It must serve strict priorities, each first come first served, and drop what
/// arrives and finds no room: then nothing comes at another time than told. Or it sorts by rank, and corrects what it has told.
#[derive(Debug)]
pub struct Notifier {
    /// The queues of notifications.
    pub announcer: Announcer,
    /// To which queue of the port each packet goes.
    pub order: Order,
    /// What goes wrong with what it sends.
    pub impairments: Impairments,
}

/// What a port has told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifierCounts {
    /// The link.
    pub link: usize,
    /// What the port made and sent.
    pub announcer: AnnouncerCounts,
    /// Packets that could overtake others and that the node does not expect, since they need no state.
    pub unnamed: u64,
    /// Packets that could overtake others and left before they were told of.
    pub untold: u64,
    /// Notifications that were lost on the link, by chance or as it failed.
    pub lost: u64,
    /// Those that wait to be sent.
    pub waiting: u64,
    /// Those on the link, or held up at its end.
    pub on_link: u64,
    /// Those that came to a node and were not for a cache there, but to be passed on, if at all.
    pub ended: u64,
    /// Whether what they say may be wrong, or late.
    pub misleading: bool,
}
