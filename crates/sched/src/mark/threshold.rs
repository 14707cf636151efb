//! A threshold on the present queue length: the mark rule of switches for DCTCP.
//!
//! An arriving packet is marked if more than K bytes or packets wait. The packet in transmission does not count as waiting, and neither
//! does the arriving packet itself, unless `counting = "with-arriving"`.
//!
//! A packet whose sender does not understand marks is admitted unchanged, since the papers' switches only mark at K. Switches that
//! implement the threshold by RED drop such a packet, as does `red` with `min` and `max` one packet above K, and `weight = 1`.

use crate::marking::{Advice, Backlog, BuildMark, MakeMark, MarkEntry, MarkRule};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, Packet, ParamError, ParamSpec, Params, Rate, Seed, Time};

/// The paper's K at 10 Gb/s.
const DEFAULT_PACKETS: u64 = 65;

/// The registry's entry for [`Threshold`].
pub const ENTRY: MarkEntry = MarkEntry {
    about: About {
        name: "threshold",
        title: "Marks a packet if it finds a backlog of more than K (DCTCP)",
        exactness: Exactness::NotApplicable,
        hardware: "a comparison with the length of the queue; RED with both thresholds at K, on the queue as it is now",
        cost: "O(1), no state",
        source: "Alizadeh et al.: Data center TCP (DCTCP), SIGCOMM'10, section 3.1; RFC 8257, section 3.1",
        params: &[
            ParamSpec {
                name: "packets",
                kind: ParamKind::Integer { min: 0, max: 1 << 32, default: None },
                meaning: "K in packets; 65 if `bytes` is not given either",
            },
            ParamSpec {
                name: "bytes",
                kind: ParamKind::Integer { min: 0, max: 1 << 62, default: None },
                meaning: "K in bytes, in place of `packets`",
            },
            ParamSpec::choice(
                "counting",
                &["waiting", "with-arriving"],
                "waiting",
                "backlog that is compared with K: waiting, without the arriving packet; or with-arriving, including it",
            ),
        ],
    },
    also_known_as: &["dctcp"],
    make: MakeMark::of::<Threshold>(),
};

/// A queue length, in bytes or in packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A number of packets.
    Packets(u64),
    /// A number of bytes.
    Bytes(u64),
}

/// The queue length that is compared with the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// The backlog when the packet arrives.
    Waiting,
    /// The backlog when the packet arrives, with the packet itself.
    WithArriving,
}

/// Marks packets that arrive when the queue is longer than a threshold.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The greatest length at which no packet is marked.
    pub above: Limit,
    /// The length that is compared with `above`.
    pub counting: Counting,
}

impl BuildMark for Threshold {
    fn build(_: Rate, _: Seed, params: &Params) -> Result<Self, ParamError> {
        let above = match (params.integer("bytes"), params.integer("packets")) {
            (Some(_), Some(_)) => {
                return Err(ParamError::of("packets", "a threshold is in `bytes` or in `packets`, not in both"));
            }
            (Some(bytes), None) => Limit::Bytes(bytes),
            (None, packets) => Limit::Packets(packets.unwrap_or(DEFAULT_PACKETS)),
        };
        let counting = match params.text("counting") {
            "with-arriving" => Counting::WithArriving,
            _ => Counting::Waiting,
        };
        Ok(Self { above, counting })
    }
}

impl MarkRule for Threshold {
    fn arriving(&mut self, _: Time, packet: &Packet, waiting: Backlog) -> Advice {
        let queue = match self.counting {
            Counting::Waiting => waiting,
            Counting::WithArriving => waiting.with(packet),
        };
        let marks = match self.above {
            Limit::Packets(limit) => queue.packets > limit,
            Limit::Bytes(limit) => queue.bytes > limit,
        };
        if marks { Advice::Mark } else { Advice::Pass }
    }
}
