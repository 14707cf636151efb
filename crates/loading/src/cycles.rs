//! The graph of fetches that wait for fetches. It finds fetches that would wait for themselves for ever.
//!
//! It has only fetches that call a cache while they are polled, so one table for all caches of the program is enough.
//! Cycles through several caches are found as well. A fetch that calls a cache from a task of its own is not seen.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

thread_local! {
    /// The fetch that this thread polls at present; 0 if none.
    static CURRENT: Cell<u64> = const { Cell::new(0) };
}

/// For each waiting fetch, the fetches for which it waits.
static WAITS: LazyLock<Mutex<HashMap<u64, Vec<u64>>>> = LazyLock::new(Mutex::default);

fn waits() -> MutexGuard<'static, HashMap<u64, Vec<u64>>> {
    WAITS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number for a fetch, unlike those of all others; above 0.
pub(crate) fn next_id() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Polls the fetch of this number.
pub(crate) fn within<T>(fetch: u64, poll: impl FnOnce() -> T) -> T {
    // The previous number is also restored if `poll` panics.
    struct Restore(u64);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _restore = Restore(CURRENT.replace(fetch));
    poll()
}

/// An edge of the graph: one fetch waits for another, until this is dropped.
#[derive(Debug)]
pub(crate) struct Edge {
    from: u64,
    to: u64,
}

/// A fetch that would wait for itself.
#[derive(Debug)]
pub(crate) struct Cycle;

impl Edge {
    /// Records that the fetch polled by this thread, if there is one, will wait for `to`.
    pub(crate) fn to(to: u64) -> Result<Option<Self>, Cycle> {
        let from = CURRENT.get();
        if from == 0 {
            return Ok(None);
        }
        let mut waits = waits();
        let mut reached = vec![to];
        let mut next = 0;
        while let Some(&fetch) = reached.get(next) {
            if fetch == from {
                return Err(Cycle);
            }
            for other in waits.get(&fetch).into_iter().flatten() {
                if !reached.contains(other) {
                    reached.push(*other);
                }
            }
            next += 1;
        }
        waits.entry(from).or_default().push(to);
        Ok(Some(Self { from, to }))
    }
}

impl Drop for Edge {
    fn drop(&mut self) {
        let mut waits = waits();
        if let Some(all) = waits.get_mut(&self.from) {
            if let Some(place) = all.iter().position(|to| *to == self.to) {
                all.swap_remove(place);
            }
            if all.is_empty() {
                waits.remove(&self.from);
            }
        }
    }
}
