//! A long table as an Arrow stream, which pandas, polars, pyarrow and DuckDB read without copies and without knowledge
//! of this package.

use crate::error::wrong;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::ArrowError;
use forebay::frame::{Frame, FrameColumn};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Arc;

/// The rows as one batch.
fn batch(frame: &Frame) -> Result<RecordBatch, ArrowError> {
    let array = |column: FrameColumn| -> ArrayRef {
        match column {
            FrameColumn::Text(texts) => Arc::new(StringArray::from(texts)),
            FrameColumn::Number(numbers) => Arc::new(Float64Array::from(numbers)),
            FrameColumn::Whole(numbers) => Arc::new(Int64Array::from(numbers)),
        }
    };
    RecordBatch::try_from_iter_with_nullable(
        frame.columns().into_iter().map(|(name, column)| (name, array(column), true)),
    )
}

/// The capsule of Arrow's C stream interface.
pub(crate) fn stream<'py>(py: Python<'py>, frame: &Frame) -> PyResult<Bound<'py, PyCapsule>> {
    let batch = batch(frame).map_err(|error| wrong(py, format!("the table is no Arrow table: {error}")))?;
    let schema = batch.schema();
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
