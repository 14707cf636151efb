//! Finds the headers of a frame: Ethernet, IPv4 or IPv6 after up to [`MOST`] encapsulations, TCP or UDP; and the innermost ones of a
//! tunnel.

use super::HEAD_BYTES;
use super::hash::murmur3;
use forebay_core::encapsulation::{Ip, MOST, Network, Start, Version, is_tag, network};
use forebay_core::{IpHeader, tunnel};

/// The data of a packet that are not among its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The kernel's `skb->priority`; 0 if there is none.
    pub priority: u32,
    /// The kernel's `skb->mark`; 0 if there is none.
    pub mark: u32,
    /// The number, from 0, of the port to which forwarding sends the packet; 0 without forwarding.
    pub egress: u32,
}

/// A frame whose headers were found. Offsets are of headers within the first [`HEAD_BYTES`]; the innermost headers may be anywhere.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    head: &'a [u8],
    /// The offset of the two control bytes of the VLAN tag directly after the addresses.
    pub(super) vlan: Option<usize>,
    /// The offset of the IPv4 header.
    pub(super) ipv4: Option<usize>,
    /// The offset of the IPv6 header.
    pub(super) ipv6: Option<usize>,
    /// The offset of the TCP header; only the first fragment has one, as for UDP.
    pub(super) tcp: Option<usize>,
    /// The offset of the UDP header.
    pub(super) udp: Option<usize>,
    /// Whether a check value covers the IP header, so that it must not be changed.
    pub(super) is_sealed: bool,
    protocol: u8,
}

/// The bytes of a VLAN tag after the addresses, with the type of its contents.
const TAG: std::ops::Range<usize> = 14..18;
const TCP: u8 = 6;
const UDP: u8 = 17;

impl<'a> Frame<'a> {
    /// Finds the headers. Headers that are truncated or unknown count as missing; extension headers of IPv6 are not followed.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let mut frame =
            Self { head, vlan: None, ipv4: None, ipv6: None, tcp: None, udp: None, is_sealed: false, protocol: 0 };
        frame.vlan = Some(TAG.start).filter(|_| is_tag(frame.word(12)) && TAG.end <= head.len());
        if let Network::Ip(ip) = network(head, 0, Start::Ethernet, MOST)
            && ip.traffic_class(head).is_some()
        {
            frame.find(ip);
        }
        frame
    }

    /// Returns the frame with the requested IP header of a tunnel, and with its payload; `bytes` are the whole frame. If the frame is no
    /// tunnel, or its contents are truncated, returns the outer headers.
    #[must_use]
    pub fn inside(&self, bytes: &'a [u8], wanted: IpHeader) -> Self {
        let outer = match (self.ipv4, self.ipv6) {
            (Some(at), _) => Ip { at, version: Version::V4, is_sealed: self.is_sealed },
            (None, Some(at)) => Ip { at, version: Version::V6, is_sealed: self.is_sealed },
            (None, None) => return *self,
        };
        let inner = tunnel::find(bytes, outer, wanted);
        if inner == outer {
            return *self;
        }
        let mut frame = Self { head: bytes, ipv4: None, ipv6: None, tcp: None, udp: None, ..*self };
        frame.find(inner);
        frame
    }

    fn find(&mut self, ip: Ip) {
        self.is_sealed = ip.is_sealed;
        match ip.version {
            Version::V4 => self.find_ipv4(ip.at),
            Version::V6 => self.find_ipv6(ip.at),
        }
    }

    fn find_ipv4(&mut self, at: usize) {
        self.ipv4 = Some(at);
        self.protocol = self.byte(at + 9);
        if self.word(at + 6) & 0x1fff == 0 {
            self.find_ports(at + usize::from(self.byte(at) & 0x0f) * 4);
        }
    }

    fn find_ipv6(&mut self, at: usize) {
        self.ipv6 = Some(at);
        self.protocol = self.byte(at + 6);
        self.find_ports(at + 40);
    }

    fn find_ports(&mut self, at: usize) {
        let there = |header| Some(at).filter(|at| at + header <= self.head.len());
        match self.protocol {
            TCP => self.tcp = there(20),
            UDP => self.udp = there(8),
            _ => {}
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.head.get(at).copied().unwrap_or(0)
    }

    fn word(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.byte(at), self.byte(at + 1)])
    }

    fn long(&self, at: usize) -> u32 {
        u32::from(self.word(at)) << 16 | u32::from(self.word(at + 2))
    }

    /// Reads `width` bytes, the most significant first; 0 if they are not all within the head.
    pub(super) fn number(&self, at: usize, width: usize) -> u64 {
        let bytes = self.head.get(at..at + width).unwrap_or(&[]);
        bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Returns the byte with DSCP and ECN: the type of service, or the traffic class; 0 without IP.
    pub(super) fn traffic_class(&self) -> u8 {
        match (self.ipv4, self.ipv6) {
            (Some(at), _) => self.byte(at + 1),
            (None, Some(at)) => self.word(at).to_be_bytes()[0] << 4 | self.byte(at + 1) >> 4,
            (None, None) => 0,
        }
    }

    /// Returns the control information of the VLAN tag directly after the addresses; 0 if there is none.
    pub(super) fn tag(&self) -> u16 {
        self.vlan.map_or(0, |at| self.word(at))
    }

    /// Returns the flow's number, from protocol, addresses and ports. Frames without IP are all of flow 0.
    pub(super) fn flow(&self) -> u32 {
        let ports = self.tcp.or(self.udp).map_or(0, |at| self.long(at));
        let mut words = [u32::from(self.protocol), ports, 0, 0, 0, 0, 0, 0, 0, 0];
        let (from, count) = match (self.ipv4, self.ipv6) {
            (Some(at), _) => (at + 12, 2),
            (None, Some(at)) => (at + 8, 8),
            (None, None) => return 0,
        };
        for word in 0..count {
            words[2 + word] = self.long(from + 4 * word);
        }
        murmur3(&words[..2 + count])
    }
}
