//! The cache traces of Twitter: time, key, key size, value size, client, operation, TTL.

use super::{Arrival, FormatEntry, Likeness, Start, about};
use crate::requests::columns::{Operations, lines_fit};
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, key, nanoseconds, shown};
use crate::requests::lines::{LineFormat, LineReader};
use crate::requests::{Facts, Lifetimes};
use forebay_core::{Clock, ParamSpec};

const NAME: &str = "twitter-csv";
const NANOSECONDS: u64 = 1_000_000_000;
const OPERATIONS: [&str; 11] =
    ["get", "gets", "set", "add", "cas", "replace", "append", "prepend", "delete", "incr", "decr"];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "`seconds,key,key bytes,value bytes,client,operation,TTL` per line; an object's size is that of key and value",
        "Yang, Yue and Rashmi, OSDI'20: the published traces of Twitter's caches; TTLs are used with `ttl = \"trace\"` of caches",
        &[ParamSpec::choice(
            "operations",
            &["reads", "all"],
            "reads",
            "which lines are requests: `reads` (get and gets), or `all`",
        )],
    ),
    also_known_as: &["twitter"],
    endings: &[],
    recognise,
    open: |input, params| {
        let all = params.text("operations") == "all";
        let facts = Facts { format: NAME, clock: Clock::Nanoseconds, sizes: true };
        let requests = if all { Vec::new() } else { ["get", "gets"].map(str::to_owned).to_vec() };
        Ok(Box::new(LineReader::new(
            input,
            facts,
            Twitter { operations: Operations::new(requests, "operations=all"), lifetimes: Lifetimes::default() },
        )))
    },
    writer: None,
};

fn recognise(start: &Start<'_>) -> Likeness {
    let is_known = |line: Line<'_>| OPERATIONS.iter().any(|known| known.as_bytes() == line.operation);
    lines_fit(start, |line| Line::new(line).is_some_and(is_known)).into()
}

struct Line<'a> {
    time: &'a [u8],
    key: &'a [u8],
    key_bytes: &'a [u8],
    value_bytes: &'a [u8],
    operation: &'a [u8],
    /// Seconds, of an operation that writes; else 0.
    ttl: &'a [u8],
}

impl<'a> Line<'a> {
    /// Splits a line. The key may contain commas; the other columns contain none.
    fn new(line: &'a [u8]) -> Option<Self> {
        let mut fields = line.rsplitn(6, |&byte| byte == b',');
        let ttl = fields.next()?;
        let operation = fields.next()?;
        let _client = fields.next()?;
        let (value_bytes, key_bytes, start) = (fields.next()?, fields.next()?, fields.next()?);
        let (time, key) = start.split_at(memchr::memchr(b',', start)?);
        Some(Self { time, key: &key[1..], key_bytes, value_bytes, operation, ttl })
    }
}

struct Twitter {
    operations: Operations,
    lifetimes: Lifetimes,
}

impl LineFormat for Twitter {
    fn arrival(&mut self, line: &[u8], _: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.is_empty() {
            return Ok(None);
        }
        let Some(line) = Line::new(line) else {
            return Err(RequestFault::NotLike {
                wanted: "have 7 columns (seconds,key,key bytes,value bytes,client,operation,TTL)",
                found: shown(line),
            });
        };
        if !OPERATIONS.iter().any(|known| known.as_bytes() == line.operation) {
            return Err(RequestFault::UnknownOperation { found: shown(line.operation), known: OPERATIONS.join(", ") });
        }
        let time = nanoseconds(line.time, NANOSECONDS)?;
        if self.lifetimes.is_begun()
            && let Some(seconds) = digits(line.ttl).filter(|seconds| *seconds > 0)
        {
            self.lifetimes.add(key(line.key)?, seconds.saturating_mul(NANOSECONDS));
        }
        if !self.operations.take(line.operation) {
            return Ok(None);
        }
        let bytes = |text: &[u8], what: &str| {
            digits(text).ok_or_else(|| RequestFault::NoNumber {
                field: format!("the {what} size"),
                wanted: "a whole number",
                found: shown(text),
            })
        };
        let size = bytes(line.key_bytes, "key")?.saturating_add(bytes(line.value_bytes, "value")?);
        Ok(Some(Arrival { time, key: key(line.key)?, size }))
    }

    fn finish(&self) -> Result<(), crate::TraceError> {
        self.operations.finish()
    }

    fn warnings(&self) -> Vec<String> {
        self.operations.warning().into_iter().collect()
    }

    fn lifetimes(&mut self) -> Option<&mut Lifetimes> {
        Some(&mut self.lifetimes)
    }
}
