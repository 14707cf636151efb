//! Rank orders that harm approximate queues: ramps, and a search for worse.
//!
//! SP-PIFO's bounds follow the ranks. An attacker lets the ranks rise and then drop: packets that entered queues of high priority then
//! block the packets that follow. Source: SP-PIFO (NSDI'20), section 7 and appendix B.3, which names the ramp and leaves open which orders
//! are worst. [`search`] looks for them by hill climbing: it changes a few ranks and keeps each change that does not lessen the harm.
//!
//! Harm is measured at a steady backlog: packets arrive until the backlog is reached, then each arrival is followed by a departure, and at
//! last the queue drains.

use crate::queues::traits::RankQueue;
use forebay_core::{Packet, Rng, Seed, ramp};
use rand::RngExt;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Returns `count` ramps of `length` ranks each, rising evenly from `lowest` to `highest`.
#[must_use]
pub fn ramps(count: usize, length: usize, lowest: u64, highest: u64) -> Vec<u64> {
    (0..count).flat_map(|_| ramp(length, lowest, highest)).collect()
}

/// Returns `ranks` in random order.
#[must_use]
pub fn shuffled(ranks: &[u64], seed: Seed) -> Vec<u64> {
    let mut rng = seed.stream("adversary/shuffle");
    let mut left = ranks.to_vec();
    (0..ranks.len()).map(|_| left.swap_remove(rng.random_range(0..left.len()))).collect()
}

/// Returns `ranks` with a random rank, up to `highest`, after every second rank. The inserted packets are an innocent flow, half as fast as
/// the attack.
#[must_use]
pub fn with_another_flow(ranks: &[u64], highest: u64, seed: Seed) -> Vec<u64> {
    let mut rng = seed.stream("adversary/another-flow");
    let mut mixed = Vec::with_capacity(ranks.len() * 3 / 2);
    for pair in ranks.chunks(2) {
        mixed.extend_from_slice(pair);
        mixed.push(rng.random_range(0..=highest));
    }
    mixed
}

/// The harm that an order of ranks did to a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Harm {
    /// The number of packets that were dequeued while a packet of lower rank waited.
    pub inversions: u64,
    /// The sum over all departures of the rank minus the lowest waiting rank (SP-PIFO's unpifoness).
    pub excess: u128,
    /// The number of packets that were served.
    pub served: u64,
    /// The number of packets that the queue did not admit.
    pub refused: u64,
}

impl Harm {
    /// Inversions per packet served.
    #[must_use]
    pub fn inversions_per_packet(&self) -> f64 {
        self.inversions as f64 / self.served.max(1) as f64
    }

    /// The mean difference between the rank served and the lowest waiting rank.
    #[must_use]
    pub fn excess_per_packet(&self) -> f64 {
        self.excess as f64 / self.served.max(1) as f64
    }
}

/// Offers `ranks` to an empty queue at a backlog of `backlog` packets, and returns the harm.
pub fn harm(queue: &mut dyn RankQueue<Packet>, ranks: &[u64], backlog: usize) -> Harm {
    let mut harm = Harm::default();
    let mut waiting = BTreeMap::new();
    for (arrival, &rank) in ranks.iter().enumerate() {
        match queue.push(rank, Packet { rank, ..Packet::default() }) {
            Ok(()) => *waiting.entry(rank).or_insert(0_u64) += 1,
            Err(_) => harm.refused += 1,
        }
        if arrival >= backlog {
            depart(queue, &mut waiting, &mut harm);
        }
    }
    while depart(queue, &mut waiting, &mut harm) {}
    harm
}

/// Dequeues a packet, if there is one.
fn depart(queue: &mut dyn RankQueue<Packet>, waiting: &mut BTreeMap<u64, u64>, harm: &mut Harm) -> bool {
    let Some((_, packet)) = queue.pop_min() else { return false };
    let lowest = waiting.first_key_value().map_or(packet.rank, |(&rank, _)| rank);
    harm.inversions += u64::from(lowest < packet.rank);
    harm.excess += u128::from(packet.rank - lowest);
    harm.served += 1;
    if let Some(count) = waiting.get_mut(&packet.rank) {
        *count -= 1;
        if *count == 0 {
            waiting.remove(&packet.rank);
        }
    }
    true
}

/// The measure that a search maximises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// Maximise [`Harm::inversions`].
    Inversions,
    /// Maximise [`Harm::excess`].
    Excess,
}

impl Objective {
    fn score(self, harm: &Harm) -> u128 {
        match self {
            Self::Inversions => harm.inversions.into(),
            Self::Excess => harm.excess,
        }
    }
}

/// The parameters of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// The number of ranks in an order, above 0.
    pub length: usize,
    /// The highest rank; the lowest is 0.
    pub highest: u64,
    /// The number of packets that wait.
    pub backlog: usize,
    /// The measure to maximise.
    pub objective: Objective,
    /// The number of orders to try, above 0.
    pub evaluations: usize,
    /// The seed of the search; the same seed finds the same order.
    pub seed: Seed,
}

/// The worst order that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The order.
    pub ranks: Vec<u64>,
    /// The harm that the order does.
    pub harm: Harm,
    /// The number of orders that were tried.
    pub evaluations: usize,
}

/// Searches for an order that harms the queue that `build` makes, starting from a random order. After every order, `progress` receives the
/// number of tried orders and the harm of the worst order, and can end the search.
///
/// # Panics
/// If the order has no ranks.
pub fn search<Q: RankQueue<Packet>>(
    search: &Search,
    mut build: impl FnMut() -> Q,
    mut progress: impl FnMut(usize, &Harm) -> ControlFlow<()>,
) -> Found {
    assert!(search.length > 0, "an order has ranks");
    let mut rng = search.seed.stream("adversary/search");
    let ranks: Vec<u64> = (0..search.length).map(|_| rng.random_range(0..=search.highest)).collect();
    let first = harm(&mut build(), &ranks, search.backlog);
    let mut worst = Found { ranks, harm: first, evaluations: 1 };
    let mut tried = worst.ranks.clone();
    while worst.evaluations < search.evaluations && progress(worst.evaluations, &worst.harm).is_continue() {
        tried.copy_from_slice(&worst.ranks);
        change(&mut tried, search.highest, &mut rng);
        let harm = harm(&mut build(), &tried, search.backlog);
        worst.evaluations += 1;
        // Equal harm is taken as well, so that the search can leave a plateau.
        if search.objective.score(&harm) >= search.objective.score(&worst.harm) {
            std::mem::swap(&mut worst.ranks, &mut tried);
            worst.harm = harm;
        }
    }
    worst
}

/// Changes one rank, exchanges two ranks, or writes a ramp over some of them.
fn change(ranks: &mut [u64], highest: u64, rng: &mut Rng) {
    let place = rng.random_range(0..ranks.len());
    match rng.random_range(0..3) {
        0 => ranks[place] = rng.random_range(0..=highest),
        1 => ranks.swap(place, rng.random_range(0..ranks.len())),
        _ => {
            let length = rng.random_range(1..=(ranks.len() - place).min(16));
            let (from, to) = (rng.random_range(0..=highest), rng.random_range(0..=highest));
            for (rank, on_ramp) in ranks[place..].iter_mut().zip(ramp(length, from.min(to), from.max(to))) {
                *rank = on_ramp;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::queue::fifo::Fifo;
    use crate::queues::queue::pifo::Pifo;

    #[test]
    fn ramps_rise_evenly_and_a_shuffle_keeps_the_ranks() {
        let two = ramps(2, 5, 10, 30);
        assert_eq!(two, [10, 15, 20, 25, 30, 10, 15, 20, 25, 30]);
        let mut back = shuffled(&two, Seed(1));
        assert_ne!(back, two);
        back.sort_unstable();
        assert_eq!(back, [10, 10, 15, 15, 20, 20, 25, 25, 30, 30]);
    }

    #[test]
    fn harm_is_counted_as_by_hand() {
        // 5 leaves before 3 and 4, 3 leaves rightly, 4 and 9 too.
        let expected = Harm { inversions: 1, excess: 2, served: 4, refused: 0 };
        assert_eq!(harm(&mut Fifo::new(4), &[5, 3, 4, 9], 2), expected);
        assert_eq!(harm(&mut Pifo::new(4), &[5, 3, 4, 9], 2), Harm { inversions: 0, excess: 0, ..expected });
        assert_eq!(harm(&mut Fifo::new(1), &[5, 3], 2).refused, 1);
    }

    #[test]
    fn a_search_ends_when_it_is_told_to_and_depends_on_its_seed_only() {
        let spec =
            Search { length: 20, highest: 9, backlog: 4, objective: Objective::Excess, evaluations: 50, seed: Seed(1) };
        let found = || search(&spec, || Fifo::new(20), |_, _| ControlFlow::Continue(()));
        assert_eq!(found(), found());
        assert_eq!(found().evaluations, 50);
        assert_eq!(harm(&mut Fifo::new(20), &found().ranks, 4), found().harm);
        let stopped = search(
            &spec,
            || Fifo::new(20),
            |tried, _| if tried < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) },
        );
        assert_eq!(stopped.evaluations, 7);
    }
}
