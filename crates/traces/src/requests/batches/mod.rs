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
use std::io::{Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    let wrong =
        |error: &dyn std::fmt::Display| TraceError::File(format!("this is no Parquet file that can be read: {error}"));
    let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|why| wrong(&why))?;
    let builder = builder.map_err(|error| wrong(&error))?;
    let schema = builder.schema().clone();
    let open = Open::new(paths, &schema)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), open.columns().iter().copied());
    let batches = guarded(|| builder.with_projection(mask).with_batch_size(BATCH_ROWS).build());
    let batches = batches.map_err(|why| wrong(&why))?.map_err(|error| wrong(&error))?;
    Ok(Box::new(BatchReader::new(batches, open)))
}

/// What a library gives that reads a file. It panics in places if the file is damaged.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| "a length or an offset in it is wrong")
}
