//! Random early detection (RED) with marks: the longer the queue has been on average, the more packets are marked.
//!
//! Each arriving packet moves the average towards the present length of the queue, by the share `weight` of the difference. From `min` on,
//! packets are marked with a probability that rises to `max_p` at `max`. The probability also depends on the number of packets since the
//! last mark, so that the distances between marks are about equal. From `max` on, all packets are marked. While the queue is empty, the
//! average decays as if packets of `packet_bytes` arrived back to back at the rate of the link and found the queue empty.
//!
//! A packet whose sender does not understand marks is dropped instead (RFC 3168, section 5).
//!
//! Chosen here: the packet that ends such a pause finds the queue empty, too, so it is counted with the packets of the pause. With `weight
//! = 1`, the average then equals the present length. The count since the last mark is the number of unmarked packets, as in the paper's
//! analysis. This makes distances uniform from 1 to 1 / probability; the paper's pseudo-code counts one more. With lengths in bytes all
//! packets have the same probability, whatever their size (RFC 7141, section 2.2).

use crate::marking::{Advice, Backlog, BuildMark, MakeMark, MarkEntry, MarkRule};
use forebay_core::params::ParamKind;
use forebay_core::{
    About, BufferSize, Duration, Exactness, Packet, ParamError, ParamSpec, Params, Rate, Rng, Seed, Time,
};
use rand::RngExt as _;

/// The registry's entry for [`Red`].
pub const ENTRY: MarkEntry = MarkEntry {
    about: About {
        name: "red",
        title: "Random early detection: marks more packets the longer the average queue is, and drops packets without ECN instead",
        exactness: Exactness::NotApplicable,
        hardware: "an average, a counter and random numbers per port; common in switches",
        cost: "O(1) per packet, O(log of its length) after a pause",
        source: "Floyd, Jacobson: Random early detection gateways, ToN 1993, section IV; RFC 3168, section 5",
        params: &[
            ParamSpec::buffer(
                "min",
                "5 packets",
                "average queue length from which on packets are marked, in packets or bytes",
            ),
            ParamSpec::buffer(
                "max",
                "15 packets",
                "average queue length from which on every packet is marked; in the unit of `min`, and at least `min`",
            ),
            ParamSpec {
                name: "max_p",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.02 },
                meaning: "share of packets that is marked just below `max`, before the distance from the last mark is taken \
                          into account",
            },
            ParamSpec {
                name: "weight",
                kind: ParamKind::Number { min: 0.000_001, max: 1.0, default: 0.002 },
                meaning: "weight in the average of the queue that a packet finds; with 1 the average is the present queue",
            },
            ParamSpec {
                name: "packet_bytes",
                kind: ParamKind::Integer { min: 1, max: Packet::MAX_BYTES as u64, default: Some(1_500) },
                meaning: "size of a typical packet, for the decay of the average while the queue is empty",
            },
        ],
    },
    also_known_as: &[],
    make: MakeMark::of::<Red>(),
};

/// The parameters of RED.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RedSpec {
    /// The average queue length from which on packets are marked.
    pub min: BufferSize,
    /// The average queue length from which on all packets are marked, in the same unit as `min`, and at least `min`.
    pub max: BufferSize,
    /// The probability of a mark just below `max`, 0 to 1.
    pub max_p: f64,
    /// The share of the present queue length in the average, above 0 and at most 1.
    pub weight: f64,
    /// The size of a typical packet.
    pub packet_bytes: u32,
}

impl RedSpec {
    fn read(params: &Params) -> Result<Self, ParamError> {
        let (min, max) = (params.buffer("min"), params.buffer("max"));
        let fits = match (min, max) {
            (BufferSize::Packets(min), BufferSize::Packets(max)) | (BufferSize::Bytes(min), BufferSize::Bytes(max)) => {
                min <= max
            }
            _ => false,
        };
        if !fits {
            return Err(ParamError::of(
                "max",
                format!("`max` must have the unit of `min` and be {min} or more, not {max}"),
            ));
        }
        let packet_bytes = params.integer("packet_bytes").and_then(|bytes| u32::try_from(bytes).ok()).unwrap_or(1);
        Ok(Self { min, max, max_p: params.number("max_p"), weight: params.number("weight"), packet_bytes })
    }
}

/// A mark rule that goes by the average queue length.
#[derive(Debug, Clone)]
pub struct Red {
    min: f64,
    max: f64,
    in_bytes: bool,
    max_p: f64,
    weight: f64,
    typical: Duration,
    average: f64,
    /// The number of unmarked packets since the last mark, or since the average was below `min`.
    unmarked: u64,
    /// The time since which the queue is empty, or at which a packet last found it empty.
    empty_since: Time,
    rng: Rng,
}

impl Red {
    /// Creates RED for a link of `link_rate`, with an average of 0.
    #[must_use]
    pub fn new(spec: RedSpec, link_rate: Rate, seed: Seed) -> Self {
        let number = |length| match length {
            BufferSize::Packets(number) | BufferSize::Bytes(number) => number as f64,
        };
        Self {
            min: number(spec.min),
            max: number(spec.max),
            in_bytes: matches!(spec.min, BufferSize::Bytes(_)),
            max_p: spec.max_p,
            weight: spec.weight,
            typical: link_rate.transmission_time(spec.packet_bytes),
            average: 0.0,
            unmarked: 0,
            empty_since: Time::ZERO,
            rng: seed.stream("red/marks"),
        }
    }

    fn update_average(&mut self, now: Time, waiting: Backlog) {
        if waiting.packets == 0 {
            let missed = now.since(self.empty_since).as_ps() / self.typical.as_ps().max(1);
            self.average *= power(1.0 - self.weight, missed.saturating_add(1));
            self.empty_since = now;
        } else {
            let queue = if self.in_bytes { waiting.bytes } else { waiting.packets };
            self.average += self.weight * (queue as f64 - self.average);
        }
    }
}

/// Returns `base` to the power of `exponent`, computed by squaring: the same bits on every machine, unlike `powf`.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

impl BuildMark for Red {
    fn build(link_rate: Rate, seed: Seed, params: &Params) -> Result<Self, ParamError> {
        Ok(Self::new(RedSpec::read(params)?, link_rate, seed))
    }
}

impl MarkRule for Red {
    fn arriving(&mut self, now: Time, _: &Packet, waiting: Backlog) -> Advice {
        self.update_average(now, waiting);
        if self.average < self.min {
            self.unmarked = 0;
            return Advice::Pass;
        }
        let is_marked = self.average >= self.max || {
            let share = self.max_p * (self.average - self.min) / (self.max - self.min);
            // share / (1 - unmarked x share): the packet that is number 1 / share since the last mark is certain.
            let left = 1.0 - self.unmarked as f64 * share;
            self.rng.random::<f64>() * left < share
        };
        self.unmarked = if is_marked { 0 } else { self.unmarked + 1 };
        if is_marked { Advice::MarkOrDrop } else { Advice::Pass }
    }

    fn leaving(&mut self, now: Time, _: &Packet, waiting: Backlog) -> bool {
        if waiting.packets == 0 {
            self.empty_since = now;
        }
        false
    }
}
