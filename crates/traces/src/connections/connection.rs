//! A connection while a recording is read.

use super::one_direction::{Half, Span};
use super::{Carried, Connection, Transfer};
use crate::directions::{Sides, Way};
use crate::frame::TcpHeader;
use forebay_core::{Duration, Time};
use std::net::{IpAddr, SocketAddr};

/// Both directions of a connection, and the progress of its handshake.
#[derive(Debug)]
pub(super) struct Tracked {
    ends: [SocketAddr; 2],
    start_ns: i128,
    halves: [Half; 2],
    handshake: Handshake,
}

/// Times in nanoseconds since 1970.
#[derive(Debug, Default)]
struct Handshake {
    /// The last SYN before its answer.
    syn_ns: Option<i128>,
    /// The time of the first SYN-ACK after the SYN.
    answered_ns: Option<i128>,
    /// The last SYN-ACK.
    answer_ns: i128,
    /// The whole.
    done_ns: Option<i128>,
}

impl Tracked {
    pub(super) fn new(ends: [SocketAddr; 2], start_ns: i128) -> Self {
        Self { ends, start_ns, halves: Default::default(), handshake: Handshake::default() }
    }

    /// Returns whether this segment from this end begins another connection of the same ends.
    pub(super) fn is_reopened_by(&self, from: usize, header: &TcpHeader) -> bool {
        if !header.syn || header.acknowledgement.is_some() {
            return false;
        }
        let is_used = self.halves.iter().any(Half::is_used);
        self.halves[from].syn.map_or(is_used, |known| known != header.sequence)
    }

    /// Adds a segment from this end.
    pub(super) fn segment(&mut self, ns: i128, from: usize, header: &TcpHeader, way: Way, pause_ns: i128) {
        self.handshake.segment(ns, from, header, self.halves[1].syn);
        self.halves[from].way.get_or_insert(way);
        self.halves[from].sent(ns, header, pause_ns);
        if let Some(number) = header.acknowledgement.filter(|_| !header.rst) {
            self.halves[1 - from].acknowledged(ns, number);
        }
    }

    /// Returns the packets in each direction, by addresses.
    pub(super) fn packets(&self) -> [((IpAddr, IpAddr), u64); 2] {
        let [a, b] = self.ends.map(|end| end.ip());
        [((a, b), self.halves[0].packets), ((b, a), self.halves[1].packets)]
    }

    /// Returns the connection to report; [`None`] if a time is not within `most_ns` of the start of the recording.
    pub(super) fn finish(self, recording_ns: i128, most_ns: i128, sides: Option<Sides>) -> Option<Connection> {
        let Self { ends, start_ns, halves, handshake } = self;
        let time = |ns: i128| {
            let ns = u64::try_from(ns - recording_ns).ok().filter(|ns| i128::from(*ns) < most_ns)?;
            Some(Time::from_ns(ns))
        };
        let duration = |ns: i128| u64::try_from(ns).ok().map(Duration::from_ns);
        let has_beginning = handshake.syn_ns.is_some();
        let has_end = halves.iter().any(|half| half.has_ended);
        let carried = |half: Half, from: usize| {
            let transfer =
                |span: &Span| Some(Transfer { start: time(span.start_ns)?, bytes: span.bytes(), dscp: span.dscp });
            let transfers = half.spans.iter().map(transfer).collect::<Option<Vec<_>>>()?;
            let way = half.way;
            let is_main = sides.and_then(|sides| sides.is_first(way?, ends[from].ip(), ends[1 - from].ip()));
            Some(Carried {
                packets: half.packets,
                bytes: transfers.iter().map(|transfer| transfer.bytes).sum(),
                transfers,
                to_receiver: half.least_ns.and_then(duration),
                is_main,
            })
        };
        let [first, second] = halves;
        Some(Connection {
            ends,
            start: time(start_ns)?,
            directions: [carried(first, 0)?, carried(second, 1)?],
            handshake: handshake.done_ns.and_then(duration),
            has_beginning,
            has_end,
        })
    }
}

impl Handshake {
    /// A segment from this end; `answer` is the number of the SYN-ACK if there has been one.
    fn segment(&mut self, ns: i128, from: usize, header: &TcpHeader, answer: Option<u32>) {
        match (from, header.syn, header.acknowledgement) {
            (0, true, None) if self.answered_ns.is_none() => self.syn_ns = Some(ns),
            (1, true, Some(_)) if self.done_ns.is_none() => {
                if let Some(syn_ns) = self.syn_ns {
                    self.answered_ns.get_or_insert(ns - syn_ns);
                    self.answer_ns = ns;
                }
            }
            (0, false, Some(number)) if self.done_ns.is_none() && !header.rst => {
                self.done_ns = match (self.answered_ns, self.syn_ns, answer) {
                    (Some(answered_ns), _, Some(own)) if own.wrapping_add(1) == number => {
                        Some(answered_ns + (ns - self.answer_ns))
                    }
                    // The other direction is not recorded: this acknowledges a SYN-ACK that was not seen.
                    (None, Some(syn_ns), None) => Some(ns - syn_ns),
                    _ => None,
                };
            }
            _ => {}
        }
    }
}
