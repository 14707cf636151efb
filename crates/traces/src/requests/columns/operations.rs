//! Selects the operations of a trace that are requests.

use crate::TraceError;
use crate::requests::key::shown;

/// Accepts some operations as requests and counts the others.
#[derive(Debug)]
pub(in crate::requests) struct Operations {
    /// The operations that are requests, in any case; if empty, all are.
    requests: Vec<String>,
    /// The option that selects all operations, for messages; empty if there is none.
    all: &'static str,
    taken: u64,
    others: u64,
    first_other: Option<String>,
}

impl Operations {
    pub(in crate::requests) fn new(requests: Vec<String>, all: &'static str) -> Self {
        Self { requests, all, taken: 0, others: 0, first_other: None }
    }

    /// Returns whether this operation is a request.
    #[inline]
    pub(in crate::requests) fn take(&mut self, operation: &[u8]) -> bool {
        let is_request = self.requests.is_empty()
            || self.requests.iter().any(|known| known.as_bytes() == operation)
            || self.requests.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(operation));
        if is_request {
            self.taken += 1;
        } else {
            self.others += 1;
            self.first_other.get_or_insert_with(|| shown(operation));
        }
        is_request
    }

    /// Rejects, at the end, a trace that has only other operations.
    pub(in crate::requests) fn finish(&self) -> Result<(), TraceError> {
        match &self.first_other {
            Some(other) if self.taken == 0 => {
                let requests = self.requests.join(" or ");
                let why = format!("no line has the operation {requests}; the first other one is `{other}`");
                Err(TraceError::File(match self.all {
                    "" => why,
                    all => format!("{why}; {all} takes all lines"),
                }))
            }
            _ => Ok(()),
        }
    }

    pub(in crate::requests) fn warning(&self) -> Option<String> {
        let other = self.first_other.as_ref()?;
        let what = format!("lines with other operations, such as `{other}`, were left out: {}", self.others);
        Some(match self.all {
            "" => what,
            all => format!("{what} ({all} takes them)"),
        })
    }
}
