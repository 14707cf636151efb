//! How columns and fields are called, in lower case.

/// Of times.
pub(super) const TIMES: &[&str] = &[
    "time",
    "timestamp",
    "clock_time",
    "ts",
    "epoch",
    "date",
    "datetime",
    "msec",
    "@timestamp",
    "time_iso8601",
    "relative_unix",
    "op_time",
];
/// Of keys.
pub(super) const KEYS: &[&str] =
    &["url", "uri", "path", "request_uri", "obj_id", "object_id", "object", "obj", "key", "id", "hash", "cs-uri-stem"];
/// Of lists of keys.
pub(super) const KEY_LISTS: &[&str] = &["hash_ids", "keys", "block_hashes", "ids"];
/// Of sizes in bytes.
pub(super) const SIZES: &[&str] = &[
    "obj_size",
    "object_size",
    "size",
    "size_bytes",
    "bytes",
    "length",
    "content_length",
    "bytes_sent",
    "body_bytes_sent",
    "sc-bytes",
    "response_size",
];

/// A name as it is compared: in lower case, without what stands around it in a first line.
pub(super) fn plain(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim_matches([' ', '#', '"', '\t']).to_ascii_lowercase()
}

/// The place of the first name that is one of `known`.
pub(super) fn place(names: &[String], known: &[&str]) -> Option<usize> {
    names.iter().position(|name| known.contains(&name.as_str()))
}
