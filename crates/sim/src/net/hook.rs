//! The hooks of a network, by which a paper's mechanism joins it: nodes that hold packets back, and ports that notify the node at the other
//! end of their link.
//!
//! The network asks once, before a run, which nodes and ports take part. Packets that pass no such node or port meet one flag at each and
//! no call. One object serves all nodes and ports of a network, because a port and the node that it notifies often share state. `()` means
//! a network without hooks; no calls are compiled then.
//!
//! A hook decides and the network acts: the network schedules, forwards, drops and counts. So a hook cannot lose a packet, and the
//! conservation that every run asserts holds with any hook.

use crate::net::flow_table::FlowTable;
use crate::net::graph::NodeId;
use crate::net::hook_context::Reach;
use crate::net::packets::{HookPacket, InFlight};
use crate::net::queued_packet::Queued;
use crate::net::state::Refused;
use forebay_core::{ClassId, Duration, Rate, Time};

/// The decision of a node about an arriving packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// Forward it at once.
    GoOn,
    /// Hold it back until this time, which must not be in the past.
    HoldUntil(Time),
    /// Hold it back until [`NodeHook::next`] or a [`Deed`] names it.
    Hold,
    /// Drop it.
    Drop,
}

/// An additional action that a hook requests.
#[derive(Debug, Clone, Copy)]
pub enum Deed {
    /// A packet of its own leaves a node, if there is a way.
    Send(NodeId, HookPacket),
    /// [`NodeHook::timer`] is called then with this number.
    Call(Time, u32),
    /// A packet that was held back without a time goes on then.
    Release(Time, u32),
}

/// A packet that was held back behind another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// This packet goes on at once.
    Now(u32),
    /// This packet goes on then, which is not in the past.
    At(Time, u32),
}

/// Nodes that hold arriving packets back.
///
/// Each packet that arrives at such a node is shown once, by [`arrived`](Self::arrived). A packet that is held back until a time is
/// announced by [`released`](Self::released) at that time and then forwarded, or delivered at a host. After that, the network asks
/// [`next`](Self::next) for packets of the same link, until there is no packet or a packet has a time. The hook's own packets are not shown
/// at other nodes.
pub trait NodeHook {
    /// Whether packets that arrive at this node are shown. Asked once, before the run.
    fn holds_at(&self, node: NodeId) -> bool;

    /// `packet`, whose number in the network is `index`, has arrived at `node` over [`InFlight::link`]. The number is the
    /// packet's own until it is delivered or dropped.
    fn arrived(&mut self, now: Time, node: NodeId, index: u32, packet: &InFlight, flows: &FlowTable) -> Arrival;

    /// A packet that was held back until now goes on.
    fn released(&mut self, now: Time, node: NodeId, index: u32) {
        let _ = (now, node, index);
    }

    /// The packet that was released before has gone on. Returns the next packet of `link` that was held back without a time.
    fn next(&mut self, now: Time, node: NodeId, link: usize) -> Option<Release> {
        let _ = (now, node, link);
        None
    }

    /// The time that the hook asked for by [`Reach::schedule`], with this number, has come.
    fn timer(&mut self, number: u32, reach: &mut Reach<'_>) {
        let _ = (number, reach);
    }

    /// The switches to which packets of the hook are sent. Each has an address of its own, after those of the hosts, in this order. The
    /// network asks once, before the run.
    fn addresses(&self) -> Vec<NodeId> {
        Vec::new()
    }

    /// A packet of the hook has reached the node to which it was sent.
    fn received(&mut self, now: Time, packet: &HookPacket) {
        let _ = (now, packet);
    }

    /// Returns the next action. The network asks after each call about a node, until there is none.
    fn deed(&mut self) -> Option<Deed> {
        None
    }

    /// The number of packets that are held back.
    fn waiting(&self) -> u64 {
        0
    }
}

/// The packets about which a port notifies the node at the other end of its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// No packets; the hook is not called.
    Nothing,
    /// Packets that wait in the port.
    Queued,
    /// Packets that have yet to arrive at the port, too: [`PortHook::idle`] is called.
    Ahead,
}

/// The message that a free link sends before the next packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// No message.
    Nothing,
    /// A message that takes no time of the link.
    InGap,
    /// A message that takes the link for this duration. Then the port is asked again.
    Lasting(Duration),
}

/// Ports that notify the next node of their waiting packets.
///
/// The hook keeps the contents of messages; the network carries them. Messages of a link arrive in the order in which they were sent: for
/// each one the network calls [`heard`](Self::heard). A packet is [`queued`](Self::queued) and later [`left`](Self::left). An element that
/// pushes out waiting packets must push out the last of them ([`pushed_out`](Self::pushed_out)).
pub trait PortHook {
    /// Returns the packets about which the port of a link notifies. The network asks once, before the run.
    fn tells_at(&self, link: usize) -> Tells;

    /// The port has accepted a packet, which waits.
    fn queued(&mut self, link: usize, queued: &Queued<'_>, flows: &FlowTable);

    /// The element at the port has dropped an arriving packet.
    fn refused(&mut self, link: usize, packet: &Refused) {
        let _ = (link, packet);
    }

    /// The packet that would have left last was pushed out of the port.
    fn pushed_out(&mut self, link: usize) {
        let _ = link;
    }

    /// A packet leaves the port: its transmission starts, or its link has failed.
    fn left(&mut self, link: usize, class: ClassId);

    /// The link is free and a packet waits. `waited`: it has waited behind another one, which has just finished.
    fn before(&mut self, now: Time, link: usize, waited: bool) -> Message;

    /// The message that was the last to leave is lost, and [`heard`](Self::heard) is called for it all the same.
    fn lost(&mut self, link: usize) {
        let _ = link;
    }

    /// The link is free and no packet waits: whether a message leaves that takes no time of the link.
    fn idle(&mut self, now: Time, link: usize) -> bool {
        let _ = (now, link);
        false
    }

    /// Whether the port is to be asked when its link becomes free, though no packet waits.
    fn has_more(&self, link: usize) -> bool {
        let _ = link;
        false
    }

    /// The link fails. Packets and messages on it are lost, and [`heard`](Self::heard) is called for these messages all the same.
    fn failed(&mut self, link: usize) {
        let _ = link;
    }

    /// The link sends at this rate from now on.
    fn sends_at(&mut self, link: usize, rate: Rate) {
        let _ = (link, rate);
    }

    /// A message has reached the end of its link.
    fn heard(&mut self, link: usize, reach: &mut Reach<'_>);
}

/// The counted part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted<T> {
    /// The count at the end of a part that starts with the run.
    All(T),
    /// The counts at the start and the end of the counted part.
    Between(T, T),
    /// Counting was to begin after this end.
    Nothing(T),
}

/// The hooks of a network.
pub trait Hooks: NodeHook + PortHook {
    /// The type of the counts.
    type Counts;
    /// The results of a run.
    type Outcome;

    /// The counts by now.
    fn counts(&mut self, now: Time) -> Self::Counts;

    /// The run has ended, and time went on until just before `end`: whatever the hook does by itself is done until then.
    fn ends(&mut self, end: Time) {
        let _ = end;
    }

    /// The results. `steady`: no link has failed or changed, and each sent every packet for as long as its bytes take.
    fn into_outcome(self, counted: Counted<Self::Counts>, steady: bool) -> Self::Outcome;
}

/// No hooks.
impl NodeHook for () {
    fn holds_at(&self, _: NodeId) -> bool {
        false
    }

    fn arrived(&mut self, _: Time, _: NodeId, _: u32, _: &InFlight, _: &FlowTable) -> Arrival {
        Arrival::GoOn
    }
}

impl PortHook for () {
    fn tells_at(&self, _: usize) -> Tells {
        Tells::Nothing
    }

    fn queued(&mut self, _: usize, _: &Queued<'_>, _: &FlowTable) {}

    fn left(&mut self, _: usize, _: ClassId) {}

    fn before(&mut self, _: Time, _: usize, _: bool) -> Message {
        Message::Nothing
    }

    fn heard(&mut self, _: usize, _: &mut Reach<'_>) {}
}

impl Hooks for () {
    type Counts = ();
    type Outcome = ();

    fn counts(&mut self, _: Time) {}

    fn into_outcome(self, _: Counted<()>, _: bool) {}
}
