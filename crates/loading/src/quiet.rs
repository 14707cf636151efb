//! Foreign code whose panic must not harm others.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs foreign code whose panic must not stop the cache. The panic hook has reported the panic.
pub(crate) fn quietly(run: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
        // To drop it might panic again.
        mem::forget(panic);
    }
}
