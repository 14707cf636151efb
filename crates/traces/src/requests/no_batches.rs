//! Rejects Parquet and Arrow in a program that was built without the feature `columnar`.

#![expect(clippy::needless_pass_by_value, reason = "as where the feature is there")]

use super::RequestReader;
use super::paths::Paths;
use crate::TraceError;
use std::io::Read;

/// Rejects Parquet.
pub(super) fn open_parquet(_: Box<dyn Read + Send>, paths: Paths) -> Result<Box<dyn RequestReader>, TraceError> {
    Err(missing(&paths))
}

/// Rejects Arrow.
pub(super) fn open_arrow(_: Box<dyn Read + Send>, paths: Paths) -> Result<Box<dyn RequestReader>, TraceError> {
    Err(missing(&paths))
}

fn missing(paths: &Paths) -> TraceError {
    let fix = "write its requests as text, e.g. time,key,size";
    TraceError::File(format!("this program was built without {} (feature `columnar`); {fix}", paths.name))
}
