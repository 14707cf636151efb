//! Server access logs of Amazon S3, and of stores that write them the same way.

use super::{FormatEntry, about};
use crate::TraceError;
use crate::requests::log::pattern::{Lines, Pattern};
use crate::requests::log::{LogOptions, LogReader, params, recognise};

const NAME: &str = "s3";
/// The bucket has the place of the host.
const PATTERN: &str = "$owner $host [$time_local] $client $requester $id $operation $key \"$request\" $status $error $body_bytes_sent $object_size";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A line of S3 per request: owner, bucket, [DATE], client, requester, id, operation, key, \"request\", status, error, bytes and more",
        "Amazon S3's server access logs",
        params![],
    ),
    also_known_as: &[],
    endings: &[],
    recognise: |start| {
        let pattern = Pattern::new(PATTERN);
        recognise(start, |line| pattern.as_ref().is_ok_and(|pattern| pattern.match_line(line).is_ok()))
    },
    open: |input, params| {
        let pattern = Pattern::new(PATTERN).map_err(TraceError::File)?;
        Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::new(params), Lines(pattern))))
    },
    writer: None,
};
