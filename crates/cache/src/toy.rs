//! The example of thesis 2.3.1: two objects and a cache of one.

use forebay_core::Request;

/// The object that is requested in a burst.
pub const BURSTY: u64 = 1;
/// The object that is requested at an even pace.
pub const PACED: u64 = 2;
/// Requests of one repetition.
pub const REQUESTS: u64 = 10;

/// `B A A A A A B X X B X X B X X B X X`, where X is an empty slot, so many times.
pub fn requests(repetitions: u64) -> impl Iterator<Item = Request> {
    const SLOTS: [u64; 18] = {
        let (a, b, x) = (BURSTY, PACED, 0);
        [b, a, a, a, a, a, b, x, x, b, x, x, b, x, x, b, x, x]
    };
    let slots = (0..repetitions).flat_map(|_| SLOTS);
    (0..).zip(slots).filter(|(_, key)| *key != 0).map(|(time, key)| Request { time, key, size: 1 })
}
