//! Names of columns and fields, in lower case.

/// Names of the column of times.
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
/// Names of the column of keys.
pub(super) const KEYS: &[&str] =
    &["url", "uri", "path", "request_uri", "obj_id", "object_id", "object", "obj", "key", "id", "hash", "cs-uri-stem"];
/// Names of the column of lists of keys.
pub(super) const KEY_LISTS: &[&str] = &["hash_ids", "keys", "block_hashes", "ids"];
/// Names of the column of sizes in bytes.
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

/// Names of the column of operations, some of which may request no object.
const OPERATIONS: &[&str] =
    &["op", "operation", "opcode", "method", "request_method", "http_method", "verb", "cmd", "command", "cs-method"];
/// Names of the column of the outcomes of requests.
const STATUSES: &[&str] = &["status", "status_code", "response_status", "http_status", "sc-status"];

/// Returns whether a text is the name of an operation, and so hardly the name of an object.
pub(super) fn is_operation(text: &[u8]) -> bool {
    const KNOWN: [&str; 22] = [
        "get", "gets", "set", "put", "post", "head", "delete", "del", "add", "cas", "incr", "decr", "replace",
        "append", "prepend", "read", "write", "r", "w", "update", "insert", "scan",
    ];
    KNOWN.iter().any(|known| text.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns a note about a trace of which all rows are requests, although one of its columns could select rows.
pub(super) fn all_are_requests(names: &[String]) -> Option<String> {
    let named = |known: &[&str]| names.iter().find(|name| known.iter().any(|known| name.eq_ignore_ascii_case(known)));
    let say = |what: &str, name: &str, some: &str| {
        format!("all rows are taken as requests, whatever their {what} is; op={name},operations={some} takes only some")
    };
    match (named(OPERATIONS), named(STATUSES)) {
        (Some(operation), Some(status)) => {
            Some(say(&format!("`{operation}` or `{status}`"), operation, "GET+HEAD, for example,"))
        }
        (Some(operation), None) => Some(say(&format!("`{operation}`"), operation, "GET+HEAD, for example,")),
        (None, Some(status)) => Some(say(&format!("`{status}`"), status, "200+304, for example,")),
        (None, None) => None,
    }
}

/// Returns a name in the form in which names are compared: in lower case, without the signs around it in a first line.
pub(super) fn plain(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim_matches([' ', '#', '"', '\t']).to_ascii_lowercase()
}

/// Returns the place of the first name that is one of `known`.
pub(super) fn place(names: &[String], known: &[&str]) -> Option<usize> {
    names.iter().position(|name| known.contains(&name.as_str()))
}
