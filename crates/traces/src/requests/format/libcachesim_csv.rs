//! The CSV of libCacheSim: time, object and size, and texts with other columns.

use super::{FormatEntry, Kept, Likeness, Start, WriterEntry, about};
use crate::TraceError;
use crate::requests::columns::{self, Delimiter, Shape, block_bytes, first_columns, in_columns, lines_fit};
use crate::requests::key::{digits, nanoseconds};
use crate::requests::measured::{LATENCY_UNIT, latency_unit};
use crate::requests::names::{is_operation, place, plain};
use crate::requests::request_writer::{NANOSECONDS, RequestWriter, seconds};
use crate::requests::ticks::{UNITS, Unit};
use crate::requests::{Facts, RequestReader};
use forebay_core::{Clock, ParamSpec, Params, Request};
use std::io::{Read, Write};

const NAME: &str = "libcachesim-csv";
const HEADER: &str = "time,obj_id,obj_size";
/// Names in a first line that are enough to know the format.
const TIME_NAMES: [&str; 4] = ["time", "timestamp", "clock_time", "ts"];
const KEY_NAMES: [&str; 6] = ["obj_id", "object_id", "object", "obj", "key", "id"];

const PARAMS: &[ParamSpec] = &[
    ParamSpec::text(
        "time",
        "",
        "the column of the time: its number from 1, or its name in the first line; 0: there is none, a line is a slot; by default \
         as the first line says, or 1",
    ),
    ParamSpec::text(
        "key",
        "",
        "the column of the object, or several with + between them (`1+2`), which are one key; by default as the first line says, \
         or 2",
    ),
    ParamSpec::text(
        "size",
        "",
        "the column of the size in bytes, or several with + between them, which are added; 0: there is none; by default as the \
         first line says, or 3",
    ),
    ParamSpec::text("op", "", "the column of the operation, of which `operations` says which are requests"),
    ParamSpec::text("operations", "", "with `op`: the operations that are requests, as `GET+HEAD`; all without it"),
    ParamSpec::text(
        "blocks",
        "",
        "the size of a block, as `4KiB`: a line is a request for each block that its range touches",
    ),
    ParamSpec::text(
        "offset",
        "",
        "with `blocks`: the column of the first byte of the range; by default the last one of `key`",
    ),
    ParamSpec::integer("sector", 1, 1 << 30, Some(1), "the bytes that the size and the offset are counted in"),
    ParamSpec::text("count", "", "the column of how many requests a line stands for; without it a line is one"),
    ParamSpec::text(
        "latency",
        "",
        "the column of how long the fetch of the object took, for `latency = \"measured\"` of caches; `-`: it was not fetched",
    ),
    LATENCY_UNIT,
    ParamSpec::choice(
        "unit",
        UNITS,
        "auto",
        "the unit of the time, which may have decimals; 100ns, filetime: that of Windows file times; iso8601: dates such as \
         2024-05-01T13:55:36.5Z; auto: seconds, or that in which the first time is a date of our days",
    ),
    ParamSpec::choice(
        "delimiter",
        Delimiter::NAMES,
        "comma",
        "what stands between columns; spaces: any number of spaces and tabs",
    ),
    ParamSpec::choice(
        "header",
        &["auto", "yes", "no"],
        "auto",
        "whether the first line has names; auto: if it has no number where the time is",
    ),
];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Time in seconds, object and bytes per line, with a first line of names or without",
        "libCacheSim's csv",
        PARAMS,
    ),
    also_known_as: &["csv", "columns"],
    endings: &[],
    recognise,
    open,
    writer: Some(WriterEntry {
        slots: Kept::Seconds,
        nanoseconds: Kept::Exactly,
        sizes: true,
        open: |facts| Box::new(Writer { facts, begun: false }),
    }),
};

fn recognise(start: &Start<'_>) -> Likeness {
    let fields = first_columns(start, Delimiter::Byte(b','));
    let names: Vec<String> = fields.iter().map(|field| plain(field)).collect();
    if place(&names, &TIME_NAMES).is_some() && place(&names, &KEY_NAMES).is_some() {
        return Likeness::Yes;
    }
    // With more columns it may be anything, and so it may if the second one says what was done.
    let is_like = |columns: &[&[u8]]| match columns {
        [time, key, size] => nanoseconds(time, 1).is_ok() && digits(size).is_some() && !is_operation(key),
        _ => false,
    };
    lines_fit(start, in_columns(Delimiter::Byte(b','), 3, is_like)).into()
}

fn open(input: Box<dyn Read + Send>, params: &Params) -> Result<Box<dyn RequestReader>, TraceError> {
    let text = |name| params.text(name).to_owned();
    let block = block_bytes(params)?;
    if block.is_none() && !params.text("offset").is_empty() {
        return Err(TraceError::File(
            "`offset` is for ranges that are cut into blocks; say blocks=SIZE too".to_owned(),
        ));
    }
    let operations: Vec<String> = params.text("operations").split('+').map(|name| name.trim().to_owned()).collect();
    let operations: Vec<String> = operations.into_iter().filter(|name| !name.is_empty()).collect();
    if params.text("op").is_empty() != operations.is_empty() {
        let fix = "say op=COLUMN and operations=GET+HEAD, or the operations that are requests";
        return Err(TraceError::File(format!("`op` and `operations` need each other; {fix}")));
    }
    if block.is_some() && !params.text("count").is_empty() {
        return Err(TraceError::File("give either `blocks` or `count`".to_owned()));
    }
    let shape = Shape {
        name: NAME,
        like: HEADER,
        time: text("time"),
        key: text("key"),
        size: text("size"),
        operation: text("op"),
        operations,
        all_operations: "leaving `op` away",
        offset: text("offset"),
        count: text("count"),
        latency: text("latency"),
        latency_unit: latency_unit(params),
        sector: params.integer("sector").unwrap_or(1),
        size_sector: params.integer("sector").unwrap_or(1),
        block,
        unit: Unit::of_name(params.text("unit")),
        delimiter: Delimiter::of_name(params.text("delimiter")),
        header: match params.text("header") {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        },
        found_by_name: true,
        sorts: false,
    };
    columns::open(input, shape)
}

struct Writer {
    facts: Facts,
    begun: bool,
}

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        if !self.begun {
            writeln!(out, "{HEADER}")?;
            self.begun = true;
        }
        for request in requests {
            write!(out, "{}", seconds(request, self.facts.clock))?;
            let below = request.time % NANOSECONDS;
            if self.facts.clock == Clock::Nanoseconds && below > 0 {
                let digits = format!("{below:09}");
                write!(out, ".{}", digits.trim_end_matches('0'))?;
            }
            writeln!(out, ",{},{}", request.key, request.size)?;
        }
        Ok(())
    }
}
