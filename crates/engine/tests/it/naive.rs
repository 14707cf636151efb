//! Policies of the slotted model as plain lists of packets, and everything that could be done, by recursion.

use forebay_engine::slotted::{Arrival, Input};

/// A packet that waits: the slot and the place in the order of its arrival, and the cycles left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Waits {
    pub(crate) slot: usize,
    pub(crate) order: usize,
    pub(crate) cycles: u32,
}

/// An order of packets: whether the first comes before the second.
pub(crate) type Before = fn(&Waits, &Waits) -> bool;

pub(crate) fn fifo(one: &Waits, other: &Waits) -> bool {
    one.order < other.order
}

pub(crate) fn lifo(one: &Waits, other: &Waits) -> bool {
    one.order > other.order
}

/// The earliest slot first, and in it the packet that came last.
pub(crate) fn oldest(one: &Waits, other: &Waits) -> bool {
    (one.slot, other.order) < (other.slot, one.order)
}

pub(crate) fn shortest(one: &Waits, other: &Waits) -> bool {
    (one.cycles, one.order) < (other.cycles, other.order)
}

pub(crate) fn longest(one: &Waits, other: &Waits) -> bool {
    shortest(other, one)
}

fn first(waiting: &[Waits], before: Before) -> Option<usize> {
    (0..waiting.len()).find(|&one| (0..waiting.len()).all(|other| !before(&waiting[other], &waiting[one])))
}

/// Packets that a single queue transmits which drops the first in the order `drop` and serves the first in the order `serve`.
pub(crate) fn single_queue(input: &Input, buffer: usize, drop: Before, serve: Before) -> u64 {
    let mut waiting: Vec<Waits> = Vec::new();
    let mut transmitted = 0;
    let mut arrived = 0;
    for slot in 0.. {
        let arrivals = input.slots.get(slot);
        for arrival in arrivals.into_iter().flatten() {
            waiting.push(Waits { slot, order: arrived, cycles: arrival.processing });
            arrived += 1;
            if let Some(victim) = first(&waiting, drop).filter(|_| waiting.len() > buffer) {
                waiting.remove(victim);
            }
        }
        match first(&waiting, serve) {
            Some(served) if waiting[served].cycles == 1 => {
                waiting.remove(served);
                transmitted += 1;
            }
            Some(served) => waiting[served].cycles -= 1,
            None if arrivals.is_none() => break,
            None => {}
        }
    }
    transmitted
}

/// What a scheduling policy knows of a queue that has packets: its number from 1, its packets, and its state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) number: u64,
    pub(crate) packets: u64,
    pub(crate) state: u64,
}

/// A scheduling policy of Listing 5: the key of a queue, and the rise of the queue's state after a cycle and
/// after a packet. The queue with the lowest key is served.
pub(crate) struct Scheduling {
    pub(crate) key: fn(&Queue) -> i64,
    pub(crate) after_cycle: u64,
    pub(crate) after_packet: u64,
}

pub(crate) fn by(key: fn(&Queue) -> i64) -> Scheduling {
    Scheduling { key, after_cycle: 0, after_packet: 0 }
}

/// Packets that separate queues transmit, each FIFO and with tail drop.
pub(crate) fn separate_queues(input: &Input, queues: u16, buffer: usize, policy: &Scheduling) -> u64 {
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); queues.into()];
    let mut states: Vec<u64> = (1..=u64::from(queues)).collect();
    let mut transmitted = 0;
    let mut slots = input.slots.iter();
    loop {
        let arrivals = slots.next();
        for arrival in arrivals.into_iter().flatten() {
            let queue = &mut waiting[usize::from(arrival.queue)];
            if queue.len() < buffer {
                queue.push(arrival.processing);
            }
        }
        let with_packets = (0..waiting.len()).filter(|&queue| !waiting[queue].is_empty());
        let served = with_packets.min_by_key(|&queue| {
            let packets = waiting[queue].len() as u64;
            ((policy.key)(&Queue { number: queue as u64 + 1, packets, state: states[queue] }), queue)
        });
        let Some(served) = served else {
            if arrivals.is_none() {
                return transmitted;
            }
            continue;
        };
        states[served] += policy.after_cycle;
        waiting[served][0] -= 1;
        if waiting[served][0] == 0 {
            waiting[served].remove(0);
            states[served] += policy.after_packet;
            transmitted += 1;
        }
    }
}

/// The most that can be transmitted, by recursion over every choice there is: any packets may be dropped in any slot, and any
/// packet or none may be served. `worth` says what a packet counts for; `fits` whether these can wait together.
pub(crate) fn anything(
    waiting: &[Arrival],
    slots: &[Vec<Arrival>],
    fits: &dyn Fn(&[Arrival]) -> bool,
    worth: &dyn Fn(&Arrival) -> u64,
) -> u64 {
    let Some((arrivals, rest)) = slots.split_first() else { return waiting.iter().map(worth).sum() };
    let present: Vec<Arrival> = waiting.iter().chain(arrivals).copied().collect();
    let mut most = 0;
    for chosen in 0_u32..1 << present.len() {
        let kept: Vec<Arrival> =
            present.iter().enumerate().filter(|(place, _)| chosen >> place & 1 == 1).map(|(_, one)| *one).collect();
        if !fits(&kept) {
            continue;
        }
        most = most.max(anything(&kept, rest, fits, worth));
        for served in 0..kept.len() {
            let mut left = kept.clone();
            left[served].processing -= 1;
            let done = if left[served].processing == 0 { worth(&left.remove(served)) } else { 0 };
            most = most.max(done + anything(&left, rest, fits, worth));
        }
    }
    most
}
