//! Columns of which one has the measured time of the fetch.

use super::Columns;
use crate::TraceError;
use crate::requests::fault::RequestFault;
use crate::requests::lines::LineFormat;
use crate::requests::measured::{Measured, nanoseconds};
use crate::requests::reader_checks::Arrival;

/// Reads the columns, and records the measured times of fetches.
pub(super) struct Timed {
    columns: Columns,
    measured: Measured,
    /// The measured time of this row's fetch.
    latency: Option<u64>,
}

impl Timed {
    pub(super) fn new(columns: Columns) -> Self {
        Self { columns, measured: Measured::default(), latency: None }
    }
}

impl LineFormat for Timed {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        let arrival = self.columns.arrival(line, number)?;
        if let Some(Arrival { key, .. }) = arrival
            && self.measured.is_begun()
        {
            let Columns { fields, places, shape, .. } = &self.columns;
            let text = places.latency.and_then(|place| fields.get(line, place));
            self.latency = text.and_then(|text| nanoseconds(text, shape.latency_unit));
            self.measured.add(key, self.latency);
        }
        Ok(arrival)
    }

    fn more(&mut self) -> Option<Arrival> {
        let arrival = self.columns.more()?;
        self.measured.add(arrival.key, self.latency);
        Some(arrival)
    }

    fn finish(&self) -> Result<(), TraceError> {
        self.columns.finish()
    }

    fn warnings(&self) -> Vec<String> {
        self.columns.warnings()
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        Some(&mut self.measured)
    }
}
