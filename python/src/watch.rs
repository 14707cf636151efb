//! A run that Python watches: it may be stopped, and reports its progress.

use crate::failure::Failure;
use forebay::{Observer, Unit};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The messages of a run's threads to the one that waits for it.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The exception that the caller's own code has raised.
    failure: Arc<Failure>,
    /// Whether runs call Python.
    calls_python: bool,
    /// The threads that call Python, as it numbers them.
    callers: Mutex<Vec<u64>>,
    stopped: AtomicBool,
    done: AtomicU64,
    work: Mutex<Work>,
    warnings: Mutex<Vec<String>>,
}

/// The piece of work that is running.
#[derive(Debug, Default, Clone)]
pub(crate) struct Work {
    pub(crate) unit: String,
    pub(crate) total: Option<u64>,
    pub(crate) about: String,
}

impl Watch {
    /// Of a run in which the caller's own code may fail.
    pub(crate) fn with(failure: &Arc<Failure>, calls_python: bool) -> Self {
        Self { failure: Arc::clone(failure), calls_python, ..Self::default() }
    }

    /// Asks the run to stop.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The threads that call Python, as it numbers them.
    pub(crate) fn callers(&self) -> Vec<u64> {
        locked(&self.callers).clone()
    }

    /// How far it is.
    pub(crate) fn progress(&self) -> (u64, Work) {
        (self.done.load(Ordering::Relaxed), locked(&self.work).clone())
    }

    /// The warnings for the user.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.warnings))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watch {
    fn goes_on(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed) && !self.failure.has_failed()
    }

    fn begin(&self, unit: Unit, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        *locked(&self.work) = Work { unit: unit.to_string(), total, about: String::new() };
    }

    fn advance(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }

    fn describe(&self, what: &str) {
        what.clone_into(&mut locked(&self.work).about);
    }

    fn warn(&self, warning: &str) {
        locked(&self.warnings).push(warning.to_owned());
    }

    /// A thread that Python knows once need not be made known at each call.
    fn on_thread(&self, work: &mut (dyn FnMut() + Send)) {
        if self.calls_python {
            Python::attach(|py| {
                let number = py.import("threading").and_then(|module| module.call_method0("get_ident"));
                if let Ok(number) = number.and_then(|number| number.extract()) {
                    locked(&self.callers).push(number);
                }
                py.detach(work);
            });
        } else {
            work();
        }
    }
}
