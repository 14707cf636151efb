//! The traits of rank functions and drop rules, and their registry entries.

use crate::pacing::PaceRule;
use forebay_core::{About, Field, Named, Packet, ParamError, Params, Rate, Time};

/// Gives every packet a rank: its place in the order of service, lowest first.
pub trait RankFn {
    /// Returns the rank of a packet that arrives now.
    fn rank(&mut self, now: Time, packet: &Packet) -> u64;

    /// Records that the packet was accepted; its `rank` is set.
    fn queued(&mut self, packet: &Packet) {
        let _ = packet;
    }

    /// Records that a packet that was accepted before is now pushed out; its `rank` is set. Where ranks rise within a flow, it is the last
    /// of its flow's waiting packets.
    fn evicted(&mut self, packet: &Packet) {
        let _ = packet;
    }

    /// Records that the packet leaves now to be sent; its `rank` is set. This method writes the header fields that a switch sets for the
    /// next hop.
    fn dequeued(&mut self, now: Time, packet: &mut Packet) {
        let _ = (now, packet);
    }

    /// Returns this rank function as a pace rule, if it also decides when packets may leave. The pace rule is asked about the packet that
    /// was ranked last, before this packet is [`queued`](Self::queued). It needs a queue that holds packets back.
    fn as_pace_mut(&mut self) -> Option<&mut dyn PaceRule> {
        None
    }

    /// Returns this rank function as a virtual pace, if it holds packets back in its own virtual time. It then needs a queue that holds
    /// packets back ([`PopEligible`](crate::queues::PopEligible)).
    fn as_virtual_pace_mut(&mut self) -> Option<&mut dyn VirtualPace> {
        None
    }
}

/// Decides from which virtual time on packets may leave. A free link always sends a packet if one waits: if no packet is eligible, the
/// virtual time skips to the first time at which one is.
pub trait VirtualPace {
    /// Returns the virtual time from which on the packet that was ranked last may leave, before it is [`queued`](RankFn::queued).
    fn eligible(&self, packet: &Packet) -> u64;

    /// Returns the present virtual time.
    fn virtual_time(&mut self, now: Time) -> u64;

    /// Moves the virtual time forward to at least `eligible`: packets wait, and none may leave before.
    fn skip_to(&mut self, eligible: u64);
}

/// The range of the ranks of a rank function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankRange {
    /// Ranks up to this one.
    UpTo(u64),
    /// Any number that the traffic carries.
    Any,
    /// Ranks rise for ever, as time or virtual time does. A queue with a fixed
    /// range of ranks cannot hold them.
    Rising,
}

/// One rank function in the registry.
pub struct RankEntry {
    /// The name, title, cost and source of the rank function.
    pub about: About,
    /// Other names of the rank function.
    pub also_known_as: &'static [&'static str],
    /// The field of packets that the traffic must set.
    pub needs: Option<Field>,
    /// The order in which packets leave an exact queue.
    pub serves: Serves,
    /// The range of the ranks.
    pub range: RankRange,
    /// Builds the rank function for a link of the given rate; the rate is `None` if several rank functions share a link.
    pub build: fn(Option<Rate>, &Params) -> BuiltRankFn,
}

/// The order in which packets with the ranks of a function leave an exact queue. Rank functions with the same order share the proofs about
/// the order, and the predictions of a packet's departure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serves {
    /// Packets in order of arrival.
    Arrivals,
    /// Classes in strict priority, and within a class in order of arrival.
    Classes,
    /// Flows with fair shares of the link or of the processor.
    FairShares,
    /// The job with the least work first.
    ShortestJobs,
    /// The job with the least work for each of its bytes first.
    LeastWorkPerByte,
    /// Another order, about which no properties are known here.
    Otherwise,
}

/// A rank function, or the error in its parameters.
pub type BuiltRankFn = Result<Box<dyn RankFn + Send>, ParamError>;

impl Named for RankEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}

/// Chooses the packet to drop when there is no room for an arriving packet.
pub trait DropRule {
    /// Chooses between the arriving packet and, where the queue is double-ended, the worst queued packet. It is called again until the
    /// arriving packet fits or is itself the victim. Both packets have their rank set.
    fn victim(&mut self, arriving: &Packet, worst: Option<&Packet>) -> Victim;
}

/// The packet that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The arriving packet.
    Arriving,
    /// The waiting packet of highest rank.
    WorstQueued,
}

/// One drop rule in the registry.
pub struct DropEntry {
    /// The name, title, cost and source of the drop rule.
    pub about: About,
    /// Whether the drop rule needs a queue that can push out its worst packet.
    pub needs_pop_max: bool,
    /// Builds the drop rule.
    pub build: fn(&Params) -> Result<Box<dyn DropRule + Send>, ParamError>,
}

impl Named for DropEntry {
    fn about(&self) -> &About {
        &self.about
    }
}
