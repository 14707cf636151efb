//! Calls into Python while a run is under way.

use crate::failure::Failure;
use pyo3::prelude::*;
use std::sync::Arc;

/// Calls methods until one fails; after that the run ends, and nothing is called any more.
#[derive(Clone)]
pub(super) struct Calls {
    failure: Arc<Failure>,
}

impl Calls {
    /// Whose first exception is kept there.
    pub(super) fn new(failure: &Arc<Failure>) -> Self {
        Self { failure: Arc::clone(failure) }
    }

    /// What a call gives, unless it or an earlier one has failed.
    pub(super) fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.failure.has_failed() {
            return None;
        }
        Python::attach(|py| call(py).map_err(|error| self.failure.keep(error)).ok())
    }

    /// An answer breaks the contract.
    pub(super) fn broken(&self, message: &str) {
        self.failure.keep_message(message);
    }
}

/// A method of an object, unless it is the one of the base class `base`, which does nothing.
pub(super) fn overridden(object: &Bound<'_, PyAny>, base: &str, method: &str) -> PyResult<Option<Py<PyAny>>> {
    let Ok(own) = object.getattr(method) else { return Ok(None) };
    let base = object.py().import("forebay._own")?.getattr(base)?;
    let is_usual = match (object.get_type().getattr(method), base.getattr(method)) {
        (Ok(own), Ok(usual)) => own.is(&usual),
        _ => false,
    };
    Ok((!is_usual).then(|| own.unbind()))
}
