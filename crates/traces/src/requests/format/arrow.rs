//! Arrow: record batches in a file or stream, which is also called Feather.

use super::{FormatEntry, about};
use crate::requests::batches;
use crate::requests::paths::{FIELD_PARAMS, Paths};

const NAME: &str = "arrow";
const MARK: &[u8] = b"ARROW1\0\0";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Record batches whose columns have names, such as `time`, `key` and `size`; a list of keys is a request for each",
        "Apache Arrow IPC, files and streams; Feather version 2 is the same",
        FIELD_PARAMS,
    ),
    also_known_as: &["feather", "ipc"],
    endings: &["arrow", "feather"],
    recognise: |start| start.bytes().starts_with(MARK).into(),
    open: |input, params| batches::open_arrow(input, Paths::of_params(NAME, params)?),
    writer: None,
};
