//! Calls into Python during a run.

use super::Maker;
use crate::failure::Failure;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Calls methods of an object until one fails; after that the run ends, and nothing is called any more.
#[derive(Clone)]
pub(super) struct Calls {
    /// The name of its class.
    name: Arc<str>,
    failure: Arc<Failure>,
}

impl Calls {
    /// Of what this makes; the first exception is kept with it.
    pub(super) fn new(maker: &Maker) -> Self {
        Self { name: maker.name.as_str().into(), failure: Arc::clone(&maker.failure) }
    }

    /// The result of a call, unless it or an earlier one has failed.
    pub(super) fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.failure.has_failed() {
            return None;
        }
        Python::attach(|py| call(py).map_err(|error| self.failure.keep(error)).ok())
    }

    /// An answer breaks the contract.
    pub(super) fn broken(&self, message: &str) {
        if !self.failure.has_failed() {
            self.failure.keep_message(&format!("{}: {message}", self.name));
        }
    }

    /// An answer that is a whole number of 64 bits.
    pub(super) fn whole(&self, method: &str, answer: &Bound<'_, PyAny>) -> PyResult<u64> {
        answer.extract().map_err(|_: PyErr| self.wrong(method, "a whole number from 0 to 2**64 - 1", answer))
    }

    /// The same, or none.
    pub(super) fn whole_or_none(&self, method: &str, answer: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let wrong = |_: PyErr| self.wrong(method, "a whole number from 0 to 2**64 - 1, or None", answer);
        answer.extract().map_err(wrong)
    }

    /// An answer that is yes or no.
    pub(super) fn truth(&self, method: &str, answer: &Bound<'_, PyAny>) -> PyResult<bool> {
        answer.extract().map_err(|_: PyErr| self.wrong(method, "True or False", answer))
    }

    /// The error in an answer.
    pub(super) fn wrong(&self, method: &str, expected: &str, answer: &Bound<'_, PyAny>) -> PyErr {
        let shown = answer.repr().map_or_else(|_| "something that cannot be shown".to_owned(), |text| text.to_string());
        PyValueError::new_err(format!("`{method}` of {} must give {expected}, not {shown}", self.name))
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
