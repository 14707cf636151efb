//! Rows without a value that a request needs: a few are left out, too many are rejected.

use crate::TraceError;
use crate::requests::fault::RequestFault;

/// Rows that are read before most of them may be too few.
const FIRST: u64 = 16;

/// Counts rows with and without the values that a request needs.
#[derive(Debug, Default)]
pub(in crate::requests) struct MissingValues {
    complete: u64,
    missing: u64,
    first: Option<(u64, RequestFault)>,
}

impl MissingValues {
    #[inline]
    pub(in crate::requests) fn complete(&mut self) {
        self.complete += 1;
    }

    /// Leaves out line `number`, or rejects it if at least half of the lines so far lack a value.
    pub(in crate::requests) fn miss(&mut self, number: u64, fault: RequestFault) -> Result<(), RequestFault> {
        self.missing += 1;
        let (first, what) = self.first.get_or_insert((number, fault));
        if self.missing >= FIRST && self.missing >= self.complete {
            let (missing, all) = (self.missing, self.missing + self.complete);
            return Err(RequestFault::Incomplete { missing, all, first: *first, what: what.to_string() });
        }
        Ok(())
    }

    /// Checks the counts at the end of the trace.
    pub(in crate::requests) fn finish(&self) -> Result<(), TraceError> {
        match &self.first {
            Some((number, fault)) if self.missing >= self.complete => Err(TraceError::at(*number, fault)),
            _ => Ok(()),
        }
    }

    /// Returns a warning about the rows left out; `row` is the word for a row.
    pub(in crate::requests) fn warning(&self, row: &str) -> Option<String> {
        let (number, fault) = self.first.as_ref()?;
        Some(format!("{row}s that lack a value were left out: {}; the first is {row} {number}: {fault}", self.missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_rows_may_lack_a_value_and_not_half_of_them() {
        let mut rows = MissingValues::default();
        rows.miss(1, RequestFault::NoKey).unwrap();
        assert!(rows.finish().is_err());
        rows.complete();
        assert!(rows.finish().is_err());
        rows.complete();
        assert!(rows.finish().is_ok());
        assert!(rows.warning("line").unwrap().contains(": 1; the first is line 1: there is no key"));
        (3..17).for_each(|number| rows.miss(number, RequestFault::NoKey).unwrap());
        let refused = rows.miss(17, RequestFault::NoKey).unwrap_err().to_string();
        assert_eq!(refused, "16 of 18 lines or rows up to here lack a value; the first is 1: there is no key");
    }
}
