//! The names in forebay's registries, and the schema of scenarios.

use crate::error::raised;
use forebay::UserError;
use forebay::catalogue::{self, Kind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every name, or those of one kind: kind, name and title.
#[pyfunction]
#[pyo3(signature = (kind))]
pub(crate) fn entries<'py>(py: Python<'py>, kind: Option<&str>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let wanted: Option<Kind> = kind
        .map(catalogue::kind)
        .transpose()
        .map_err(|error| raised(py, &UserError::argument("kind", error.to_string())))?;
    let all = catalogue::entries();
    let chosen = all.iter().filter(|entry| wanted.is_none_or(|kind| entry.kind == kind));
    chosen
        .map(|entry| {
            let row = PyDict::new(py);
            row.set_item("kind", entry.kind.title())?;
            row.set_item("name", entry.name)?;
            row.set_item("title", entry.title)?;
            row.set_item("example", entry.example())?;
            Ok(row)
        })
        .collect()
}

/// The JSON schema of scenarios.
#[pyfunction]
pub(crate) fn schema() -> String {
    forebay::fields::json_schema().to_string()
}
