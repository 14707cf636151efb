//! Formats with a JSON object per line.
//!
//! A format is a [`Paths`], which gives the fields their meaning. [`JsonLines`] reads all of them. A field that is a list of keys makes a
//! request for each of them.

mod values;

pub(super) use self::values::text;
use self::values::{each_element, values};
use super::columns::{MissingValues, Operations, lines_fit};
use super::fault::RequestFault;
use super::format::{Likeness, Start};
use super::key::{hash, key, shown, whole};
use super::lines::{LineFormat, LineReader, Lines};
use super::order::WINDOW;
use super::paths::Paths;
use super::reader_checks::Arrival;
use super::ticks::Ticks;
use super::{Facts, Measured, RequestReader, measured};
use crate::TraceError;
use crate::unpack::without_mark;
use forebay_core::Clock;
use std::io::Read;

/// Longer lines are no lines of a trace. A list of keys may be long.
const MAX_LINE_BYTES: usize = 1 << 23;

/// Opens a trace with these fields.
pub(super) fn open(input: Box<dyn Read + Send>, paths: Paths) -> Result<Box<dyn RequestReader>, TraceError> {
    let mut lines = Lines::new(input, MAX_LINE_BYTES);
    let first = lines.first()?.unwrap_or_default();
    let paths = paths.find(&names(without_mark(&first))).map_err(|error| TraceError::at(1, error))?;
    let clock = if paths.has_time() { Clock::Nanoseconds } else { Clock::Slots };
    let facts = Facts { format: paths.name, clock, sizes: paths.has_size() };
    let window = if clock == Clock::Nanoseconds { WINDOW } else { 0 };
    let format = JsonLines {
        clock: Ticks::new(paths.unit).with_lead(),
        operations: Operations::new(paths.operations.clone(), paths.all_operations),
        paths,
        arrival: Arrival { time: 0, key: 0, size: 1 },
        slot: 0,
        keys: Vec::new(),
        next: 0,
        text: String::new(),
        joined: Vec::new(),
        missing: MissingValues::default(),
        without_keys: 0,
        measured: Measured::default(),
        latency: None,
    };
    Ok(Box::new(LineReader::sorted(lines, facts, format, window)))
}

/// The names of the fields of an object; none if the line is no object.
fn names(line: &[u8]) -> Vec<String> {
    first_object(line).map(|object| object.into_iter().map(|(name, _)| name).collect()).unwrap_or_default()
}

/// Returns whether the first lines of a file are objects that satisfy the given test.
pub(super) fn objects_fit(start: &Start<'_>, is_like: impl Fn(&Object) -> bool) -> Likeness {
    lines_fit(start, |line| line.starts_with(b"{") && first_object(line).is_some_and(|object| is_like(&object))).into()
}

type Object = serde_json::Map<String, serde_json::Value>;

/// The object in a line, if it is one.
fn first_object(line: &[u8]) -> Option<Object> {
    serde_json::from_slice(line).ok()
}

struct JsonLines {
    paths: Paths,
    clock: Ticks,
    operations: Operations,
    /// Time and size of the requests of this line.
    arrival: Arrival,
    slot: u64,
    /// The keys of this line; keys from `next` on have not been returned yet.
    keys: Vec<u64>,
    next: usize,
    /// A text that had to be unescaped.
    text: String,
    /// The fields of a key of several, with a line end between them.
    joined: Vec<u8>,
    missing: MissingValues,
    /// Lines whose list of keys is empty.
    without_keys: u64,
    measured: Measured,
    /// The measured time of this line's fetch.
    latency: Option<u64>,
}

/// The kinds of lines.
enum Row {
    Requests,
    OtherOperation,
    Lacks(&'static str),
}

/// Logs write a dash where there is no number.
fn is_there(text: &&str) -> bool {
    !matches!(*text, "" | "-")
}

impl JsonLines {
    fn row(&mut self, line: &[u8]) -> Result<Row, RequestFault> {
        let wrong = || RequestFault::NotLike { wanted: "be a JSON object", found: shown(line) };
        let line = std::str::from_utf8(line).map_err(|_| wrong())?;
        let values = values(line, self.paths.all()).map_err(|_| wrong())?;
        let scratch = &mut self.text;
        if let Some(place) = self.paths.operation() {
            let Some(operation) = values[place].and_then(|value| text(value, scratch)) else {
                return Ok(Row::Lacks("operation"));
            };
            if !self.operations.take(operation.as_bytes()) {
                return Ok(Row::OtherOperation);
            }
        }
        if let Some(place) = self.paths.time() {
            let Some(time) = values[place].and_then(|value| text(value, scratch)).filter(is_there) else {
                return Ok(Row::Lacks("time"));
            };
            self.arrival.time = self.clock.nanoseconds(time.as_bytes())?;
        }
        if self.paths.has_size() {
            let mut size = 0_u64;
            for place in self.paths.size() {
                let Some(value) = values[place].and_then(|value| text(value, scratch)).filter(is_there) else {
                    return Ok(Row::Lacks("size"));
                };
                size = size.saturating_add(whole(value.as_bytes()).ok_or_else(|| RequestFault::NoNumber {
                    field: "the size".to_owned(),
                    wanted: "a whole number of bytes",
                    found: shown(value.as_bytes()),
                })?);
            }
            self.arrival.size = size;
        }
        if self.measured.is_begun() {
            let text = self.paths.latency().and_then(|place| values[place]).and_then(|value| text(value, scratch));
            self.latency = text.and_then(|text| measured::nanoseconds(text.as_bytes(), self.paths.latency_unit));
        }
        self.keys.clear();
        self.next = 0;
        let places = self.paths.key();
        if let [place] = *places {
            match values[place] {
                Some(list) if list.starts_with('[') => return self.list(list).map(|()| Row::Requests),
                Some(value) => match text(value, scratch) {
                    Some(text) if !text.is_empty() => self.keys.push(key(text.as_bytes())?),
                    _ => return Ok(Row::Lacks("key")),
                },
                None => return Ok(Row::Lacks("key")),
            }
            return Ok(Row::Requests);
        }
        self.joined.clear();
        for (number, &place) in places.iter().enumerate() {
            let Some(text) = values[place].and_then(|value| text(value, scratch)) else {
                return Ok(Row::Lacks("key"));
            };
            if number > 0 {
                self.joined.push(b'\n');
            }
            self.joined.extend(text.as_bytes());
        }
        self.keys.push(hash(&self.joined));
        Ok(Row::Requests)
    }

    /// A request for each key of a list.
    fn list(&mut self, list: &str) -> Result<(), RequestFault> {
        let Self { keys, text: scratch, .. } = self;
        let mut wrong = None;
        let read = each_element(list, &mut |element| match text(element, scratch).map(|text| key(text.as_bytes())) {
            Some(Ok(key)) => keys.push(key),
            Some(Err(fault)) => wrong = Some(fault),
            None => {
                let wanted = "have texts or numbers in its list of keys";
                wrong = Some(RequestFault::NotLike { wanted, found: shown(element.as_bytes()) });
            }
        });
        if let Some(fault) = wrong {
            return Err(fault);
        }
        let fault = |_| RequestFault::NotLike { wanted: "have a list of keys", found: shown(list.as_bytes()) };
        read.map_err(fault)?;
        self.without_keys += u64::from(self.keys.is_empty());
        Ok(())
    }
}

impl LineFormat for JsonLines {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        self.keys.clear();
        match self.row(line)? {
            Row::Requests => self.missing.complete(),
            Row::OtherOperation => return Ok(None),
            Row::Lacks(what) => return self.missing.miss(number, RequestFault::NoField(what)).map(|()| None),
        }
        Ok(self.more())
    }

    #[inline]
    fn more(&mut self) -> Option<Arrival> {
        let key = *self.keys.get(self.next)?;
        self.next += 1;
        let time = if self.paths.has_time() { self.arrival.time } else { self.slot };
        self.slot += 1;
        if self.measured.is_begun() {
            self.measured.add(key, self.latency);
        }
        Some(Arrival { time, key, ..self.arrival })
    }

    fn finish(&self) -> Result<(), TraceError> {
        self.missing.finish()?;
        self.operations.finish()
    }

    fn warnings(&self) -> Vec<String> {
        let without_keys =
            (self.without_keys > 0).then(|| format!("lines with an empty list of keys: {}", self.without_keys));
        let warnings = [self.clock.warning(), self.operations.warning(), self.missing.warning("line"), without_keys];
        warnings.into_iter().flatten().chain(self.paths.all_are_requests.clone()).collect()
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        self.paths.latency().map(|_| &mut self.measured)
    }
}
