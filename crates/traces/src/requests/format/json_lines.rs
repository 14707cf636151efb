//! JSON lines: an object per line, with fields of any names.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::json::{self, objects_fit};
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

/// Objects that name their time and their key; some may lack them.
fn recognise(start: &Start<'_>) -> Likeness {
    objects_fit(start, |object| {
        let is_named = |name: &String, known: &[&str]| known.iter().any(|known| name.eq_ignore_ascii_case(known));
        let has = |known: &[&str]| object.keys().any(|name| is_named(name, known));
        has(TIMES) && (has(KEYS) || has(KEY_LISTS))
    })
}
