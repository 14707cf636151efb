//! Reports the progress of a run to the worker.

use forebay::{Observer, Unit};
use std::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_arch = "wasm32")]
mod page {
    #[expect(unsafe_code, reason = "the worker provides the function")]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Shows that `done` of `total` is done; a total of 0 means that it is unknown.
        pub(super) safe fn progress(done: f64, total: f64);
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod page {
    /// Does nothing: only a page shows progress.
    pub(super) fn progress(_done: f64, _total: f64) {}
}

/// Reports the progress of a run.
#[derive(Debug, Default)]
pub(crate) struct Reported {
    total: AtomicU64,
}

impl Observer for Reported {
    fn begin(&self, _: Unit, total: Option<u64>) {
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        page::progress(0.0, total.unwrap_or(0) as f64);
    }

    fn advance(&self, done: u64) {
        page::progress(done as f64, self.total.load(Ordering::Relaxed) as f64);
    }
}
