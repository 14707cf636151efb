//! Both sides of a ring in one memory, compared with a queue: every order of operations on small rings, with counts that wrap; and two
//! threads.

use super::*;
use std::collections::VecDeque;

const OFFSETS: Offsets = Offsets { producer: 0, consumer: 64, entries: 128, flags: 4 };

/// Creates memory for a ring with `room` slots.
#[expect(clippy::arc_with_non_send_sync, reason = "one test hands a side to another thread")]
fn memory(room: u32) -> Arc<Mapping> {
    Arc::new(Mapping::anonymous(Ring::<u64>::bytes(OFFSETS, room)).expect("memory"))
}

/// Returns both sides of a ring, whose counts begin at `begin`.
fn sides(room: u32, begin: u32) -> [Ring<u64>; 2] {
    let memory = memory(room);
    let sides = [(); 2].map(|()| Ring::new(Arc::clone(&memory), OFFSETS, room));
    set_counts(&sides[0], begin, begin);
    sides
}

fn set_counts(ring: &Ring<u64>, produced: u32, consumed: u32) {
    ring.produced().store(produced, Ordering::Relaxed);
    ring.consumed().store(consumed, Ordering::Relaxed);
}

/// Plays `length` operations, which are the digits of `operations` in base 3: push, pop, change. Compares each with a queue.
fn play(room: u32, begin: u32, mut operations: u32, length: u32) {
    let [mut ours, mut theirs] = sides(room, begin);
    let mut queue = VecDeque::new();
    for step in 0..u64::from(length) {
        match operations % 3 {
            0 => {
                let has_room = queue.len() < room as usize;
                assert_eq!(ours.push(step), has_room);
                queue.extend(has_room.then_some(step));
            }
            1 => assert_eq!(theirs.pop(), queue.pop_front()),
            _ => {
                let mut seen = Vec::new();
                ours.change(|entry| {
                    seen.push(*entry);
                    *entry += 100;
                });
                assert_eq!(queue, seen);
                queue.iter_mut().for_each(|entry| *entry += 100);
            }
        }
        assert_eq!(ours.has_entries(), !queue.is_empty());
        operations /= 3;
    }
}

#[test]
fn every_order_of_eight_operations_is_that_of_a_queue() {
    // Miri takes some thousand times longer.
    let (length, rooms) = if cfg!(miri) { (3, &[1, 2][..]) } else { (8, &[1, 2, 4, 8][..]) };
    for &room in rooms {
        for begin in [0, u32::MAX, u32::MAX - 3] {
            (0..3_u32.pow(length)).for_each(|operations| play(room, begin, operations, length));
        }
    }
}

/// Checks that wrong counts from the other side never lead out of the ring, or to more entries than it has.
#[test]
fn wrong_counts_lead_nowhere_else() {
    let counts = [0, 1, 3, 4, 5, 1 << 31, u32::MAX];
    for (produced, consumed) in counts.into_iter().flat_map(|one| counts.map(|other| (one, other))) {
        let [mut ours, mut theirs] = sides(4, 0);
        set_counts(&ours, produced, consumed);
        let mut changed = 0;
        ours.change(|_| changed += 1);
        assert_eq!(changed, produced.wrapping_sub(consumed).min(4));
        assert_eq!(ours.push(1), produced.wrapping_sub(consumed) < 4);
        assert_eq!(theirs.pop().is_some(), ours.produced().load(Ordering::Relaxed) != consumed);
    }
}

#[test]
fn offsets_out_of_the_memory_are_refused() {
    for offsets in [
        Offsets { producer: 4_096, ..OFFSETS },
        Offsets { consumer: 2, ..OFFSETS },
        Offsets { entries: u64::MAX, ..OFFSETS },
        Offsets { entries: 129, ..OFFSETS },
    ] {
        let memory = memory(4);
        let push = move || Ring::new(memory, offsets, 4).push(1_u64);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(push)).is_err());
    }
}

/// One side of a ring in another thread.
struct Elsewhere(Ring<u64>);

// SAFETY: each side is used by one thread; what they share is atomics, and entries that these hand over.
unsafe impl Send for Elsewhere {}

impl Elsewhere {
    fn push(&mut self, entry: u64) -> bool {
        self.0.push(entry)
    }
}

/// Hands entries from thread to thread. Miri finds a race if an ordering is too weak.
#[test]
fn two_threads_hand_over_everything_in_order() {
    let entries = if cfg!(miri) { 40 } else { 20_000 };
    let [ours, mut theirs] = sides(4, u32::MAX - 9);
    let mut ours = Elsewhere(ours);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for entry in 0..entries {
                while !ours.push(entry) {
                    std::thread::yield_now();
                }
            }
        });
        for expected in 0..entries {
            let entry = loop {
                match theirs.pop() {
                    Some(entry) => break entry,
                    None => std::thread::yield_now(),
                }
            };
            assert_eq!(entry, expected);
        }
    });
}
