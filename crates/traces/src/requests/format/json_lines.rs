//! JSON lines: an object per line, with fields of any names.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::json::{self, first_object};
use crate::requests::names::{KEY_LISTS, KEYS, TIMES};
use crate::requests::paths::{FIELD_PARAMS, Paths};

const NAME: &str = "json-lines";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A JSON object per line; fields are named like `url`, or `request.url` for an object within it; a list of keys is a request \
         for each",
        "common practice",
        FIELD_PARAMS,
    ),
    also_known_as: &["jsonl", "ndjson"],
    endings: &["jsonl", "ndjson"],
    recognise,
    open: |input, params| json::open(input, Paths::of_params(NAME, params)?),
    writer: None,
};

/// An object that names its time and its key.
fn recognise(start: &Start<'_>) -> Likeness {
    let object = start.line().filter(|line| line.starts_with(b"{")).and_then(first_object);
    let Some(object) = object else { return Likeness::No };
    let has = |known: &[&str]| object.keys().any(|name| known.iter().any(|known| name.eq_ignore_ascii_case(known)));
    (has(TIMES) && (has(KEYS) || has(KEY_LISTS))).into()
}
