//! A single queue, throughput: the most packets that any policy could transmit.
//!
//! [`optimum`] makes no assumption on how that is reached, but is for small inputs only. [`shortest_first`] is fast; that it is an optimum
//! is a theorem (Keslassy et al. 2012), which tests check against [`optimum`].

use super::{Arrival, Input};
use std::collections::BTreeMap;

/// The greatest number of a packet's cycles for [`optimum`].
pub const MOST_CYCLES: u32 = 15;
/// The greatest buffer for [`optimum`].
pub const MOST_PACKETS: u32 = 15;

/// The number of queued packets with `n` remaining cycles, for each `n`: four bits each, `n = 1` lowest.
type Waiting = u64;

const BITS: u32 = 4;
const MASK: u64 = (1 << BITS) - 1;

fn one(cycles: u32) -> Waiting {
    1 << (BITS * (cycles - 1))
}

/// Returns the most packets that can be transmitted with a buffer of `buffer` packets, by trying everything. An arriving packet may be
/// dropped, be admitted if there is room, or push out any other. The cycle of a slot may be spent on any packet or on none.
///
/// `None` if the buffer or a packet is beyond [`MOST_PACKETS`] or [`MOST_CYCLES`], or a packet has no cycles.
#[must_use]
pub fn optimum(input: &Input, buffer: u32) -> Option<u64> {
    let all = input.slots.iter().flatten();
    if buffer > MOST_PACKETS || !all.into_iter().all(|one| (1..=MOST_CYCLES).contains(&one.processing)) {
        return None;
    }
    // For each content of the buffer that can be reached: the most packets that were transmitted on the way.
    let mut reached = BTreeMap::from([(0, 0)]);
    for arrivals in &input.slots {
        let mut admitted = reached;
        for arrival in arrivals {
            admit(&mut admitted, *arrival, buffer);
        }
        reached = BTreeMap::new();
        for (&waiting, &transmitted) in &admitted {
            better(&mut reached, waiting, transmitted);
            for cycles in (1..=MOST_CYCLES).filter(|&cycles| has(waiting, cycles)) {
                let (left, done) = serve(waiting, cycles);
                better(&mut reached, left, transmitted + done);
            }
        }
    }
    // Nothing arrives any more, so all that waits can be transmitted.
    reached.iter().map(|(&waiting, &transmitted)| transmitted + count(waiting)).max()
}

/// Adds, for each content of the buffer, the contents that are possible after an arrival.
fn admit(contents: &mut BTreeMap<Waiting, u64>, arrival: Arrival, buffer: u32) {
    for (waiting, transmitted) in contents.clone() {
        if count(waiting) < u64::from(buffer) {
            better(contents, waiting + one(arrival.processing), transmitted);
        }
        for cycles in (1..=MOST_CYCLES).filter(|&cycles| has(waiting, cycles)) {
            better(contents, waiting - one(cycles) + one(arrival.processing), transmitted);
        }
    }
}

fn better(best: &mut BTreeMap<Waiting, u64>, waiting: Waiting, transmitted: u64) {
    let known = best.entry(waiting).or_insert(0);
    *known = transmitted.max(*known);
}

fn has(waiting: Waiting, cycles: u32) -> bool {
    (waiting >> (BITS * (cycles - 1))) & MASK != 0
}

fn count(waiting: Waiting) -> u64 {
    (1..=MOST_CYCLES).map(|cycles| (waiting >> (BITS * (cycles - 1))) & MASK).sum()
}

/// Does one cycle of a packet that has `cycles` left. Returns the remaining packets, and how many departed.
fn serve(waiting: Waiting, cycles: u32) -> (Waiting, u64) {
    let left = waiting - one(cycles);
    if cycles == 1 { (left, 1) } else { (left + one(cycles - 1), 0) }
}

/// Returns the number of packets that `srpt()` and `rsrpt()` transmit, last row of Table I. They serve the packet with the fewest remaining
/// cycles, and drop the one with the most if there are too many.
#[must_use]
pub fn shortest_first(input: &Input, buffer: usize) -> u64 {
    // Cycles left, fewest first.
    let mut waiting: Vec<u32> = Vec::new();
    let mut transmitted = 0;
    for arrivals in &input.slots {
        waiting.extend(arrivals.iter().map(|arrival| arrival.processing));
        waiting.sort_unstable();
        waiting.truncate(buffer);
        if let Some(first) = waiting.first_mut() {
            *first -= 1;
            if *first == 0 {
                waiting.remove(0);
                transmitted += 1;
            }
        }
    }
    transmitted + waiting.len() as u64
}
