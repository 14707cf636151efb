//! LRU's misses at every capacity, from one pass.

use forebay_core::Request;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Counts, for every request, how much was requested since the object's last request:
/// the *stack distance*. LRU hits if that fits into the cache.
///
/// Sizes count. With sizes other than 1 the result is exact for capacities that no
/// object exceeds. O(log n) per request; memory O(objects).
#[derive(Debug, Clone, Default)]
pub struct StackDistances {
    /// Key to its place in the order of last requests, and its size.
    places: FxHashMap<u64, (usize, u64)>,
    /// By place: sizes of the objects whose last request that was, as a Fenwick tree.
    sums: Vec<u64>,
    used: usize,
    total: u64,
    /// How many requests had each distance.
    histogram: BTreeMap<u64, u64>,
    requests: u64,
}

/// The least number of places before they are tidied up.
const LEAST_PLACES: usize = 1 << 12;

impl StackDistances {
    /// The next request of the trace.
    pub fn request(&mut self, request: &Request) {
        self.requests += 1;
        if let Some(distance) = self.distance(request) {
            *self.histogram.entry(distance).or_default() += 1;
        }
    }

    /// The next request, which is not counted.
    pub fn warm_up(&mut self, request: &Request) {
        self.distance(request);
    }

    fn distance(&mut self, request: &Request) -> Option<u64> {
        if self.used == self.sums.len() {
            self.tidy();
        }
        let distance = self.places.remove(&request.key).map(|(place, size)| {
            // The requests after the last one for this object, and the object.
            let distance = (self.total - self.sum_to(place)).saturating_add(request.size);
            self.add(place, size.wrapping_neg());
            self.total -= size;
            distance
        });
        self.add(self.used, request.size);
        self.total += request.size;
        self.places.insert(request.key, (self.used, request.size));
        self.used += 1;
        distance
    }

    /// Hits of LRU at each of the capacities.
    #[must_use]
    pub fn hits(&self, capacities: &[u64]) -> Vec<u64> {
        capacities.iter().map(|&capacity| self.histogram.range(..=capacity).map(|(_, count)| count).sum()).collect()
    }

    /// How many requests there were.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The sum of the sizes at places up to and with `place`.
    fn sum_to(&self, place: usize) -> u64 {
        let mut sum = 0_u64;
        let mut index = place + 1;
        while index > 0 {
            sum = sum.wrapping_add(self.sums[index - 1]);
            index &= index - 1;
        }
        sum
    }

    fn add(&mut self, place: usize, size: u64) {
        let mut index = place + 1;
        while index <= self.sums.len() {
            self.sums[index - 1] = self.sums[index - 1].wrapping_add(size);
            index += index & index.wrapping_neg();
        }
    }

    /// Gives the objects the first places, in their order, and as many free ones.
    fn tidy(&mut self) {
        let mut order: Vec<_> = self.places.iter().map(|(&key, &(place, size))| (place, key, size)).collect();
        order.sort_unstable();
        self.sums.clear();
        self.sums.resize((2 * order.len()).max(LEAST_PLACES), 0);
        for (place, &(_, key, size)) in order.iter().enumerate() {
            self.places.insert(key, (place, size));
            self.add(place, size);
        }
        self.used = order.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The stack itself, newest first.
    fn naive(requests: &[Request], capacity: u64) -> u64 {
        let mut stack: Vec<(u64, u64)> = Vec::new();
        let mut hits = 0;
        for request in requests {
            if let Some(depth) = stack.iter().position(|(key, _)| *key == request.key) {
                let newer: u64 = stack[..depth].iter().map(|(_, size)| size).sum();
                hits += u64::from(newer + request.size <= capacity);
                stack.remove(depth);
            }
            stack.insert(0, (request.key, request.size));
        }
        hits
    }

    proptest! {
        #[test]
        fn is_the_stack(keys in proptest::collection::vec(0..20_u64, 0..200), sized in any::<bool>()) {
            let size = |key: u64| if sized { key % 5 + 1 } else { 1 };
            let requests: Vec<_> = (0..).zip(keys).map(|(time, key)| Request { time, key, size: size(key) }).collect();
            let mut distances = StackDistances::default();
            requests.iter().for_each(|request| distances.request(request));
            let capacities = [1, 2, 5, 10, 30, 100];
            let expected: Vec<_> = capacities.iter().map(|&capacity| naive(&requests, capacity)).collect();
            prop_assert_eq!(distances.hits(&capacities), expected);
        }
    }

    #[test]
    fn tidying_up_changes_nothing() {
        let keys = (0..60_000_u64).map(|step| step * step % 977);
        let requests: Vec<_> = (0..).zip(keys).map(|(time, key)| Request { time, key, size: 1 }).collect();
        let mut distances = StackDistances::default();
        requests.iter().for_each(|request| distances.request(request));
        assert_eq!(distances.hits(&[100, 400]), [naive(&requests, 100), naive(&requests, 400)]);
    }
}
