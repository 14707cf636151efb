//! Searches for inputs on which a policy does badly, by hill climbing.

use super::Input;
use super::random::{Shape, bursty};
use forebay_core::{Rng, Seed};
use rand::RngExt;
use std::ops::ControlFlow;

/// The settings of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// The bounds of the inputs.
    pub shape: Shape,
    /// The number of inputs to try.
    pub evaluations: usize,
    /// The search restarts from a random input after this many inputs that were no better.
    pub patience: usize,
    /// The seed; the same seed finds the same input.
    pub seed: Seed,
}

/// The numbers of packets, or the values, that a policy and the optimum transmit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// The total of the optimum.
    pub optimum: u64,
    /// The total of the policy.
    pub policy: u64,
}

impl Compared {
    /// Returns the optimum divided by the policy: 1 or more.
    #[must_use]
    pub fn ratio(self) -> f64 {
        self.optimum as f64 / self.policy as f64
    }

    /// Whether the ratio is higher than that of `other`. Without packets no ratio is higher.
    #[must_use]
    pub fn is_above(self, other: Self) -> bool {
        u128::from(self.optimum) * u128::from(other.policy) > u128::from(other.optimum) * u128::from(self.policy)
    }
}

/// The worst input that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The input.
    pub input: Input,
    /// The totals for this input.
    pub compared: Compared,
}

/// Searches for an input with a high ratio of the optimum to the policy. `compare` measures both, and can end the search.
pub fn search(search: &Search, mut compare: impl FnMut(&Input) -> ControlFlow<(), Compared>) -> Found {
    let mut rng = search.seed.stream("slotted/search");
    let mut worst = Found { input: Input::default(), compared: Compared { optimum: 1, policy: 1 } };
    let mut here = worst.clone();
    let mut in_vain = search.patience;
    for _ in 0..search.evaluations {
        let start_again = in_vain >= search.patience;
        let mut tried = if start_again { bursty(search.shape, &mut rng) } else { here.input.clone() };
        if !start_again {
            change(&mut tried, search.shape, &mut rng);
        }
        let ControlFlow::Continue(compared) = compare(&tried) else { break };
        if compared.policy == 0 {
            continue;
        }
        in_vain = if start_again || compared.is_above(here.compared) { 0 } else { in_vain + 1 };
        // An input as bad is taken as well, so that the search can leave a plateau.
        if start_again || !here.compared.is_above(compared) {
            here = Found { input: tried, compared };
        }
        if here.compared.is_above(worst.compared) {
            worst = here.clone();
        }
    }
    worst
}

/// Changes an input: adds some packets of a kind, removes one, replaces one, or moves the packets of a slot.
fn change(input: &mut Input, shape: Shape, rng: &mut Rng) {
    let slots = input.slots.len();
    if slots == 0 {
        return;
    }
    let slot = rng.random_range(0..slots);
    let packets = input.slots[slot].len();
    match rng.random_range(0..4) {
        0 => {
            let room = shape.burst.saturating_sub(packets);
            let many = if room == 0 { 0 } else { rng.random_range(1..=room) };
            let kind = shape.kinds.draw(rng);
            input.slots[slot].extend(vec![kind; many]);
        }
        1 if packets > 0 => {
            input.slots[slot].remove(rng.random_range(0..packets));
        }
        2 if packets > 0 => {
            let place = rng.random_range(0..packets);
            input.slots[slot][place] = shape.kinds.draw(rng);
        }
        _ => input.slots.swap(slot, rng.random_range(0..slots)),
    }
}
