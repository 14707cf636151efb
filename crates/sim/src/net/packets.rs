//! Packets in flight: a slab, whose indices travel through queues as [`Packet::id`](forebay_core::Packet::id).

use crate::net::flow::HostId;
use crate::net::lateness::Lateness;
use crate::net::sack::SackBlocks;
use crate::net::segment::{Flags, Segment};
use forebay_core::{ClassId, Duration, FlowId, Marks, Packet, Time};

/// A packet between its two ends. It fits one cache line, since there are many packets, and each hop reads one.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct InFlight {
    seq: u64,
    ack: u64,
    /// As [`Segment::remaining`].
    pub(crate) remaining: u64,
    timestamp: Time,
    /// The rank that it carries, for rank functions that only read this.
    pub(crate) rank: u64,
    payload_bytes: u32,
    pub(crate) flow: u32,
    pub(crate) dst: HostId,
    /// The link on which it travels, or in whose queue it waits.
    pub(crate) link: u32,
    header_bytes: u16,
    pub(crate) place: Place,
    flags: Flags,
    pub(crate) class: ClassId,
    pub(crate) marks: Marks,
    pub(crate) to_receiver: bool,
    pub(crate) carries: Carries,
}

/// The content of a hook's packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carries {
    /// A segment of a flow, from endpoint to endpoint.
    Segment,
    /// A request of a hook to another node ([`HookPacket`]).
    Request,
    /// The answer to that.
    Answer,
}

/// A packet of a hook, which belongs to no flow of a workload.
#[derive(Debug, Clone, Copy)]
pub struct HookPacket {
    /// The kind of packet: a request or an answer.
    pub carries: Carries,
    /// The destination: a host, or an [address](crate::net::NodeHook::addresses) of a switch.
    pub to: HostId,
    /// The number of the requester. Ports treat packets of one number as one flow. Below 2^16.
    pub number: u32,
    /// The requested key. It chooses among equal paths.
    pub key: u64,
    /// The index of the request among those of its number; an answer repeats it.
    pub request: u64,
    /// The length on the wire.
    pub bytes: u32,
    /// The traffic class.
    pub class: ClassId,
}

/// Packets of hooks have flows from this number on. Workloads with more flows share these numbers, and then also a port's state for each
/// flow. Tables of ports with a page for 256 flows each stay small up to here.
const FLOWS_OF_HOOKS: u32 = 1 << 24;

/// The position of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The packet waits in a host or a switch.
    AtNode,
    /// The packet is in a switch, at the end of its link, where it was held back and is released.
    Released,
    /// On its link.
    OnLink,
    /// On its link, whose end it will not reach.
    LostOnLink,
}

impl InFlight {
    /// A packet that sets out; its way is not known yet.
    pub(crate) fn new(segment: &Segment, rank: u64, flow: u32, dst: HostId, class: ClassId, to_receiver: bool) -> Self {
        Self {
            seq: segment.seq,
            ack: segment.ack,
            remaining: segment.remaining,
            timestamp: segment.timestamp,
            rank,
            payload_bytes: segment.payload_bytes,
            flow,
            dst,
            link: 0,
            header_bytes: u16::try_from(segment.header_bytes).expect("headers have less than 64 KB"),
            place: Place::AtNode,
            flags: segment.flags,
            class,
            marks: segment.flags.marks(),
            to_receiver,
            carries: Carries::Segment,
        }
    }

    /// Creates a packet of a hook that is sent now. Its rank is 0, like the rank of packets without data.
    pub(crate) fn of_hook(packet: &HookPacket) -> Self {
        let segment =
            Segment { seq: packet.key, ack: packet.request, payload_bytes: packet.bytes, ..Segment::default() };
        let flow = FLOWS_OF_HOOKS + packet.number;
        Self { carries: packet.carries, ..Self::new(&segment, 0, flow, packet.to, packet.class, true) }
    }

    /// Returns the hook's packet, if a hook has sent this packet.
    #[must_use]
    pub fn hook_packet(&self) -> Option<HookPacket> {
        (self.carries != Carries::Segment).then(|| HookPacket {
            carries: self.carries,
            to: self.dst,
            number: self.flow - FLOWS_OF_HOOKS,
            key: self.seq,
            request: self.ack,
            bytes: self.payload_bytes,
            class: self.class,
        })
    }

    /// Returns the packet as the element of a port sees it on arrival now, with this slack; `index` is its id.
    #[inline]
    fn offered(&self, now: Time, index: u32, slack: Duration) -> Packet {
        Packet {
            arrival: now,
            slack,
            rank: self.rank,
            remaining_bytes: self.remaining,
            id: u64::from(index),
            size_bytes: self.wire_bytes(),
            flow: FlowId(self.flow),
            class: self.class,
            marks: self.marks,
            ..Packet::default()
        }
    }

    /// The number of the packet's flow, from 0 in order of start.
    #[inline]
    #[must_use]
    pub fn flow(&self) -> u32 {
        self.flow
    }

    /// Whether the packet travels from the flow's sender to its receiver.
    #[inline]
    #[must_use]
    pub fn is_to_receiver(&self) -> bool {
        self.to_receiver
    }

    /// The link on which the packet travels or has arrived, or in whose queue it waits.
    #[inline]
    #[must_use]
    pub fn link(&self) -> usize {
        self.link as usize
    }

    /// The packet's traffic class.
    #[inline]
    #[must_use]
    pub fn class(&self) -> ClassId {
        self.class
    }

    /// Whether the packet carries bytes of its flow.
    #[inline]
    #[must_use]
    pub fn has_data(&self) -> bool {
        self.payload_bytes > 0
    }

    /// The length on the wire.
    #[inline]
    #[must_use]
    pub fn wire_bytes(&self) -> u32 {
        self.payload_bytes + u32::from(self.header_bytes)
    }

    /// Returns the segment for the receiver, with the mark that the network has put on it. A policy in OpenQueue may mark any packet;
    /// transports that know no marks do not see them.
    fn arrived(&self) -> Segment {
        let seen = self.marks.congested() && self.flags.has(Flags::ECN_CAPABLE);
        Segment {
            seq: self.seq,
            ack: self.ack,
            remaining: self.remaining,
            timestamp: self.timestamp,
            payload_bytes: self.payload_bytes,
            header_bytes: u32::from(self.header_bytes),
            flags: if seen { self.flags.with(Flags::CONGESTED) } else { self.flags },
            sack: SackBlocks::NONE,
        }
    }
}

/// All packets in flight.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    slots: Vec<InFlight>,
    free: Vec<u32>,
    /// The blocks of packets with [`Flags::SACK`], by slot. Such packets are few, and the blocks would not fit the cache line of a packet.
    sacks: Vec<SackBlocks>,
    /// The lateness of packets, by slot, if any workload sets it. It would not fit the cache line of a packet either.
    lateness: Option<Vec<Lateness>>,
}

impl Packets {
    /// Creates an empty collection. `with_lateness` says whether packets have a lateness.
    pub(crate) fn new(with_lateness: bool) -> Self {
        Self { lateness: with_lateness.then(Vec::new), ..Self::default() }
    }

    /// Takes a packet in; the index stays its name until [`remove`](Self::remove).
    #[inline]
    pub(crate) fn insert(&mut self, packet: InFlight) -> u32 {
        if let Some(index) = self.free.pop() {
            self.slots[index as usize] = packet;
            return index;
        }
        let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 packets on their way");
        self.slots.push(packet);
        index
    }

    /// Keeps the blocks of a packet that has [`Flags::SACK`].
    #[cold]
    fn keep_sack(&mut self, index: u32, sack: SackBlocks) {
        self.sacks.resize(self.slots.len(), SackBlocks::NONE);
        self.sacks[index as usize] = sack;
    }

    /// Takes a packet in with the blocks that its segment has.
    #[inline]
    pub(crate) fn insert_with(&mut self, packet: InFlight, sack: &SackBlocks, lateness: Lateness) -> u32 {
        let index = self.insert(packet);
        if packet.flags.has(Flags::SACK) {
            self.keep_sack(index, *sack);
        }
        if let Some(all) = &mut self.lateness {
            all.resize(self.slots.len(), Lateness::NONE);
            all[index as usize] = lateness;
        }
        index
    }

    /// Returns a packet as the element of a port sees it on arrival now.
    #[inline]
    pub(crate) fn offered(&self, now: Time, index: u32) -> Packet {
        let slack = self.lateness.as_ref().map_or(Duration::ZERO, |all| all[index as usize].slack(now));
        self.slots[index as usize].offered(now, index, slack)
    }

    /// A packet leaves a port now.
    #[inline]
    pub(crate) fn left(&mut self, now: Time, packet: &Packet, index: u32) {
        if let Some(all) = &mut self.lateness {
            let lateness = &mut all[index as usize];
            *lateness = lateness.after(packet.slack, now.since(packet.arrival));
        }
    }

    /// Returns the segment for the receiver of a packet that has just been removed.
    #[inline]
    pub(crate) fn arrived(&self, index: u32, packet: &InFlight) -> Segment {
        let mut segment = packet.arrived();
        if packet.flags.has(Flags::SACK) {
            segment.sack = self.sacks[index as usize];
        }
        segment
    }

    #[inline]
    pub(crate) fn get(&self, index: u32) -> &InFlight {
        &self.slots[index as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: u32) -> &mut InFlight {
        &mut self.slots[index as usize]
    }

    /// Loses all packets that are on a link.
    pub(crate) fn lose_on(&mut self, link: u32) {
        let on_link = self.slots.iter_mut().filter(|packet| packet.place == Place::OnLink && packet.link == link);
        on_link.for_each(|packet| packet.place = Place::LostOnLink);
    }

    /// Forgets a packet.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) -> InFlight {
        self.free.push(index);
        self.slots[index as usize]
    }

    /// The number of packets in flight.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_on_its_way_fits_a_cache_line() {
        assert_eq!(size_of::<InFlight>(), 64);
    }
}
