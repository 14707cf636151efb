//! Errors of the library as exceptions of Python.

use forebay::UserError;
use forebay::error::{Kind, Place};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The module in which the classes are.
const MODULE: &str = "forebay._errors";

/// The exception: its class by the kind of error, with file, line and field.
pub(crate) fn raised(py: Python<'_>, error: &UserError) -> PyErr {
    made(py, error).unwrap_or_else(|other| other)
}

fn made(py: Python<'_>, error: &UserError) -> PyResult<PyErr> {
    let class = match error.kind() {
        Kind::File(_) => "FileError",
        _ => "ForebayError",
    };
    let details = PyDict::new(py);
    details.set_item("file", error.file())?;
    details.set_item("line", error.line())?;
    details.set_item("field", error.field())?;
    details.set_item("what", error.message())?;
    if let Some(Place::Argument(name)) = error.place() {
        details.set_item("argument", name)?;
    }
    let class = py.import(MODULE)?.getattr(class)?;
    Ok(PyErr::from_value(class.call((error.to_string(),), Some(&details))?))
}

/// An exception that has only a message.
pub(crate) fn wrong(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raised(py, &UserError::new(message))
}
