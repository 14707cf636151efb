//! Formats with record batches, in which each column has a type: Parquet and Arrow.

mod arrow_stream;
mod rows;
mod values;

pub(super) use self::arrow_stream::open_arrow;

use self::rows::{BatchReader, Open};
use super::RequestReader;
use super::paths::Paths;
use crate::TraceError;
use crate::unpack::read_error;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::cell::Cell;
use std::io::{Read, Seek};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Rows that are read at once.
const BATCH_ROWS: usize = 8_192;

/// Opens a Parquet file. It is read from its end, so that it is first copied to a temporary file.
pub(super) fn open_parquet(
    mut input: Box<dyn Read + Send>,
    paths: Paths,
) -> Result<Box<dyn RequestReader>, TraceError> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(&mut input, &mut file).map_err(read_error)?;
    file.rewind()?;
    let wrong = |error: &dyn std::fmt::Display| TraceError::File(format!("this Parquet file cannot be read: {error}"));
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|why| wrong(&why))?;
    let builder = builder.map_err(|error| wrong(&error))?;
    let schema = builder.schema().clone();
    let open = Open::new(paths, &schema)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), open.columns().iter().copied());
    let batches = guarded(|| builder.with_projection(mask).with_batch_size(BATCH_ROWS).build());
    let batches = batches.map_err(|why| wrong(&why))?.map_err(|error| wrong(&error))?;
    Ok(Box::new(BatchReader::new(batches, open)))
}

thread_local! {
    /// Whether a panic of this thread becomes an error, and is therefore not printed.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of a library that reads a file. The library may panic if the file is damaged; such a panic becomes an error and is
/// not printed.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            if !IS_GUARDED.get() {
                before(what);
            }
        }));
    });
    IS_GUARDED.set(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    read.map_err(|_| "a length or an offset in it is wrong")
}
