//! Packets of a recording as requests for the state of their flow.

use super::{Arrival, FormatEntry, about};
use crate::TraceError;
use crate::frame::{FlowKey, IpHeader};
use crate::recording::{CutOff, Recording, is_pcap};
use crate::requests::key::hash;
use crate::requests::reader_checks::Intake;
use crate::requests::{Facts, RequestReader};
use forebay_core::{Clock, ParamSpec, Request};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::IpAddr;

const NAME: &str = "pcap";
/// Packets of several queues of a network card are written a little out of order.
const WINDOW: usize = 1_024;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "The packets of a pcap or pcapng; the key is the 5-tuple, the time that of the packet in nanoseconds",
        "thesis, section 2.1: network traces, with flows as objects",
        &[
            ParamSpec::choice(
                "key",
                &["flow", "source", "destination", "pair"],
                "flow",
                "what a packet asks for: `flow` (addresses, protocol and ports), `source` or `destination` (an address), or \
                 `pair` (both addresses)",
            ),
            ParamSpec::choice(
                "ip-header",
                IpHeader::NAMES,
                "outer",
                "`second` or `inner` to take addresses, protocol and ports from the header in the outermost or the innermost tunnel",
            ),
            ParamSpec::choice(
                "cut-off",
                &["refuse", "use"],
                "refuse",
                "`use` to take the packets before the place where the recording is cut off or damaged",
            ),
        ],
    ),
    also_known_as: &["pcapng"],
    endings: &["pcap", "pcapng"],
    recognise: |start| is_pcap(start.bytes()).into(),
    open: |input, params| {
        let key = match params.text("key") {
            "source" => Key::Source,
            "destination" => Key::Destination,
            "pair" => Key::Pair,
            _ => Key::Flow,
        };
        let header = params.text("ip-header").parse().unwrap_or_default();
        let use_cut_off = params.text("cut-off") == "use";
        Ok(Box::new(Packets {
            recording: Recording::new(input)?.with_header(header),
            key,
            use_cut_off,
            intake: Intake::new(Clock::Nanoseconds),
            start: None,
            earliest: i128::MIN,
            latest: None,
            packets: 0,
            sorted: 0,
            window: BinaryHeap::new(),
        }))
    },
    writer: None,
};

#[derive(Debug, Clone, Copy)]
enum Key {
    Flow,
    Source,
    Destination,
    Pair,
}

impl Key {
    /// The key of a packet: XXH64 of the bytes of the addresses, the protocol and the
    /// ports, as far as they belong to it; of the EtherType without IP.
    fn of(self, flow: &FlowKey) -> u64 {
        let mut bytes = Vec::with_capacity(40);
        match flow {
            FlowKey::Ip { source, destination, protocol, ports } => {
                let mut address = |address: &IpAddr| match address {
                    IpAddr::V4(address) => bytes.extend(address.octets()),
                    IpAddr::V6(address) => bytes.extend(address.octets()),
                };
                match self {
                    Self::Source => address(source),
                    Self::Destination => address(destination),
                    Self::Flow | Self::Pair => {
                        address(source);
                        address(destination);
                    }
                }
                if let Self::Flow = self {
                    bytes.push(*protocol);
                    bytes.extend(ports.0.to_be_bytes());
                    bytes.extend(ports.1.to_be_bytes());
                }
            }
            FlowKey::Other(ether_type) => bytes.extend(ether_type.to_be_bytes()),
        }
        hash(&bytes)
    }
}

struct Packets {
    recording: Recording<'static>,
    key: Key,
    use_cut_off: bool,
    intake: Intake,
    /// The time of the first request, once there is one.
    start: Option<i128>,
    /// The time of the last packet that left the window.
    earliest: i128,
    /// The latest time so far.
    latest: Option<i128>,
    packets: u64,
    /// Packets that were earlier than one before them.
    sorted: u64,
    /// The packets that may still be overtaken: time, place in the recording, key.
    window: BinaryHeap<Reverse<(i128, u64, u64)>>,
}

impl Packets {
    fn next_packet(&mut self) -> Result<Option<Request>, TraceError> {
        while self.window.len() < WINDOW {
            let key = self.key;
            let take = |packet: crate::recording::Captured<'_>| (packet.ns, key.of(&packet.headers().key));
            let Some((ns, key)) = self.recording.next_packet(take) else {
                self.check_end()?;
                break;
            };
            self.packets += 1;
            if ns < self.earliest {
                return Err(TraceError::File(format!(
                    "packet {} is earlier than {WINDOW} packets before it; sort the recording with `reordercap`",
                    self.packets
                )));
            }
            self.sorted += u64::from(self.latest > Some(ns));
            self.latest = self.latest.max(Some(ns));
            self.window.push(Reverse((ns, self.packets, key)));
        }
        let Some(Reverse((ns, number, key))) = self.window.pop() else {
            self.intake.finish()?;
            return Ok(None);
        };
        self.earliest = ns;
        let start = *self.start.get_or_insert(ns);
        let time = u64::try_from(ns - start).map_err(|_| {
            TraceError::File(format!(
                "packet {number} is more than 584 years after the first; if its time stamp is damaged, cut it out"
            ))
        })?;
        let request = self.intake.take(Arrival { time, key, size: 1 });
        request.map(Some).map_err(|message| TraceError::File(format!("packet {number}: {message}")))
    }

    fn check_end(&self) -> Result<(), TraceError> {
        if self.packets == 0 && self.recording.account().records > 0 {
            return Err(self.recording.nothing_to_use());
        }
        match self.recording.cut_off() {
            Some(CutOff { why, offset }) if !self.use_cut_off => Err(TraceError::File(format!(
                "packet {} (byte {offset}): {why}; to use the packets before that: --format-in pcap:cut-off=use",
                self.packets + 1
            ))),
            _ => Ok(()),
        }
    }
}

impl RequestReader for Packets {
    fn facts(&self) -> Facts {
        Facts { format: NAME, clock: Clock::Nanoseconds, sizes: false }
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            match self.next_packet()? {
                Some(request) => chunk.push(request),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.intake.warnings();
        if self.sorted > 0 {
            warnings.push(format!("{} packets were earlier than a packet before them; sorted by time", self.sorted));
        }
        if let Some(CutOff { why, offset }) = self.recording.cut_off() {
            warnings.push(format!("{why} at byte {offset}; the {} packets before that are used", self.packets));
        }
        warnings.extend(self.recording.account().warnings());
        warnings
    }
}
