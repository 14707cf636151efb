//! Request traces of every format, as numpy arrays.

use crate::error::raised;
use forebay::UserError;
use forebay::requests::RequestTrace;
use forebay_core::Clock;
use forebay_traces::requests::Spec;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// Requests that are read between two looks at the signals of Python.
const CHUNK: usize = 1 << 18;

/// Reads a file or a recipe: arrays `time`, `key` and, if it has sizes, `size`, and the facts known about it.
#[pyfunction]
#[pyo3(signature = (trace, format, first, seed))]
pub(crate) fn read_requests<'py>(
    py: Python<'py>,
    trace: PathBuf,
    format: Option<&str>,
    first: Option<u64>,
    seed: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let error = |error: UserError| raised(py, &error);
    let format: Option<Spec> = format
        .map(|text| Spec::parse(text).map_err(|wrong| UserError::argument("format", wrong.to_string())))
        .transpose()
        .map_err(error)?;
    let mut trace = RequestTrace::new(&trace, format.as_ref()).map_err(error)?;
    if let Some(requests) = first {
        trace = trace.first(requests);
    }
    if let Some(seed) = seed {
        trace = trace.with_seed(seed);
    }
    let mut reader = py.detach(|| trace.open()).map_err(error)?;
    let facts = reader.facts();
    let (mut times, mut keys, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        let more = py.detach(|| reader.fill(&mut chunk, CHUNK)).map_err(|wrong| error(trace.error(wrong)))?;
        times.extend(chunk.iter().map(|request| request.time));
        keys.extend(chunk.iter().map(|request| request.key));
        if facts.sizes {
            sizes.extend(chunk.iter().map(|request| request.size));
        }
        if !more {
            break;
        }
        py.check_signals()?;
    }
    let read = PyDict::new(py);
    read.set_item("format", facts.format)?;
    read.set_item("clock", if facts.clock == Clock::Slots { "slots" } else { "ns" })?;
    read.set_item("warnings", reader.warnings())?;
    read.set_item("time", PyArray1::from_vec(py, times))?;
    read.set_item("key", PyArray1::from_vec(py, keys))?;
    if facts.sizes {
        read.set_item("size", PyArray1::from_vec(py, sizes))?;
    }
    Ok(read)
}
