//! Entries of a tree that have not entered the queue above their node yet.

use forebay_core::{Packet, Time};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Entries by the time at which they enter the parent's queue; entries of the same time in order of arrival.
#[derive(Default)]
pub(super) struct Held {
    waiting: BinaryHeap<HeldEntry>,
    came: u64,
}

/// An entry of a child, with the packet that adds it.
struct HeldEntry {
    until: Time,
    number: u64,
    child: usize,
    packet: Packet,
}

impl Held {
    /// Holds back the entry of `child` that `packet` adds.
    pub(super) fn add(&mut self, until: Time, child: usize, packet: Packet) {
        self.waiting.push(HeldEntry { until, number: self.came, child, packet });
        self.came += 1;
    }

    /// Removes the first entry, if its time has come by `now`.
    pub(super) fn take(&mut self, now: Time) -> Option<(Time, usize, Packet)> {
        self.next().filter(|time| *time <= now)?;
        self.waiting.pop().map(|HeldEntry { until, child, packet, .. }| (until, child, packet))
    }

    /// The time of the first entry.
    pub(super) fn next(&self) -> Option<Time> {
        self.waiting.peek().map(|entry| entry.until)
    }
}

impl Ord for HeldEntry {
    /// The greatest entry is the first to be released.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.until, other.number).cmp(&(self.until, self.number))
    }
}

impl PartialOrd for HeldEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for HeldEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for HeldEntry {}
