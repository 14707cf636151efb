//! The answer to a question, for Python.

use crate::arrow;
use crate::error::raised;
use forebay::frame::{Frame, FrameColumn};
use forebay::{Answer, Result};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList};

/// An answer, which `forebay.Result` holds.
#[pyclass(name = "Answer", frozen, module = "forebay._forebay")]
pub(crate) struct PyAnswer {
    answer: Answer,
    frame: Frame,
}

impl PyAnswer {
    pub(crate) fn new(answer: Answer) -> Self {
        let frame = answer.frame();
        Self { answer, frame }
    }
}

/// An error of the library as an exception.
fn or_raise<T>(py: Python<'_>, result: Result<T>) -> PyResult<T> {
    result.map_err(|error| raised(py, &error))
}

#[pymethods]
impl PyAnswer {
    /// A table for people.
    fn table(&self) -> String {
        self.answer.table()
    }

    /// The long table as CSV.
    fn csv(&self) -> String {
        self.frame.csv()
    }

    /// All of it as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        or_raise(py, self.answer.json())
    }

    /// The kind of question that was asked.
    fn kind(&self) -> &'static str {
        match self.answer {
            Answer::Port(_) => "port",
            Answer::Network(_) => "network",
            Answer::Attack(_) => "attack",
            Answer::Cache(_) => "cache",
            Answer::Curve(_) => "curve",
            Answer::Bound(_) => "bound",
        }
    }

    /// Whether nothing is missing.
    fn is_complete(&self) -> bool {
        self.answer.is_complete()
    }

    /// Notes for a reader of the numbers.
    fn warnings(&self) -> Vec<String> {
        self.answer.warnings().to_vec()
    }

    /// The columns of the long table: numpy arrays of numbers, lists of texts.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, column) in self.frame.columns() {
            match column {
                FrameColumn::Text(texts) => columns.set_item(name, PyList::new(py, texts)?)?,
                FrameColumn::Number(numbers) => {
                    let numbers = numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect();
                    columns.set_item(name, PyArray1::from_vec(py, numbers))?;
                }
                FrameColumn::Whole(numbers) => columns.set_item(name, PyArray1::from_vec(py, numbers))?,
            }
        }
        Ok(columns)
    }

    /// The long table as Arrow's C stream.
    fn arrow_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.frame)
    }

    /// The files of a result folder beside `result.json`: names and contents.
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let files = py.detach(|| self.answer.files());
        Ok(or_raise(py, files)?.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect())
    }
}
