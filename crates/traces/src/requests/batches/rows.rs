//! The requests of record batches.

use super::guarded;
use super::values::{Value, is_list, list, unit, values};
use crate::TraceError;
use crate::requests::columns::{MissingValues, Operations};
use crate::requests::fault::RequestFault;
use crate::requests::key::hash;
use crate::requests::order::{WINDOW, Window};
use crate::requests::paths::Paths;
use crate::requests::reader_checks::{Arrival, Intake};
use crate::requests::ticks::Ticks;
use crate::requests::{Facts, Measured, RequestReader, measured};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Schema};
use forebay_core::registry::suggest;
use forebay_core::{Clock, Request};

/// The message about a file whose compression this build does not support.
const UNREAD: &str = "its compression is not supported; write it with snappy, gzip, lz4 or zstd";

/// The facts about a file that are known before its first row.
pub(super) struct Open {
    paths: Paths,
    /// The columns that are read, in ascending order.
    columns: Vec<usize>,
    /// The names of the columns that are looked at, in the order of the paths.
    names: Vec<String>,
    clock: Ticks,
}

impl Open {
    pub(super) fn new(paths: Paths, schema: &Schema) -> Result<Self, TraceError> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let paths = paths.find(&names)?;
        let place = |path: &String| {
            let place = names.iter().position(|name| name == path);
            let place = place.or_else(|| names.iter().position(|name| name.eq_ignore_ascii_case(path)));
            place.ok_or_else(|| {
                let near = suggest(path, names.iter().map(String::as_str));
                TraceError::File(format!("there is no column `{path}`{near}"))
            })
        };
        let columns = paths.all().iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let kind = paths.time().map(|time| schema.field(columns[time]).data_type());
        let clock = Ticks::new(kind.and_then(unit).or(paths.unit)).with_lead();
        let wanted = columns.iter().map(|&column| names[column].clone()).collect();
        let mut columns = columns;
        columns.sort_unstable();
        columns.dedup();
        Ok(Self { paths, columns, names: wanted, clock })
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }
}

/// Reads a trace batch by batch.
pub(super) struct BatchReader<B> {
    batches: B,
    open: Open,
    facts: Facts,
    intake: Intake,
    window: Window,
    operations: Operations,
    missing: MissingValues,
    /// Rows whose list of keys is empty.
    without_keys: u64,
    /// The requests of this batch with the numbers of their rows; requests from `next` on have not been returned yet.
    arrivals: Vec<(u64, Arrival)>,
    next: usize,
    /// Rows of the batches before.
    rows: u64,
    slot: u64,
    at_end: bool,
    measured: Measured,
    /// Why the batch cannot be read further, after its good requests.
    fault: Option<TraceError>,
}

impl<B: Iterator<Item = Result<RecordBatch, ArrowError>>> BatchReader<B> {
    pub(super) fn new(batches: B, open: Open) -> Self {
        let clock = if open.paths.has_time() { Clock::Nanoseconds } else { Clock::Slots };
        let facts = Facts { format: open.paths.name, clock, sizes: open.paths.has_size() };
        let window = if clock == Clock::Nanoseconds { WINDOW } else { 0 };
        let operations = Operations::new(open.paths.operations.clone(), open.paths.all_operations);
        Self {
            batches,
            open,
            facts,
            intake: Intake::new(clock),
            window: Window::new(window),
            operations,
            missing: MissingValues::default(),
            without_keys: 0,
            arrivals: Vec::new(),
            next: 0,
            rows: 0,
            slot: 0,
            at_end: false,
            measured: Measured::default(),
            fault: None,
        }
    }

    /// The next request as the file has it.
    fn arrival(&mut self) -> Result<Option<(u64, Arrival)>, TraceError> {
        loop {
            if let Some(&arrival) = self.arrivals.get(self.next) {
                self.next += 1;
                return Ok(Some(arrival));
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            self.arrivals.clear();
            self.next = 0;
            let batch = guarded(|| self.batches.next());
            let after = self.rows;
            let damaged =
                |why: &str| TraceError::File(format!("after row {after}: the file is damaged or cut off: {why}"));
            match batch.map_err(damaged)? {
                None => {
                    self.at_end = true;
                    self.missing.finish().and_then(|()| self.operations.finish()).map_err(row_error)?;
                    return Ok(None);
                }
                Some(Err(error)) if error.to_string().contains("Disabled feature") => {
                    return Err(TraceError::File(format!("{UNREAD} ({error})")));
                }
                Some(Err(error)) => return Err(damaged(&error.to_string())),
                Some(Ok(batch)) => self.fault = self.take(&batch).err(),
            }
        }
    }

    /// The requests of a batch.
    fn take(&mut self, batch: &RecordBatch) -> Result<(), TraceError> {
        let Self { open, .. } = self;
        let column = |place: usize| -> Result<&ArrayRef, TraceError> {
            let name = &open.names[place];
            batch.column_by_name(name).ok_or_else(|| TraceError::File(format!("a batch has no column `{name}`")))
        };
        let read = |place: usize| -> Result<Vec<Value<'_>>, TraceError> {
            let mut out = Vec::with_capacity(batch.num_rows());
            match values(column(place)?, &mut out) {
                Ok(()) => Ok(out),
                Err(error) => Err(TraceError::File(format!("column `{}`: {error}", open.names[place]))),
            }
        };
        let operations = open.paths.operation().map(read).transpose()?;
        let times = open.paths.time().map(read).transpose()?;
        let sizes = open.paths.size().map(read).collect::<Result<Vec<_>, _>>()?;
        let is_measured = self.measured.is_begun();
        let latencies = open.paths.latency().filter(|_| is_measured).map(read).transpose()?;
        let latency_unit = open.paths.latency_unit;
        let lists = match open.paths.key() {
            [place] if is_list(column(*place)?.data_type()) => Some(column(*place)?),
            _ => None,
        };
        let keys = match lists {
            Some(_) => Vec::new(),
            None => open.paths.key().iter().map(|&place| read(place)).collect::<Result<Vec<_>, _>>()?,
        };
        let (mut joined, mut elements) = (Vec::new(), Vec::new());
        let before = self.rows;
        self.rows += batch.num_rows() as u64;
        for row in 0..batch.num_rows() {
            let number = before + row as u64 + 1;
            let fault = |fault: RequestFault| TraceError::File(format!("row {number}: {fault}"));
            if let Some(operations) = &operations {
                joined.clear();
                operations[row].write(&mut joined);
                if !self.operations.take(&joined) {
                    continue;
                }
            }
            macro_rules! needed {
                ($value:expr, $what:expr) => {
                    match $value {
                        Some(value) => value.map_err(fault)?,
                        None => {
                            self.missing.miss(number, RequestFault::NoField($what)).map_err(fault)?;
                            continue;
                        }
                    }
                };
            }
            let mut arrival = Arrival { time: 0, key: 0, size: u64::from(sizes.is_empty()) };
            if let Some(times) = &times {
                arrival.time = needed!(times[row].time(&mut self.open.clock), "time");
            }
            let mut lacks_size = false;
            for sizes in &sizes {
                match sizes[row].size() {
                    Some(size) => arrival.size = arrival.size.saturating_add(size.map_err(fault)?),
                    None => lacks_size = true,
                }
            }
            if lacks_size {
                self.missing.miss(number, RequestFault::NoField("size")).map_err(fault)?;
                continue;
            }
            let latency = latencies.as_ref().and_then(|latencies| {
                joined.clear();
                latencies[row].write(&mut joined);
                measured::nanoseconds(&joined, latency_unit)
            });
            let mut push = |key: u64| {
                self.measured.add(key, latency);
                let time = if times.is_some() { arrival.time } else { self.slot };
                self.slot += 1;
                self.arrivals.push((number, Arrival { time, key, ..arrival }));
            };
            if let Some(lists) = lists {
                if lists.is_null(row) {
                    self.missing.miss(number, RequestFault::NoField("key")).map_err(fault)?;
                    continue;
                }
                let Some(list) = list(lists, row) else { continue };
                values(&list, &mut elements)?;
                self.without_keys += u64::from(elements.is_empty());
                for element in &elements {
                    match element.key() {
                        Some(key) => push(key.map_err(fault)?),
                        None => self.missing.miss(number, RequestFault::NoField("key")).map_err(fault)?,
                    }
                }
                // The elements borrow from the list.
                elements = Vec::new();
            } else if let [keys] = &keys[..] {
                push(needed!(keys[row].key(), "key"));
            } else {
                joined.clear();
                for (number, keys) in keys.iter().enumerate() {
                    if number > 0 {
                        joined.push(b'\n');
                    }
                    keys[row].write(&mut joined);
                }
                push(hash(&joined));
            }
            self.missing.complete();
        }
        Ok(())
    }

    /// The next request in order of time, and its row, or one near it.
    fn in_order(&mut self) -> Result<Option<(u64, Arrival)>, TraceError> {
        if !self.window.sorts() {
            return self.arrival();
        }
        while !self.at_end && !self.window.is_full() {
            if let Some((row, arrival)) = self.arrival()? {
                self.window.push(arrival).map_err(|fault| TraceError::File(format!("row {row}: {fault}")))?;
            }
        }
        Ok(self.window.pop().map(|arrival| (self.rows, arrival)))
    }
}

/// An error at a row, which is no line.
fn row_error(error: TraceError) -> TraceError {
    match error {
        TraceError::Line { line, message } => TraceError::File(format!("row {line}: {message}")),
        other => other,
    }
}

impl<B: Iterator<Item = Result<RecordBatch, ArrowError>> + Send> RequestReader for BatchReader<B> {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        self.open.paths.latency().map(|_| &mut self.measured)
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            let Some((row, arrival)) = self.in_order()? else {
                self.intake.finish()?;
                return Ok(false);
            };
            let request = self.intake.take(arrival);
            chunk.push(request.map_err(|fault| TraceError::File(format!("row {row}: {fault}")))?);
        }
        Ok(true)
    }

    fn warnings(&self) -> Vec<String> {
        let others =
            [self.window.warning(), self.open.clock.warning(), self.operations.warning(), self.missing.warning("row")];
        let without_keys =
            (self.without_keys > 0).then(|| format!("rows with an empty list of keys: {}", self.without_keys));
        let others = others.into_iter().flatten().chain(without_keys).chain(self.open.paths.all_are_requests.clone());
        self.intake.warnings().into_iter().chain(others).collect()
    }
}
