//! A packet as a filter sees it.

use crate::frame::{Direction, FlowKey, Headers, IpHeader, Link, classify};
use forebay_core::encapsulation::is_tag;
use std::cell::OnceCell;

/// A packet of a recording.
pub(crate) struct Seen<'a> {
    /// The nanoseconds since the first packet of the recording.
    pub(crate) since_first_ns: i128,
    pub(crate) link: Link,
    pub(crate) header: IpHeader,
    pub(crate) frame: &'a [u8],
    pub(crate) wire_bytes: u32,
    /// The number of the interface in its section, from 0.
    pub(crate) interface: usize,
    pub(crate) interface_name: Option<&'a str>,
    /// The direction, if the recording states it.
    pub(crate) direction: Option<Direction>,
    pub(crate) headers: OnceCell<Headers>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(link: Link, header: IpHeader, frame: &'a [u8]) -> Self {
        Self {
            since_first_ns: 0,
            link,
            header,
            frame,
            wire_bytes: 0,
            interface: 0,
            interface_name: None,
            direction: None,
            headers: OnceCell::new(),
        }
    }

    pub(super) fn headers(&self) -> &Headers {
        self.headers.get_or_init(|| classify(self.link, self.header, self.frame))
    }

    /// Returns addresses, protocol and ports, if the packet is IP.
    pub(super) fn flow(&self) -> &FlowKey {
        &self.headers().key
    }

    /// Returns the destination and source of Ethernet.
    pub(super) fn ethernet(&self) -> Option<([u8; 6], [u8; 6])> {
        if self.link != Link::Ethernet {
            return None;
        }
        Some((*self.frame.first_chunk()?, *self.frame.get(6..)?.first_chunk()?))
    }

    /// Returns the numbers of the packet's VLANs, the outermost first.
    pub(super) fn vlans(&self) -> impl Iterator<Item = u16> {
        let at = match self.link {
            Link::Ethernet => 12,
            Link::LinuxSll => 14,
            _ => usize::MAX - 8,
        };
        let word = |at: usize| self.frame.get(at..at + 2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]));
        (0..)
            .map(move |tag| at + 4 * tag)
            .take_while(move |at| word(*at).is_some_and(is_tag))
            .filter_map(move |at| Some(word(at + 2)? & 0x0fff))
    }
}
