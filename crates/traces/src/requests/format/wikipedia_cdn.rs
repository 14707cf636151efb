//! The caching datasets of the Wikimedia Foundation.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, Delimiter, Shape, first_columns};
use crate::requests::names::plain;
use crate::requests::ticks::Unit;
use forebay_core::ParamSpec;

const NAME: &str = "wikipedia-cdn";
const LIKE: &str = "relative_unix, hashed_path_query, image_type, response_size, time_firstbyte, with tabs";
const KEYS: [&str; 2] = ["hashed_path_query", "hashed_host_path_query"];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Seconds, hash of the URL, image type (in `upload` only), bytes and seconds to the first byte, with tabs",
        "Wikimedia Foundation, Analytics/Data Lake/Traffic/Caching, the releases of 2019",
        &[ParamSpec::choice(
            "dataset",
            &["auto", "upload", "text"],
            "auto",
            "which of the two datasets it is: `upload` has the image type; auto: as the first line says, which has names",
        )],
    ),
    also_known_as: &["wikimedia"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape =
            Shape { delimiter: Delimiter::Byte(b'\t'), latency_unit: Unit::SECONDS, ..Shape::preset(NAME, LIKE) };
        let shape = match params.text("dataset") {
            "upload" => Shape { header: None, latency: "5".to_owned(), ..shape.with("1", "2", "4") },
            "text" => Shape { header: None, latency: "4".to_owned(), ..shape.with("1", "2", "3") },
            _ => {
                let key = KEYS.map(|key| format!("{key}?")).join("+");
                let latency = "time_firstbyte?".to_owned();
                Shape { header: Some(true), latency, ..shape.with("relative_unix", &key, "response_size") }
            }
        };
        columns::open(input, shape)
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let columns = first_columns(start, Delimiter::Byte(b'\t'));
    let names: Vec<String> = columns.iter().map(|name| plain(name)).collect();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    (has("relative_unix") && has("response_size") && KEYS.iter().any(|key| has(key))).into()
}
