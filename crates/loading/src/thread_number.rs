//! Small numbers of threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A number of this thread, from 0 on in the order in which threads first ask.
pub(crate) fn thread_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static NUMBER: Cell<usize> = Cell::new(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.with(Cell::get)
}
