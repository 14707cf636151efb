//! The traces of Mooncake: requests to a language model, whose prompts are lists of blocks.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::json::{self, objects_fit};
use crate::requests::paths::Paths;
use crate::requests::ticks::Unit;

const NAME: &str = "mooncake";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A JSON object per line with `timestamp` in milliseconds and `hash_ids`, a list of blocks of a prompt: a request for each",
        "Qin et al., FAST'25: the traces of Mooncake, and others of key-value caches of language models in their form",
        &[],
    ),
    also_known_as: &["kv-cache"],
    endings: &[],
    recognise,
    open: |input, _| {
        let paths = Paths::new(NAME, ["timestamp", "hash_ids", "0", "0"]);
        json::open(input, paths.with_unit(Some(Unit::MILLISECONDS)))
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    objects_fit(start, |object| {
        let has_list = object.get("hash_ids").is_some_and(serde_json::Value::is_array);
        has_list && object.contains_key("timestamp") && object.contains_key("input_length")
    })
}
