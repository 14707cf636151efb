//! The key-value traces of CacheLib.

use super::{FormatEntry, Likeness, Start, about};
use crate::requests::columns::{self, Delimiter, OBJECT_OPERATIONS, Shape, first_columns};
use crate::requests::names::plain;

const NAME: &str = "cachelib";
const LIKE: &str = "key,op,size,op_count,key_size";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A first line with `key`, `op`, `size`, `op_count` and `key_size`, and perhaps `op_time` and more; a line is `op_count` \
         requests; an object's size is that of key and value",
        "Berg et al., OSDI'20: the key-value traces that CacheBench replays; TTLs and use cases are not used",
        &[OBJECT_OPERATIONS],
    ),
    also_known_as: &["cachebench"],
    endings: &[],
    recognise,
    open: |input, params| {
        let shape = Shape { count: "op_count".to_owned(), header: Some(true), ..Shape::preset(NAME, LIKE) };
        let shape = shape.with("op_time?", "key", "size+key_size?");
        columns::open(input, shape.with_reads(params, "op", &["GET", "GET_LEASE"]))
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let columns = first_columns(start, Delimiter::Byte(b','));
    let names: Vec<String> = columns.iter().map(|name| plain(name)).collect();
    ["key", "op", "size", "op_count"].iter().all(|wanted| names.iter().any(|name| name == wanted)).into()
}
