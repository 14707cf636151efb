//! Random inputs that come in bursts.

use super::{Arrival, Input};
use forebay_core::Rng;
use rand::RngExt;

/// The shape of random inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Slots with arrivals.
    pub slots: usize,
    /// The most packets in a slot, at least 1.
    pub burst: usize,
    /// The kinds of packets.
    pub kinds: Kinds,
}

/// The kinds of packets; all kinds are equally likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    /// Packets of a single queue, with 1 to this many cycles.
    Work(u32),
    /// Packets of a single queue, of one cycle and a value from 1 to this.
    Values(u32),
    /// Packets of this many separate queues.
    Queues(u16),
}

impl Kinds {
    /// Draws one packet.
    pub fn draw(self, rng: &mut Rng) -> Arrival {
        match self {
            Self::Work(most) => Arrival::of_work(rng.random_range(1..=most.max(1))),
            Self::Values(most) => Arrival::of_value(rng.random_range(1..=most.max(1))),
            Self::Queues(most) => Arrival::to_queue(rng.random_range(1..=most.max(1))),
        }
    }
}

/// Returns a random input. Bursts and silences alternate, and each continues with its own probability. These probabilities and the most
/// packets in a slot of a burst differ from input to input.
#[must_use]
pub fn bursty(shape: Shape, rng: &mut Rng) -> Input {
    let burst_goes_on = rng.random_range(0.2..0.95);
    let silence_goes_on = rng.random_range(0.0..0.9);
    let most = rng.random_range(1..=shape.burst.max(1));
    let mut bursting = true;
    let mut slot = || {
        bursting = rng.random_bool(if bursting { burst_goes_on } else { 1.0 - silence_goes_on });
        let packets = if bursting { rng.random_range(1..=most) } else { 0 };
        (0..packets).map(|_| shape.kinds.draw(rng)).collect()
    };
    Input { slots: (0..shape.slots).map(|_| slot()).collect() }
}
