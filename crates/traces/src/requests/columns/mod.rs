//! Formats with a request per line, in columns.
//!
//! A format is a [`Shape`], which gives the columns their meaning. [`Columns`] reads all of them.

mod burst;
mod fetch_times;
mod fields;
mod format_fit;
mod missing;
mod operations;
mod preset;
mod shape;

use self::fetch_times::Timed;
use self::fields::Fields;
use self::shape::Places;
use super::fault::RequestFault;
use super::key::{hash, key, shown, whole};
use super::lines::{LineFormat, LineReader, Lines};
use super::names::{all_are_requests, plain};
use super::odd_values::OddKeys;
use super::order::WINDOW;
use super::reader_checks::Arrival;
use super::ticks::{Ticks, is_time};
use super::{Facts, RequestReader};
use crate::TraceError;
use forebay_core::units::parse_bytes;
use forebay_core::{Clock, Params};
use std::io::Read;

pub(super) use self::burst::Burst;
pub(super) use self::fields::{Delimiter, all_columns};
pub(super) use self::format_fit::{first_columns, fits, has_header, in_columns, lines_fit};
pub(super) use self::missing::MissingValues;
pub(super) use self::operations::Operations;
pub(super) use self::preset::{DISK_PARAMS, OBJECT_OPERATIONS};
pub(super) use self::shape::Shape;

/// Longer lines are no lines of a trace.
const MAX_LINE_BYTES: usize = 1 << 18;
/// The text in place of a missing number.
const NOTHING: &[u8] = b"-";

/// Opens a trace of this shape.
pub(super) fn open(input: Box<dyn Read + Send>, shape: Shape) -> Result<Box<dyn RequestReader>, TraceError> {
    let mut lines = Lines::new(input, MAX_LINE_BYTES);
    let first = lines.first()?.unwrap_or_default();
    let columns = Columns::new(shape, &first)?;
    let clock = if columns.places.time.is_some() { Clock::Nanoseconds } else { Clock::Slots };
    let sizes = !columns.places.size.is_empty() || columns.shape.block.is_some();
    let facts = Facts { format: columns.shape.name, clock, sizes };
    let window = if columns.shape.sorts && clock == Clock::Nanoseconds { WINDOW } else { 0 };
    Ok(match columns.places.latency {
        Some(_) => Box::new(LineReader::sorted(lines, facts, Timed::new(columns), window)),
        None => Box::new(LineReader::sorted(lines, facts, columns, window)),
    })
}

struct Columns {
    shape: Shape,
    places: Places,
    has_header: bool,
    fields: Fields,
    clock: Ticks,
    /// The next slot, where a line is one.
    slot: u64,
    operations: Operations,
    burst: Burst,
    /// The columns of a key of several, with a line end between them, which no column has.
    joined: Vec<u8>,
    missing: MissingValues,
    odd_keys: OddKeys,
    /// The note if no option selects rows although one could.
    all_are_requests: Option<String>,
}

impl Columns {
    /// For a trace with this first line.
    fn new(shape: Shape, first: &[u8]) -> Result<Self, TraceError> {
        let mut fields = Fields::default();
        fields.split(first, shape.delimiter, usize::MAX).map_err(|fault| TraceError::at(1, fault))?;
        let names: Vec<String> = fields.all(first).map(plain).collect();
        let has_header = match shape.header {
            Some(has_header) => has_header,
            None => shape.has_names() || Shape::are_known(&names) || !has_numbers(&shape, &fields, first)?,
        };
        let places = shape.places(has_header.then_some(&names[..]))?;
        let clock = Ticks::new(shape.unit);
        let clock = if shape.sorts { clock.with_lead() } else { clock };
        let burst = Burst::new(u64::from(places.time.is_none()));
        let operations = Operations::new(shape.operations.clone(), shape.all_operations);
        let is_open = has_header && shape.operation.is_empty();
        let all_are_requests = if is_open { all_are_requests(&names) } else { None };
        Ok(Self {
            shape,
            places,
            has_header,
            fields,
            clock,
            slot: 0,
            operations,
            burst,
            joined: Vec::new(),
            missing: MissingValues::default(),
            odd_keys: OddKeys::default(),
            all_are_requests,
        })
    }

    /// Reads a row.
    #[inline]
    fn row(&mut self, line: &[u8]) -> Result<Row, RequestFault> {
        let Self { places, fields, shape, .. } = self;
        macro_rules! text {
            ($place:expr) => {
                match fields.get(line, $place) {
                    Some(text) => text,
                    None => {
                        let (found, needed) = (fields.len(), places.width);
                        let fault = RequestFault::TooFewColumns { found, needed, header: shape.like };
                        return Ok(Row::Lacks(fault));
                    }
                }
            };
        }
        macro_rules! value {
            ($place:expr, $what:expr) => {
                match text!($place) {
                    b"" | NOTHING => return Ok(Row::Lacks(RequestFault::NoValue($what))),
                    value => value,
                }
            };
        }
        if let Some(place) = places.operation
            && !self.operations.take(value!(place, "operation"))
        {
            return Ok(Row::OtherOperation);
        }
        let mut length = 0_u64;
        for &place in &places.size {
            length = length.saturating_add(number(value!(place, "size"), "the size")?);
        }
        length = if places.size.is_empty() { 1 } else { length.saturating_mul(shape.size_sector) };
        let count = match places.count {
            Some(place) => number(value!(place, "count"), "the count")?,
            None => 1,
        };
        let time = match places.time {
            Some(place) => self.clock.nanoseconds(value!(place, "time"))?,
            None => self.slot,
        };
        let mut arrival = Arrival { time, key: 0, size: length };
        if let (Some(block), Some(place)) = (shape.block, places.offset) {
            let offset = number(value!(place, "offset"), "the offset")?.saturating_mul(shape.sector);
            for &place in &places.key {
                text!(place);
            }
            let volume = places.key.iter().filter_map(|&place| fields.get(line, place));
            self.burst.blocks(arrival, volume, [offset, length, block])?;
            return Ok(Row::Requests);
        }
        arrival.key = match places.key[..] {
            [place] => match text!(place) {
                b"" => return Ok(Row::Lacks(RequestFault::NoKey)),
                text => {
                    self.odd_keys.look(text);
                    key(text)?
                }
            },
            _ => {
                self.joined.clear();
                for (number, &place) in places.key.iter().enumerate() {
                    if number > 0 {
                        self.joined.push(b'\n');
                    }
                    self.joined.extend(text!(place));
                }
                if self.joined.len() < places.key.len() {
                    return Ok(Row::Lacks(RequestFault::NoKey));
                }
                if !self.joined.is_ascii() && std::str::from_utf8(&self.joined).is_err() {
                    return Err(RequestFault::KeyIsNoText);
                }
                hash(&self.joined)
            }
        };
        if count == 1 {
            return Ok(Row::Request(arrival));
        }
        self.burst.repeat(arrival, count)?;
        Ok(Row::Requests)
    }
}

/// The kinds of rows.
enum Row {
    Request(Arrival),
    /// Any number, which the burst has.
    Requests,
    OtherOperation,
    Lacks(RequestFault),
}

impl LineFormat for Columns {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        if number == 1 && self.has_header {
            return Ok(None);
        }
        if line.is_empty() {
            self.slot += 1;
            return Ok(None);
        }
        self.fields.split(line, self.shape.delimiter, self.places.width)?;
        match self.row(line)? {
            Row::Request(arrival) => {
                self.missing.complete();
                self.slot += 1;
                return Ok(Some(arrival));
            }
            Row::Requests => self.missing.complete(),
            Row::OtherOperation => return Ok(None),
            Row::Lacks(fault) => return self.missing.miss(number, fault).map(|()| None),
        }
        Ok(self.more())
    }

    #[inline]
    fn more(&mut self) -> Option<Arrival> {
        let arrival = self.burst.next()?;
        self.slot += 1;
        Some(arrival)
    }

    fn finish(&self) -> Result<(), TraceError> {
        self.missing.finish()?;
        self.operations.finish()
    }

    fn warnings(&self) -> Vec<String> {
        let warnings =
            [self.clock.warning(), self.operations.warning(), self.missing.warning("line"), self.odd_keys.warning()];
        let more = [self.burst.warning(), self.all_are_requests.clone()];
        warnings.into_iter().chain(more).flatten().collect()
    }
}

/// Returns whether the first line has numbers in the column of the time or the size, and so has no names.
fn has_numbers(shape: &Shape, fields: &Fields, first: &[u8]) -> Result<bool, TraceError> {
    let places = shape.places(None)?;
    let is_number =
        |place: Option<usize>, is: fn(&[u8]) -> bool| place.and_then(|place| fields.get(first, place)).is_none_or(is);
    Ok(is_number(places.time, is_time) || is_number(places.size.first().copied(), is_time))
}

/// A whole number of bytes or of times.
#[inline]
fn number(text: &[u8], what: &str) -> Result<u64, RequestFault> {
    whole(text).ok_or_else(|| RequestFault::NoNumber {
        field: what.to_owned(),
        wanted: if what == "the count" { "a whole number" } else { "a whole number of bytes" },
        found: shown(text),
    })
}

/// Reads the parameter `blocks`.
pub(super) fn block_bytes(params: &Params) -> Result<Option<u64>, TraceError> {
    match params.text("blocks") {
        "" => Ok(None),
        text => match parse_bytes(text) {
            Ok(0) => Err(TraceError::File("`blocks` must be above zero".to_owned())),
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => Err(TraceError::File(format!("`blocks`: {error}"))),
        },
    }
}
