//! Requests whose columns a program holds in memory, as a trace.

use super::reader_checks::{Arrival, Intake};
use super::{Facts, RequestReader};
use crate::error::TraceError;
use forebay_core::{Clock, Request};
use std::fmt;
use std::sync::Arc;

/// Whole numbers that a program holds in memory; they are read without a copy.
pub type Column = Arc<dyn AsRef<[u64]> + Send + Sync>;

/// The name of the format in [`Facts`].
const FORMAT: &str = "memory";

/// The columns of a trace: a key for each request, and its time and size if these are known.
#[derive(Clone)]
pub struct HeldRequests {
    keys: Column,
    times: Option<Column>,
    sizes: Option<Column>,
    clock: Clock,
}

impl fmt::Debug for HeldRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} requests in memory", self.keys.as_ref().as_ref().len())
    }
}

impl HeldRequests {
    /// Creates requests for these keys, one in each slot.
    #[must_use]
    pub fn new(keys: Column) -> Self {
        Self { keys, times: None, sizes: None, clock: Clock::Slots }
    }

    /// Adds a time for each request, in ticks of `clock`.
    ///
    /// # Errors If there is not one time for each key.
    pub fn at(self, times: Column, clock: Clock) -> Result<Self, TraceError> {
        self.refuse_other_length("times", &times)?;
        Ok(Self { times: Some(times), clock, ..self })
    }

    /// Adds a size for each request, in bytes.
    ///
    /// # Errors If there is not one size for each key.
    pub fn of_sizes(self, sizes: Column) -> Result<Self, TraceError> {
        self.refuse_other_length("sizes", &sizes)?;
        Ok(Self { sizes: Some(sizes), ..self })
    }

    fn refuse_other_length(&self, what: &str, column: &Column) -> Result<(), TraceError> {
        let (found, needed) = ((**column).as_ref().len(), self.len());
        if found == needed {
            return Ok(());
        }
        Err(TraceError::File(format!("there are {found} {what} for {needed} keys; each request needs one")))
    }

    /// Returns the number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        (*self.keys).as_ref().len()
    }

    /// Returns whether there are no requests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the facts that are known before the first request is read.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts { format: FORMAT, clock: self.clock, sizes: self.sizes.is_some() }
    }

    /// Returns all columns: the keys, then the times and the sizes if there are any.
    pub fn columns(&self) -> impl Iterator<Item = &[u64]> {
        [Some(&self.keys), self.times.as_ref(), self.sizes.as_ref()].into_iter().flatten().map(|it| (**it).as_ref())
    }

    /// Returns a reader of the requests.
    #[must_use]
    pub fn open(&self) -> Box<dyn RequestReader> {
        Box::new(HeldReader { held: self.clone(), intake: Intake::new(self.clock), next: 0 })
    }
}

struct HeldReader {
    held: HeldRequests,
    intake: Intake,
    next: usize,
}

impl RequestReader for HeldReader {
    fn facts(&self) -> Facts {
        self.held.facts()
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        let (first, end) = (self.next, self.next.saturating_add(limit).min(self.held.len()));
        let times = self.held.times.as_ref().map(|column| &(**column).as_ref()[first..end]);
        let sizes = self.held.sizes.as_ref().map(|column| &(**column).as_ref()[first..end]);
        chunk.reserve(end - first);
        for (place, &key) in (*self.held.keys).as_ref()[first..end].iter().enumerate() {
            let time = times.map_or((first + place) as u64, |times| times[place]);
            let size = sizes.map_or(1, |sizes| sizes[place]);
            let request = self.intake.take(Arrival { time, key, size });
            let error = |fault| TraceError::File(format!("request {} (counted from 0): {fault}", first + place));
            chunk.push(request.map_err(error)?);
        }
        self.next = end;
        if end < self.held.len() {
            return Ok(true);
        }
        self.intake.finish()?;
        Ok(false)
    }

    fn warnings(&self) -> Vec<String> {
        self.intake.warnings()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(numbers: &[u64]) -> Column {
        Arc::new(numbers.to_vec())
    }

    fn read(held: &HeldRequests, limit: usize) -> Result<Vec<(u64, u64, u64)>, TraceError> {
        let (mut reader, mut chunk) = (held.open(), Vec::new());
        while reader.fill(&mut chunk, limit)? {}
        Ok(chunk.into_iter().map(|request| (request.time, request.key, request.size)).collect())
    }

    #[test]
    fn columns_are_read_as_requests() {
        let held = HeldRequests::new(column(&[7, 9, 7]));
        for limit in 1..5 {
            assert_eq!(read(&held, limit).unwrap(), [(0, 7, 1), (1, 9, 1), (2, 7, 1)]);
        }
        assert_eq!(held.facts(), Facts { format: "memory", clock: Clock::Slots, sizes: false });
        let timed = held.at(column(&[100, 100, 130]), Clock::Nanoseconds).unwrap();
        let sized = timed.of_sizes(column(&[10, 0, 30])).unwrap();
        assert_eq!(read(&sized, 2).unwrap(), [(0, 7, 10), (0, 9, 1), (30, 7, 30)]);
        assert!(sized.facts().sizes);
        assert_eq!(sized.columns().count(), 3);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_request() {
        let held = HeldRequests::new(column(&[7, 9, 7]));
        let error = held.clone().at(column(&[1, 2]), Clock::Slots).unwrap_err().to_string();
        assert_eq!(error, "there are 2 times for 3 keys; each request needs one");
        let back = held.clone().at(column(&[1, 3, 2]), Clock::Nanoseconds).unwrap();
        let error = read(&back, 10).unwrap_err().to_string();
        assert!(error.starts_with("request 2 (counted from 0): it is earlier"), "{error}");
        let twice = held.at(column(&[1, 1, 2]), Clock::Slots).unwrap();
        assert!(read(&twice, 10).unwrap_err().to_string().contains("a slot has at most one"));
        assert!(read(&HeldRequests::new(column(&[])), 10).is_err());
    }
}
