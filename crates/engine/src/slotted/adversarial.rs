//! Inputs on which the policies of Tables I and II do badly.
//!
//! The paper gives the ratios, not the inputs. These inputs are derived here from the behaviour of each policy. If the ratio of a table
//! determines the input of its proof, they are that input. `buffer` is the capacity of a queue in packets. If an input has rounds, its
//! beginning and its end matter less with more rounds.

use super::{Arrival, Input};

/// Single queue, `fifo()` and no push-out (Table I: O(k)): packets of `k` cycles fill the buffer. Each time one departs,
/// another is admitted, before a packet of one cycle arrives, as one does in every slot. A round is `k` slots: the policy
/// sends one packet, the optimum `k`.
#[must_use]
pub fn fifo_fifo(k: u32, buffer: usize, rounds: usize) -> Input {
    let mut input = Input::default();
    let length = k as usize;
    input.add(0, vec![Arrival::of_work(k); buffer.saturating_sub(1)]);
    for slot in 0..rounds * length {
        let long = slot.is_multiple_of(length).then(|| Arrival::of_work(k));
        input.add(slot, long.into_iter().chain([Arrival::of_work(1)]));
    }
    input
}

/// Single queue, `fifo()` taken literally, so that the packet that arrived first is pushed out: a packet of `k` cycles in every
/// slot. Once the buffer is full, the packet that is worked on is pushed out in the next slot, and none is ever done.
#[must_use]
pub fn oldest_pushed_out(k: u32, slots: usize) -> Input {
    Input { slots: vec![vec![Arrival::of_work(k)]; slots] }
}

/// Single queue, `rsrpt()` admission and `fifo()` processing (Table I: O(log k)): `buffer - 1` packets arrive behind one
/// that needs `shrink` times as many cycles. When that one is done, a smaller copy of this input follows. It pushes out all
/// but the first of the packets before, of which the optimum has sent `shrink`. At the end, packets of one cycle arrive.
///
/// Each level is worth `shrink` packets to the optimum and one to the policy; there are about log k / log `shrink` levels.
#[must_use]
pub fn rsrpt_fifo(k: u32, buffer: usize, shrink: u32) -> Input {
    let mut input = Input::default();
    let (mut first, mut slot) = (k, 0);
    input.add(0, [Arrival::of_work(k)]);
    while first > 1 {
        let next = (first / shrink.max(2)).max(1);
        input.add(slot, vec![Arrival::of_work(next); buffer.saturating_sub(1)]);
        slot += first as usize;
        first = next;
    }
    input.add(slot, vec![Arrival::of_work(1); buffer]);
    input
}

/// `lqf()` (Table II: Omega(B/2)): queues 1 to `small` and `k` are full. The policy takes one packet of each; the optimum has
/// sent all of the small ones by then, if `k` is large enough. A round later all are filled again.
///
/// A round with `small = 1` lasts `k + 1` slots, which is enough if `k + 1 >= buffer`: the policy sends 2 packets, the optimum
/// `buffer`. With more it is `small * buffer` for `small + 1`.
#[must_use]
pub fn lqf(small: u16, k: u16, buffer: usize, rounds: usize) -> Input {
    let mut input = Input::default();
    input.add(0, vec![Arrival::to_queue(k); buffer.saturating_sub(1)]);
    let length: usize = (1..=small).chain([k]).map(usize::from).sum();
    for round in 0..rounds {
        for number in 1..=small {
            input.add(round * length, vec![Arrival::to_queue(number); buffer]);
        }
        input.add(round * length, [Arrival::to_queue(k)]);
    }
    input
}

/// `sqf()` (Table II: Omega(k)): queue `k` has one packet and queue 1 has more than one. Then a packet for queue 1 arrives
/// in every slot, and one for queue `k` in each round of `k` slots.
#[must_use]
pub fn sqf(k: u16, buffer: usize, rounds: usize) -> Input {
    let mut input = Input::default();
    input.add(0, vec![Arrival::to_queue(1); buffer.saturating_sub(1)]);
    backlogged(input, &[1, k], usize::from(k), rounds)
}

/// `maxqf()` (Table II: Omega(k)): queue `k` is never empty, and a packet for queue 1 arrives in every slot. A round is
/// `k` slots.
#[must_use]
pub fn maxqf(k: u16, buffer: usize, rounds: usize) -> Input {
    let mut input = Input::default();
    input.add(0, vec![Arrival::to_queue(k); buffer.saturating_sub(1)]);
    backlogged(input, &[1, k], usize::from(k), rounds)
}

/// `crr()`: all of `queues` always have packets, and one for queue 1, the first of them, arrives in every slot. A round is
/// one cycle for each. With all `k` queues the policy sends `1 + 1/2 + … + 1/k` packets in `k` slots, the optimum `k`: that
/// is Table II's Omega(k / ln k). With queue 1 and those from `k/3` on it is less: about `1 + ln 3` in `2k/3`.
#[must_use]
pub fn crr(queues: &[u16], buffer: usize, rounds: usize) -> Input {
    backlogged(full(queues, buffer.saturating_sub(1)), queues, queues.len(), rounds)
}

/// `prr()`: as [`crr`], but a round is one packet for each. With queue 1 and those from `k/2` on, a round is
/// `1 + 3k(k+2)/8` slots in which the policy sends `2 + k/2` packets: that is Table II's Omega(3k(k+2) / (4k+16)). With
/// queue 1 and the highest `sqrt(2k)` it is about `k - sqrt(2k)`.
#[must_use]
pub fn prr(queues: &[u16], buffer: usize, rounds: usize) -> Input {
    let length = queues.iter().map(|&number| usize::from(number)).sum();
    backlogged(full(queues, buffer.saturating_sub(1)), queues, length, rounds)
}

/// Returns queue 1 and the queues from `lowest` to `k`.
#[must_use]
pub fn first_and_from(lowest: u16, k: u16) -> Vec<u16> {
    std::iter::once(1).chain(lowest.max(2)..=k).collect()
}

fn full(queues: &[u16], packets: usize) -> Input {
    let mut input = Input::default();
    for &number in queues {
        input.add(0, vec![Arrival::to_queue(number); packets]);
    }
    input
}

/// Returns rounds of `length` slots: a packet for the first queue in every slot, and one for each other queue at the start of a round.
fn backlogged(mut input: Input, queues: &[u16], length: usize, rounds: usize) -> Input {
    let Some((&first, others)) = queues.split_first() else { return input };
    for slot in 0..rounds * length {
        if slot.is_multiple_of(length) {
            input.add(slot, others.iter().map(|&number| Arrival::to_queue(number)));
        }
        input.add(slot, [Arrival::to_queue(first)]);
    }
    input
}

/// `minqf()` (Table II: at most 2, and this input approaches 2): all queues are full. Just before the policy has done the first
/// packet of queue `i`, packets for that queue arrive: as many as [`emptied_before_refilled`] can have sent from it by then. The
/// policy has no room for them. With `buffer` 1 that is one packet for each queue but the first, so that the ratio is `2 - 1/k`;
/// with large buffers it comes to `2 - (1 + 1/2 + … + 1/k) / k`.
#[must_use]
pub fn minqf(k: u16, buffer: usize) -> Input {
    let mut input = full(&(1..=k).collect::<Vec<_>>(), buffer);
    for (number, packets) in refills(k, buffer) {
        input.add(last_cycle(number, buffer), vec![Arrival::to_queue(number); packets]);
    }
    input
}

/// Returns the slot in which `minqf()` does the last cycle of a queue's first packet, if all queues were full.
fn last_cycle(number: u16, buffer: usize) -> usize {
    let number = usize::from(number);
    buffer * number * (number - 1) / 2 + number - 1
}

/// Returns, for each queue, the number of packets that can be sent from it by that slot, if lower queues do the same.
fn refills(k: u16, buffer: usize) -> Vec<(u16, usize)> {
    let mut busy = 0;
    let mut refill = |number: u16| {
        let packets = buffer.min((last_cycle(number, buffer) - busy) / usize::from(number));
        busy += packets * usize::from(number);
        (number, packets)
    };
    (1..=k).map(&mut refill).collect()
}

/// Returns a better schedule for [`minqf`]: the queue that is served in each slot, from 0. Packets whose slots are filled again are sent
/// first, one queue after the other.
#[must_use]
pub fn emptied_before_refilled(k: u16, buffer: usize) -> Vec<usize> {
    let slots = |(number, packets): (u16, usize)| vec![usize::from(number) - 1; packets * usize::from(number)];
    refills(k, buffer).into_iter().flat_map(slots).collect()
}
