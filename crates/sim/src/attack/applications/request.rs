//! A packet with the content that an application reads, and senders of such packets.

use crate::attack::quantity::Quantity;
use crate::attack::traffic::{Input, Inputs, OWN_FLOWS, to_time};
use forebay_core::{ParamSpec, Rng, Seed, Time};
use rand::RngExt as _;

/// A packet and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<T> {
    /// The time of arrival.
    pub arrival: Time,
    /// Its flow, counted from 0 within its stream.
    pub flow: u32,
    /// The length of the packet in bytes.
    pub size_bytes: u32,
    /// The content that the application reads.
    pub content: T,
}

impl<T> Input for Request<T> {
    fn arrival(&self) -> Time {
        self.arrival
    }

    fn flow(&self) -> u32 {
        self.flow
    }

    fn size_bytes(&self) -> u32 {
        self.size_bytes
    }

    fn set_flow(&mut self, flow: u32) {
        self.flow = flow;
    }
}

/// Innocent senders: the sizes of their packets, and the number of flows, all alike.
#[derive(Debug, Clone)]
pub struct Senders {
    /// The lengths of packets in bytes.
    pub size_bytes: Quantity,
    /// The number of flows; each packet belongs to one of them.
    pub flows: u32,
}

impl Senders {
    /// The parameter for the number of flows.
    pub const FLOWS: ParamSpec = ParamSpec::integer(
        "flows",
        1,
        1 << 20,
        Some(100),
        "number of innocent flows; the flow of each packet is drawn",
    );

    /// Returns `flows` flows with packets of 800 B on average.
    #[must_use]
    pub fn of(flows: u64) -> Self {
        let size_bytes = Quantity::Normal { mean: 800.0, deviation: 400.0, min: 64.0, max: 1_514.0 };
        Self { size_bytes, flows: u32::try_from(flows).unwrap_or(u32::MAX) }
    }

    /// Returns packets without end, back to back, at a rate in bits per second, with the contents that `content` makes. There are none at a
    /// rate of zero.
    pub(super) fn requests<T: Send + 'static>(
        &self,
        rate_bps: f64,
        seed: Seed,
        mut content: impl FnMut(u32, u32, &mut Rng) -> T + Send + 'static,
    ) -> Inputs<Request<T>> {
        let ps_per_bit = 1e12 / rate_bps;
        if !ps_per_bit.is_finite() {
            return Box::new(std::iter::empty());
        }
        let (senders, mut rng, mut bits) = (self.clone(), seed.stream("innocent/requests"), 0.0);
        Box::new(std::iter::repeat_with(move || {
            let size_bytes = to_size(senders.size_bytes.draw(&mut rng));
            bits += f64::from(size_bytes) * 8.0;
            let flow = rng.random_range(0..senders.flows.max(1));
            let content = content(flow, size_bytes, &mut rng);
            Request { arrival: to_time(bits * ps_per_bit), flow, size_bytes, content }
        }))
    }
}

/// Returns evenly spaced attack packets without end, at a rate in bits per second, each a flow of its own. There are none at a rate of
/// zero.
pub(super) fn evenly<T: Send + 'static>(
    rate_bps: f64,
    size_bytes: u32,
    mut content: impl FnMut(u64) -> T + Send + 'static,
) -> Inputs<Request<T>> {
    let gap_ps = f64::from(size_bytes) * 8.0 / rate_bps * 1e12;
    if !gap_ps.is_finite() {
        return Box::new(std::iter::empty());
    }
    Box::new((0_u64..).map(move |number| {
        let flow = u32::try_from(number % u64::from(OWN_FLOWS)).expect("less than 2^20");
        let arrival = to_time((number + 1) as f64 * gap_ps);
        Request { arrival, flow, size_bytes, content: content(number) }
    }))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn to_size(bytes: f64) -> u32 {
    (bytes.round() as u32).max(1)
}
