//! The CSV of libCacheSim: time, object and size, in columns that can be chosen.

use super::{Arrival, FormatEntry, Kept, Likeness, Start, WriterEntry, about};
use crate::TraceError;
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, key, nanoseconds, shown};
use crate::requests::lines::{LineFormat, LineReader, words};
use crate::requests::request_writer::{NANOSECONDS, RequestWriter, seconds};
use crate::requests::ticks::{Ticks, Unit};
use crate::requests::{Facts, RequestReader};
use forebay_core::params::ParamKind;
use forebay_core::{Clock, ParamSpec, Params, Request};
use std::io::{Read, Write};

const NAME: &str = "libcachesim-csv";
const HEADER: &str = "time,obj_id,obj_size";
/// Names of columns in a first line, as people write them.
const TIME_NAMES: [&str; 4] = ["time", "timestamp", "clock_time", "ts"];
const KEY_NAMES: [&str; 6] = ["obj_id", "object_id", "object", "obj", "key", "id"];
const SIZE_NAMES: [&str; 4] = ["obj_size", "object_size", "size", "bytes"];

const PARAMS: &[ParamSpec] = &[
    column(
        "time",
        "the column of the time, from 1; 0: there is none, a line is a slot; by default as the first line says, or 1",
    ),
    column("key", "the column of the object, from 1; by default as the first line says, or 2"),
    column(
        "size",
        "the column of the size in bytes, from 1; 0: there is none; by default as the first line says, or 3",
    ),
    ParamSpec::choice(
        "unit",
        &["auto", "s", "ms", "us", "ns", "100ns"],
        "auto",
        "the unit of the time, which may have decimals; 100ns: that of Windows file times; auto: seconds, or that in which the \
         first time is a date of our days",
    ),
    ParamSpec::choice(
        "delimiter",
        &["comma", "semicolon", "tab", "space", "bar", "spaces"],
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

const fn column(name: &'static str, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min: 0, max: 1_000, default: None }, meaning }
}

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Time in seconds, object and bytes per line, with a first line of names or without",
        "libCacheSim's csv",
        PARAMS,
    ),
    also_known_as: &["csv"],
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
    let Some(line) = start.line() else { return Likeness::No };
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').collect();
    if places(&fields).is_some() {
        return Likeness::Yes;
    }
    match fields[..] {
        [time, _, size, ..] => (nanoseconds(time, 1).is_ok() && digits(size).is_some()).into(),
        _ => Likeness::No,
    }
}

/// Where a first line says that time, key and size are.
fn places(fields: &[&[u8]]) -> Option<[Option<usize>; 3]> {
    let names: Vec<String> = fields
        .iter()
        .map(|field| String::from_utf8_lossy(field).trim_matches([' ', '#', '"']).to_ascii_lowercase())
        .collect();
    let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let key = place(&KEY_NAMES)?;
    let time = place(&TIME_NAMES)?;
    Some([Some(time), Some(key), place(&SIZE_NAMES)])
}

fn open(input: Box<dyn Read + Send>, params: &Params) -> Result<Box<dyn RequestReader>, TraceError> {
    let unit = match params.text("unit") {
        "s" => Some(Unit::SECONDS),
        "ms" => Some(Unit::MILLISECONDS),
        "us" => Some(Unit::MICROSECONDS),
        "ns" => Some(Unit::NANOSECONDS),
        "100ns" => Some(Unit::FILE_TIME),
        _ => None,
    };
    let delimiter = match params.text("delimiter") {
        "comma" => Delimiter::Byte(b','),
        "semicolon" => Delimiter::Byte(b';'),
        "tab" => Delimiter::Byte(b'\t'),
        "space" => Delimiter::Byte(b' '),
        "bar" => Delimiter::Byte(b'|'),
        _ => Delimiter::Spaces,
    };
    let header = match params.text("header") {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let chosen =
        ["time", "key", "size"].map(|name| params.integer(name).and_then(|column| usize::try_from(column).ok()));
    if chosen[1] == Some(0) {
        return Err(TraceError::File("`key` must be a column from 1; a request needs an object".to_owned()));
    }
    let clock = if chosen[0] == Some(0) { Clock::Slots } else { Clock::Nanoseconds };
    let mut format =
        Csv { chosen, columns: [None; 3], width: 0, clock: Ticks::new(unit), delimiter, header, lines_before: 0 };
    format.place([Some(0), Some(1), Some(2)]);
    let facts = Facts { format: NAME, clock, sizes: chosen[2] != Some(0) };
    Ok(Box::new(LineReader::new(input, facts, format)))
}

#[derive(Clone, Copy)]
enum Delimiter {
    Byte(u8),
    /// Any number of spaces and tabs.
    Spaces,
}

struct Csv {
    /// From 1, and 0 for none, as the options say.
    chosen: [Option<usize>; 3],
    /// From 0: of time, key and size.
    columns: [Option<usize>; 3],
    /// Columns that a line needs.
    width: usize,
    clock: Ticks,
    delimiter: Delimiter,
    header: Option<bool>,
    /// A line of names is no slot.
    lines_before: u64,
}

impl Csv {
    /// Columns where the options say, otherwise at `places`.
    fn place(&mut self, places: [Option<usize>; 3]) {
        for (column, (chosen, place)) in self.columns.iter_mut().zip(self.chosen.into_iter().zip(places)) {
            *column = match chosen {
                Some(0) => None,
                Some(number) => Some(number - 1),
                None => place,
            };
        }
        self.width = self.columns.into_iter().flatten().max().map_or(0, |last| last + 1);
    }

    /// Whether the first line has names; then it may also say where the columns are.
    fn is_header(&mut self, line: &[u8]) -> bool {
        let fields: Vec<&[u8]> = match self.delimiter {
            Delimiter::Byte(delimiter) => line.split(|&byte| byte == delimiter).collect(),
            Delimiter::Spaces => words(line).collect(),
        };
        let named = places(&fields);
        let is_number = |column: Option<usize>| {
            column.and_then(|column| fields.get(column)).is_none_or(|field| nanoseconds(field.trim_ascii(), 1).is_ok())
        };
        let header = self
            .header
            .unwrap_or_else(|| named.is_some() || !is_number(self.columns[0]) && !is_number(self.columns[2]));
        if header && let Some(places) = named {
            self.place(places);
        }
        header
    }

    /// Time, key and size among the fields of a line.
    #[inline]
    fn find<'a>(&self, line: impl Iterator<Item = &'a [u8]>) -> Result<[&'a [u8]; 3], RequestFault> {
        let mut found: [&[u8]; 3] = [b""; 3];
        let mut fields = 0;
        for (place, field) in line.enumerate() {
            for (column, found) in self.columns.iter().zip(&mut found) {
                if *column == Some(place) {
                    *found = field.trim_ascii();
                }
            }
            fields = place + 1;
            if fields == self.width {
                return Ok(found);
            }
        }
        Err(RequestFault::TooFewColumns { found: fields, needed: self.width, header: HEADER })
    }
}

impl LineFormat for Csv {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        if number == 1 && self.is_header(line) {
            self.lines_before = 1;
            return Ok(None);
        }
        if line.is_empty() {
            return Ok(None);
        }
        let [time, object, size] = match self.delimiter {
            Delimiter::Byte(delimiter) => self.find(line.split(|&byte| byte == delimiter)),
            Delimiter::Spaces => self.find(words(line)),
        }?;
        let time = match self.columns[0] {
            Some(_) => self.clock.nanoseconds(time)?,
            None => number - 1 - self.lines_before,
        };
        let size = match self.columns[2] {
            Some(_) => digits(size).ok_or_else(|| RequestFault::NoNumber {
                field: "the size".to_owned(),
                wanted: "a whole number of bytes",
                found: shown(size),
            })?,
            None => 1,
        };
        Ok(Some(Arrival { time, key: key(object)?, size }))
    }

    fn warnings(&self) -> Vec<String> {
        self.clock.warning().into_iter().collect()
    }
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
