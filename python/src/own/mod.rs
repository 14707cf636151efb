//! Algorithms written in Python, and native functions that Python has compiled: what scenarios find beside the registries.

mod cache_policy;
mod calls;
mod congestion_control;
mod drop_rule;
mod native;
mod packet;
mod rank_function;
mod rank_queue;
mod source;

use crate::failure::Failure;
use forebay::scenario::Own;
use forebay_core::{ParamError, ParamValue};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub(crate) use congestion_control::{PyAcked, PyLimits};
pub(crate) use packet::PyPacket;

/// The makers of algorithms, by kind and by name: classes, or other objects that are called.
pub(crate) type Makers = HashMap<String, HashMap<String, Py<PyAny>>>;

/// The algorithms that scenarios find under these names.
///
/// # Errors
/// If a kind is unknown, or a maker is not what its kind needs.
pub(crate) fn own(py: Python<'_>, makers: Makers, failure: &Arc<Failure>) -> PyResult<Own> {
    let mut own = Own::default();
    for (kind, makers) in makers {
        for (name, make) in makers {
            let maker = Maker { name: name.clone(), make, failure: Arc::clone(failure) };
            match kind.as_str() {
                "cache_policy" => {
                    own.cache_policies.insert(name, cache_policy::policy(py, maker)?);
                }
                "rank" => {
                    own.parts.insert(name, rank_function::part(py, maker)?);
                }
                "queue" => {
                    own.parts.insert(name, rank_queue::part(maker));
                }
                "drop" => {
                    own.parts.insert(name, drop_rule::part(maker));
                }
                "transport" => {
                    own.controls.insert(name, congestion_control::make(maker));
                }
                "source" => {
                    own.sources.insert(name, source::source(py, maker)?);
                }
                other => return Err(pyo3::exceptions::PyValueError::new_err(format!("no kind of algorithm: {other}"))),
            }
        }
    }
    Ok(own)
}

/// Whether some of them run in Python, and not as native functions.
pub(crate) fn calls_python(py: Python<'_>, makers: &Makers) -> bool {
    makers.values().flat_map(HashMap::values).any(|make| !native::is_native(make.bind(py)))
}

/// A class, or anything that makes an algorithm when it is called.
struct Maker {
    name: String,
    make: Py<PyAny>,
    failure: Arc<Failure>,
}

impl Maker {
    /// Makes one from arguments by name.
    fn call<'py>(&self, py: Python<'py>, given: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        self.make.bind(py).call((), Some(given))
    }

    /// The result of `make` in Python. Its exception keeps a run from starting, and is raised itself at the end.
    fn made<T>(&self, make: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, ParamError> {
        Python::attach(make).map_err(|error| {
            let message = format!("`{}` cannot be made: {error}", self.name);
            self.failure.keep(error);
            ParamError { param: None, message }
        })
    }
}

/// Adds the parameters of a scenario to the arguments.
fn add_params(given: &Bound<'_, PyDict>, params: &BTreeMap<String, ParamValue>) -> PyResult<()> {
    params.iter().try_for_each(|(name, value)| given.set_item(name, python_value(given.py(), value)?))
}

fn python_value<'py>(py: Python<'py>, value: &ParamValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        ParamValue::Integer(number) => number.into_pyobject(py)?.into_any(),
        ParamValue::Number(number) => number.into_pyobject(py)?.into_any(),
        ParamValue::Text(text) => text.into_pyobject(py)?.into_any(),
        ParamValue::Boolean(boolean) => boolean.into_pyobject(py)?.to_owned().into_any(),
        ParamValue::List(items) => {
            let items: Vec<_> = items.iter().map(|item| python_value(py, item)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        ParamValue::Table(fields) => {
            let table = PyDict::new(py);
            fields.iter().try_for_each(|(name, value)| table.set_item(name, python_value(py, value)?))?;
            table.into_any()
        }
    })
}
