//! Small numbers of threads.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// No thread has this number for itself.
pub(crate) const SHARED: usize = usize::MAX;

/// The number was not asked for yet.
const UNKNOWN: usize = usize::MAX - 1;

/// Numbers of threads that have ended, and the least number that no thread ever had.
static FREE: LazyLock<Mutex<(BTreeSet<usize>, usize)>> = LazyLock::new(Mutex::default);

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(UNKNOWN) };
    static LEASE: Lease = Lease::take();
}

/// The number of a thread, which gets free when the thread ends.
struct Lease(usize);

impl Lease {
    fn take() -> Self {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let (returned, next) = &mut *free;
        Self(returned.pop_first().unwrap_or_else(|| {
            *next += 1;
            *next - 1
        }))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // What this thread still does while it ends is done under the number of no thread.
        NUMBER.set(SHARED);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).0.insert(self.0);
    }
}

/// The least number that no other living thread has, or [`SHARED`] while the thread ends.
#[inline]
pub(crate) fn thread_number() -> usize {
    match NUMBER.get() {
        UNKNOWN => take_number(),
        number => number,
    }
}

#[cold]
fn take_number() -> usize {
    let number = LEASE.try_with(|lease| lease.0).unwrap_or(SHARED);
    NUMBER.set(number);
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn living_threads_have_numbers_of_their_own_and_dead_ones_give_theirs_back() {
        const THREADS: usize = 8;
        let numbers = || {
            let together = Barrier::new(THREADS);
            let number = || {
                let number = thread_number();
                together.wait();
                assert_eq!(thread_number(), number, "it stays the same");
                number
            };
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(number)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect::<BTreeSet<_>>()
            })
        };
        for _ in 0..50 {
            let own = numbers();
            assert_eq!(own.len(), THREADS);
            // The threads of other tests hold numbers at the same time.
            assert!(own.last().is_some_and(|last| *last < 400), "{own:?}");
        }
    }
}
