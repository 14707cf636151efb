//! The future accesses, as recorded in an earlier run.

use super::outcome::StateAccess;
use forebay_cache::Future;
use forebay_cache::future::futures;
use forebay_core::Request;
use rustc_hash::FxHashMap;

/// For each access to a state, a forecast of the next one from an earlier run. The n-th access of a run corresponds to the n-th access of
/// the earlier run, and its next access is assumed to follow after the same time. If waits differ between the runs, these times differ,
/// too, so this is only an estimate. Times since the start would be a worse estimate, since flows drift.
///
/// Takes 16 bytes for each access of the earlier run, and 48 more while it is built.
#[derive(Debug, Clone)]
pub struct Foreseen {
    /// The futures of each key in sequence, each as if its access happened at time zero.
    futures: Vec<Future>,
    /// For each key, which is next and where they end.
    places: FxHashMap<u64, (usize, usize)>,
}

impl Foreseen {
    /// Creates the forecasts from the accesses of an earlier run, with fetches of `latency` picoseconds.
    #[must_use]
    pub fn new(accesses: &[StateAccess], latency: u64) -> Self {
        let requests: Vec<Request> =
            accesses.iter().map(|access| Request { time: access.time_ps, key: access.key, size: 1 }).collect();
        let futures = futures(&requests, |_| latency);
        let mut order: Vec<usize> = (0..accesses.len()).collect();
        order.sort_by_key(|&index| accesses[index].key);
        let mut places = FxHashMap::<u64, (usize, usize)>::default();
        for (place, &index) in order.iter().enumerate() {
            places.entry(accesses[index].key).or_insert((place, place)).1 = place + 1;
        }
        let from_then = |index: usize| match futures[index] {
            Future { next: Future::NEVER, .. } => Future::NONE,
            future => Future { next: future.next - accesses[index].time_ps, ..future },
        };
        Self { futures: order.into_iter().map(from_then).collect(), places }
    }

    /// Returns the expected future after an access that happens now.
    pub(super) fn after(&mut self, now: u64, key: u64) -> Future {
        let Some((next, end)) = self.places.get_mut(&key) else { return Future::NONE };
        if next == end {
            return Future::NONE;
        }
        let future = self.futures[*next];
        *next += 1;
        Future { next: future.next.saturating_add(now), ..future }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_access_is_given_the_one_after_it() {
        let accesses = [(10, 1), (20, 2), (30, 1), (40, 3), (50, 1), (60, 2)];
        let accesses: Vec<_> = accesses.iter().map(|&(time_ps, key)| StateAccess { time_ps, key }).collect();
        let mut foreseen = Foreseen::new(&accesses, 5);
        let mut next = |now, key| foreseen.after(now, key).next;
        assert_eq!([next(11, 1), next(45, 1), next(46, 1), next(47, 1)], [31, 65, Future::NEVER, Future::NEVER]);
        assert_eq!(
            [next(70, 2), next(70, 2), next(70, 3), next(70, 4)],
            [110, Future::NEVER, Future::NEVER, Future::NEVER]
        );
    }
}
