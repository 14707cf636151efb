//! The lock of this crate. The crate's own tests replace it with loom's lock, which tries every order of the threads.

#[cfg(test)]
pub(crate) use loom::sync::{Mutex, MutexGuard};
#[cfg(not(test))]
pub(crate) use std::sync::{Mutex, MutexGuard};

use std::sync::PoisonError;

/// Locks, also after a panic: nothing that can panic runs while state is half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
