//! Requests in numpy arrays, read where they are.

use crate::error::raised;
use forebay::UserError;
use forebay_core::Clock;
use forebay_traces::requests::{Column, HeldRequests, key_of};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// Numbers of an array, which is kept alive. Meanwhile it is read-only for callers that ask numpy for write access.
struct Held {
    numbers: *const u64,
    length: usize,
    /// Owns the numbers.
    _array: Py<PyArray1<u64>>,
}

// SAFETY: the numbers are only read, and the array behind them lives as long as this; an array in Python may be let go of by any thread.
#[allow(unsafe_code, reason = "the numbers are not copied")]
unsafe impl Send for Held {}
// SAFETY: as above; nothing changes by reading.
#[allow(unsafe_code, reason = "the numbers are not copied")]
unsafe impl Sync for Held {}

impl AsRef<[u64]> for Held {
    fn as_ref(&self) -> &[u64] {
        // SAFETY: pointer and length are those of the contiguous array that `_array` owns. numpy does not move it, and `Requests` in Python
        // says that it must not be changed during a run; a changed number is another number, never an invalid one.
        #[allow(unsafe_code, reason = "the numbers are not copied")]
        unsafe {
            std::slice::from_raw_parts(self.numbers, self.length)
        }
    }
}

fn column(array: PyReadonlyArray1<'_, u64>) -> PyResult<Column> {
    let slice = array.as_slice()?;
    let (numbers, length) = (slice.as_ptr(), slice.len());
    // An empty array may have no address.
    if length == 0 {
        return Ok(Arc::new(Vec::new()));
    }
    Ok(Arc::new(Held { numbers, length, _array: (*array).clone().unbind() }))
}

/// Requests that Python holds: contiguous arrays of 64-bit numbers.
#[pyclass(name = "HeldRequests", frozen, module = "forebay._forebay")]
pub(crate) struct PyRequests(pub(crate) HeldRequests);

#[pymethods]
impl PyRequests {
    #[new]
    #[pyo3(signature = (keys, times=None, sizes=None, slots=false))]
    fn new(
        py: Python<'_>,
        keys: PyReadonlyArray1<'_, u64>,
        times: Option<PyReadonlyArray1<'_, u64>>,
        sizes: Option<PyReadonlyArray1<'_, u64>>,
        slots: bool,
    ) -> PyResult<Self> {
        let error = |error: forebay_traces::TraceError| raised(py, &UserError::argument("requests", error.to_string()));
        let mut held = HeldRequests::new(column(keys)?);
        if let Some(times) = times {
            let clock = if slots { Clock::Slots } else { Clock::Nanoseconds };
            held = held.at(column(times)?, clock).map_err(error)?;
        }
        if let Some(sizes) = sizes {
            held = held.of_sizes(column(sizes)?).map_err(error)?;
        }
        Ok(Self(held))
    }
}

/// The error in one of the keys.
fn argument(py: Python<'_>, place: usize, message: &str) -> PyErr {
    raised(py, &UserError::argument("requests", format!("key {place} (counted from 0): {message}")))
}

/// The numbers for keys that are texts, as in files: XXH64 of keys that are no whole number.
#[pyfunction]
pub(crate) fn numbers_of_keys<'py>(
    py: Python<'py>,
    keys: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let mut numbers = Vec::with_capacity(keys.len());
    for (place, key) in keys.iter().enumerate() {
        let number = if let Ok(text) = key.extract::<&str>() {
            key_of(text.as_bytes())
        } else if let Ok(bytes) = key.extract::<&[u8]>() {
            key_of(bytes)
        } else if let Ok(number) = key.extract::<u64>() {
            Ok(number)
        } else {
            let kind = key.get_type().name()?;
            let message = format!("it must be a text, bytes or a whole number from 0 to 2^64 - 1, not {key} ({kind})");
            return Err(argument(py, place, &message));
        };
        numbers.push(number.map_err(|fault| argument(py, place, &fault.to_string()))?);
    }
    Ok(PyArray1::from_vec(py, numbers))
}
