//! Parquet: columns that have names and types.

use super::{FormatEntry, about};
use crate::requests::batches;
use crate::requests::paths::{FIELD_PARAMS, Paths};

const NAME: &str = "parquet";
const MARK: &[u8] = b"PAR1";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Columns with names, such as `time`, `key` and `size`; a list of keys is a request for each; copied to a temporary file",
        "Apache Parquet",
        FIELD_PARAMS,
    ),
    also_known_as: &[],
    endings: &["parquet"],
    recognise: |start| (!start.is_text() && start.bytes().starts_with(MARK)).into(),
    open: |input, params| batches::open_parquet(input, Paths::of_params(NAME, params)?),
    writer: None,
};
