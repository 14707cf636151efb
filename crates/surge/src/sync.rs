//! The lock and the condition variable that the scheduler uses. The crate's own tests replace them with loom's, which tries every order of
//! the threads.

#[cfg(test)]
pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(test))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};

use std::sync::PoisonError;
use std::time::Duration;

/// Locks the mutex, even after a panic: no code that can panic runs while state is half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps until woken.
pub(crate) fn wait<'a, T>(woken: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    woken.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps until woken, but not longer than the given time.
pub(crate) fn wait_for<'a, T>(woken: &Condvar, guard: MutexGuard<'a, T>, most: Duration) -> MutexGuard<'a, T> {
    woken.wait_timeout(guard, most).unwrap_or_else(PoisonError::into_inner).0
}
