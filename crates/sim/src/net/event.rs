//! The events of a network, and the numbers by which events name links and packets.

use forebay_core::Packet;

/// A future event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// The next flow of the source starts.
    FlowStart,
    /// This packet arrives at the end of its link.
    Arrival(u32),
    /// The link of this port is free, and something waits.
    Free(u32),
    /// The discipline of this port asked to be asked again.
    Wakeup(u32),
    /// The timer of this flow's sender expires.
    SenderTimer(u32),
    /// The timer of this flow's receiver expires.
    ReceiverTimer(u32),
    /// This packet, which its node has held back until now, goes on.
    Release(u32),
    /// A message of the port of this link reaches the other end.
    Message(u32),
    /// A hook asked to be called, with this number.
    HookTimer(u32),
    /// Something fails or is mended.
    Change(u32),
    /// Switches learn of a change of a link.
    Learn(u32),
    /// Ports begin to count.
    CountFrom,
    /// Ports stop counting.
    CountUntil,
    /// Queues and windows are looked at.
    Sample,
}

/// The number of a link as events and packets have it.
#[inline]
pub(crate) fn to_u32(link: usize) -> u32 {
    u32::try_from(link).expect("fewer than 2^32 links")
}

/// Returns the index of a packet that left a queue.
pub(crate) fn index_of(packet: &Packet) -> u32 {
    u32::try_from(packet.id).expect("ids are indices of packets on their way")
}
