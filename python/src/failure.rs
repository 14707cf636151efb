//! The exceptions that the caller's own code in Python has raised inside of a run.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The first exception, which stops the run and is raised at its end.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    has_failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

impl Failure {
    /// Keeps an exception, if it is the first.
    pub(crate) fn keep(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
        self.has_failed.store(true, Ordering::Relaxed);
    }

    /// Keeps a `ValueError` that says this.
    pub(crate) fn keep_message(&self, message: &str) {
        self.keep(PyValueError::new_err(message.to_owned()));
    }

    /// Ends all calls without an exception of theirs: the run was interrupted.
    pub(crate) fn stop(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    /// Whether one was kept, or the run was interrupted.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// The exception; another run may begin then.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.has_failed.store(false, Ordering::Relaxed);
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
