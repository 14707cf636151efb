//! Separate queues, throughput: the most packets that can be transmitted if packets that need `i` cycles have the `i`-th queue for
//! themselves (Fig. 3, right; Listing 4).
//!
//! In a queue all packets are alike, and only the first is processed. So the cycles that remain give the contents of a
//! queue, and each admitted packet is transmitted at some time. To admit a packet if there is room is never a mistake. A
//! policy with one packet more in a queue can act like the one without it, and is level at worst when that packet's slot is
//! needed. Only the choice of the served queue matters.

use super::Input;
use std::collections::BTreeMap;

/// The most queues for [`optimum`].
pub const MOST_QUEUES: usize = 8;
/// The most cycles that can be queued in a queue for [`optimum`]: packets times the cycles of one.
pub const MOST_CYCLES: usize = 255;

/// The queued cycles of each queue, eight bits each.
type Waiting = u64;

const BITS: usize = 8;

fn cycles(waiting: Waiting, queue: usize) -> u64 {
    (waiting >> (BITS * queue)) & ((1 << BITS) - 1)
}

fn one(queue: usize) -> Waiting {
    1 << (BITS * queue)
}

/// Returns the most packets that can be transmitted with `queues` queues of `buffer` packets each, by trying every choice of the served
/// queue in each slot.
///
/// `None` if that is more than [`MOST_QUEUES`] or [`MOST_CYCLES`], or a packet is in the wrong queue.
#[must_use]
pub fn optimum(input: &Input, queues: usize, buffer: usize) -> Option<u64> {
    let fits = queues <= MOST_QUEUES && queues * buffer <= MOST_CYCLES;
    let mut all = input.slots.iter().flatten();
    let right = all.all(|one| usize::from(one.queue) < queues && one.processing == u32::from(one.queue) + 1);
    if !fits || !right {
        return None;
    }
    // For each content of the queues that can be reached: the most packets that were admitted on the way.
    let mut reached = BTreeMap::from([(0, 0)]);
    for arrivals in &input.slots {
        let mut next = BTreeMap::new();
        for (mut waiting, mut admitted) in reached {
            for arrival in arrivals {
                let queue = usize::from(arrival.queue);
                let needs = u64::from(arrival.processing);
                if cycles(waiting, queue).div_ceil(needs) < buffer as u64 {
                    waiting += needs * one(queue);
                    admitted += 1;
                }
            }
            // With nothing to serve, the slot passes; to waste it otherwise is of no use.
            let served = (0..queues).filter(|&queue| cycles(waiting, queue) > 0).map(|queue| waiting - one(queue));
            for left in served.chain((waiting == 0).then_some(0)) {
                let known = next.entry(left).or_insert(0);
                *known = admitted.max(*known);
            }
        }
        reached = next;
    }
    reached.into_values().max()
}

/// Returns the number of transmitted packets if `choose` returns the queue that is served in a slot, from the slot and the queued cycles of
/// each queue. An empty queue wastes the slot. For any choice, the optimum is at least this number.
pub fn served_by(
    input: &Input,
    queues: usize,
    buffer: usize,
    mut choose: impl FnMut(usize, &[u64]) -> Option<usize>,
) -> u64 {
    let mut waiting = vec![0_u64; queues];
    let mut admitted = 0;
    for (slot, arrivals) in input.slots.iter().enumerate() {
        for arrival in arrivals {
            let needs = u64::from(arrival.processing.max(1));
            if let Some(left) = waiting.get_mut(usize::from(arrival.queue))
                && left.div_ceil(needs) < buffer as u64
            {
                *left += needs;
                admitted += 1;
            }
        }
        if let Some(left) = choose(slot, &waiting).and_then(|queue| waiting.get_mut(queue)) {
            *left = left.saturating_sub(1);
        }
    }
    admitted
}

/// Returns the queue with the fewest cycles per packet that is not empty: `minqf()`.
#[must_use]
pub fn smallest(_slot: usize, waiting: &[u64]) -> Option<usize> {
    waiting.iter().position(|&cycles| cycles > 0)
}
