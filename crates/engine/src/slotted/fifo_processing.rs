//! The total value of packets that must depart in their order of arrival, one in each slot, maximised over all possible actions of a policy
//! (Theorems 1 and 2).

use super::Arrival;

/// Returns the greatest total value that a policy can transmit, for each of its possible actions in the first slot, on the arrivals
/// `common`. There is one value for each of `futures`, the slots that may follow. A deterministic policy acts the same in all futures,
/// since it cannot know which one follows.
///
/// The policy may drop any packets in any slot, and send the first or none. The cost is exponential in the number of packets.
#[must_use]
pub fn choices(common: &[Arrival], futures: &[&[Vec<Arrival>]], buffer: usize) -> Vec<Vec<u64>> {
    let mut found = Vec::new();
    step(&[], common, buffer, &mut |waiting, value| {
        found.push(futures.iter().map(|future| value + best(waiting, future, buffer)).collect());
    });
    found
}

/// Returns the greatest value that can be transmitted from this state on.
fn best(waiting: &[u32], future: &[Vec<Arrival>], buffer: usize) -> u64 {
    let Some((arrivals, rest)) = future.split_first() else {
        return waiting.iter().map(|&value| u64::from(value)).sum();
    };
    let mut most = 0;
    step(waiting, arrivals, buffer, &mut |waiting, value| most = most.max(value + best(waiting, rest, buffer)));
    most
}

/// Calls `then` with the packets that are queued after a slot and the value sent in it, for every way to spend the slot.
fn step(waiting: &[u32], arrivals: &[Arrival], buffer: usize, then: &mut dyn FnMut(&[u32], u64)) {
    let present: Vec<u32> = waiting.iter().copied().chain(arrivals.iter().map(|one| one.value)).collect();
    let mut kept = Vec::new();
    each_part(&present, &mut kept, buffer, &mut |kept| {
        then(kept, 0);
        if let Some((&first, rest)) = kept.split_first() {
            then(rest, first.into());
        }
    });
}

/// Calls `then` with every subset of `present` of at most `most` packets, in the same order.
fn each_part(present: &[u32], kept: &mut Vec<u32>, most: usize, then: &mut dyn FnMut(&[u32])) {
    let Some((&first, rest)) = present.split_first() else { return then(kept) };
    each_part(rest, kept, most, then);
    if kept.len() < most {
        kept.push(first);
        each_part(rest, kept, most, then);
        kept.pop();
    }
}
