//! Innocent TCP flows: heavy-tailed sizes, full and small packets, some of them lost and retransmitted, some overtaken.

use super::wire_bytes;
use crate::attack::traffic::{Inputs, to_time};
use forebay_core::{FlowId, Rng, Seed};
use forebay_traces::{TcpFlags, TcpSegment};
use rand::RngExt as _;
use rand_distr::{Distribution as _, Pareto};

/// Data of a full segment in bytes.
const MSS: u32 = 1_460;
/// The least and the greatest number of data segments of its flow before a lost segment is sent again. It is sent at the earliest after
/// three duplicate acknowledgements, at the latest before Pigasus' window is full.
const LOST_FOR: (u32, u32) = (3, 8);
/// The range of the number of data segments of its flow that overtake an overtaken segment.
const OVERTAKEN_BY: (u32, u32) = (1, 3);

/// A recipe for innocent flows.
///
/// The default models a recording of a backbone: packets of 1,016 B on average, 2 % of which arrive ahead of a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InnocentFlows {
    /// The number of flows that send at the same time, all alike; when a flow ends, the next begins.
    pub concurrent: u32,
    /// The least size of a flow in bytes. Sizes have a Pareto distribution.
    pub least_bytes: u64,
    /// The shape of the Pareto distribution, above 0; the smaller, the heavier the tail.
    pub shape: f64,
    /// The greatest size of a flow in bytes; larger sizes are reduced to it.
    pub most_bytes: u64,
    /// The share of packets that are acknowledgements without data.
    pub acknowledgements: f64,
    /// The share of data segments that are lost before the processor and are sent again.
    pub lost: f64,
    /// The share of data segments that one to three others overtake.
    pub overtaken: f64,
}

impl Default for InnocentFlows {
    fn default() -> Self {
        Self {
            concurrent: 1_000,
            least_bytes: 5_000,
            shape: 1.2,
            most_bytes: 100_000_000,
            acknowledgements: 0.27,
            lost: 0.005,
            overtaken: 0.005,
        }
    }
}

impl InnocentFlows {
    /// Returns segments without end, back to back, at `rate_bps` bits per second. There are none at a rate of zero, or if the shape is not
    /// above 0.
    #[must_use]
    pub fn segments(&self, rate_bps: f64, seed: Seed) -> Inputs<TcpSegment> {
        let ps_per_bit = 1e12 / rate_bps;
        let Ok(sizes) = Pareto::new(self.least_bytes.max(1) as f64, self.shape) else {
            return Box::new(std::iter::empty());
        };
        if !ps_per_bit.is_finite() {
            return Box::new(std::iter::empty());
        }
        let mut sending = Sending {
            recipe: *self,
            sizes,
            senders: Vec::new(),
            next_flow: 0,
            ps_per_bit,
            bits: 0.0,
            rng: seed.stream("innocent/tcp"),
        };
        for _ in 0..self.concurrent.max(1) {
            // Somewhere in the middle of its flow.
            let sender = sending.new_sender();
            let left = (sender.left as f64 * sending.rng.random::<f64>()).ceil();
            sending.senders.push(Sender { opened: true, left: to_bytes(left), ..sender });
        }
        Box::new(sending)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn to_bytes(bytes: f64) -> u64 {
    (bytes as u64).max(1)
}

/// A flow that is sending.
struct Sender {
    flow: u32,
    opened: bool,
    /// The sequence number of the next byte.
    sequence: u32,
    /// Bytes that were not cut into segments yet.
    left: u64,
    /// Data segments that were sent.
    sent: u32,
    late: Vec<Late>,
}

/// A segment that arrives late.
struct Late {
    /// The number of sent data segments of the flow at which the segment is due.
    due: u32,
    data: Data,
}

#[derive(Clone, Copy)]
struct Data {
    sequence: u32,
    bytes: u32,
    last: bool,
}

impl Sender {
    /// The next data in order.
    fn cut(&mut self) -> Option<Data> {
        let bytes = u32::try_from(self.left.min(MSS.into())).ok().filter(|&bytes| bytes > 0)?;
        self.left -= u64::from(bytes);
        let data = Data { sequence: self.sequence, bytes, last: self.left == 0 };
        self.sequence = self.sequence.wrapping_add(bytes);
        Some(data)
    }

    /// The late segment that is due first, if it is due.
    fn take_late(&mut self, even_if_early: bool) -> Option<Data> {
        let (place, late) = self.late.iter().enumerate().min_by_key(|(_, late)| late.due)?;
        (even_if_early || late.due <= self.sent).then_some(place).map(|place| self.late.remove(place).data)
    }
}

struct Sending {
    recipe: InnocentFlows,
    sizes: Pareto<f64>,
    senders: Vec<Sender>,
    next_flow: u32,
    ps_per_bit: f64,
    /// Sent by all flows.
    bits: f64,
    rng: Rng,
}

impl Sending {
    fn new_sender(&mut self) -> Sender {
        let flow = self.next_flow;
        self.next_flow = self.next_flow.wrapping_add(1);
        let left = to_bytes(self.sizes.sample(&mut self.rng)).min(self.recipe.most_bytes.max(1));
        Sender { flow, opened: false, sequence: self.rng.random(), left, sent: 0, late: Vec::new() }
    }

    /// The next data that this sender's flow brings; `None` when all has come.
    fn data(&mut self, place: usize) -> Option<Data> {
        loop {
            if let Some(data) = self.senders[place].take_late(false) {
                return Some(data);
            }
            let Some(data) = self.senders[place].cut() else {
                return self.senders[place].take_late(true);
            };
            let chance: f64 = self.rng.random();
            let (least, most) = if chance < self.recipe.lost {
                LOST_FOR
            } else if chance < self.recipe.lost + self.recipe.overtaken {
                OVERTAKEN_BY
            } else {
                return Some(data);
            };
            let due = self.senders[place].sent + self.rng.random_range(least..=most);
            self.senders[place].late.push(Late { due, data });
        }
    }
}

impl Iterator for Sending {
    type Item = TcpSegment;

    fn next(&mut self) -> Option<TcpSegment> {
        let place = self.rng.random_range(0..self.senders.len());
        let acknowledges = self.rng.random::<f64>() < self.recipe.acknowledgements;
        let mut flags = TcpFlags::default();
        let sender = &mut self.senders[place];
        let flow = FlowId(sender.flow);
        let (sequence, payload_bytes) = if !sender.opened {
            sender.opened = true;
            flags.syn = true;
            let before = sender.sequence.wrapping_sub(1);
            (before, 0)
        } else if acknowledges {
            (sender.sequence, 0)
        } else if let Some(data) = self.data(place) {
            let sender = &mut self.senders[place];
            sender.sent += 1;
            flags.fin = data.last;
            (data.sequence, data.bytes)
        } else {
            self.senders[place] = self.new_sender();
            return self.next();
        };
        let size_bytes = wire_bytes(payload_bytes);
        self.bits += f64::from(size_bytes) * 8.0;
        let arrival = to_time(self.bits * self.ps_per_bit);
        Some(TcpSegment { arrival, flow, sequence, payload_bytes, size_bytes, flags })
    }
}
