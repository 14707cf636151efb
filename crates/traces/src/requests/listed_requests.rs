//! Requests that are in memory, as a trace.

use super::{Facts, RequestReader};
use crate::error::TraceError;
use forebay_core::Request;

/// Returns the requests of a list, chunk by chunk.
#[derive(Debug)]
pub struct Listed {
    facts: Facts,
    requests: std::vec::IntoIter<Request>,
}

impl Listed {
    /// Creates a reader of requests that are in order of time.
    #[must_use]
    pub fn new(facts: Facts, requests: Vec<Request>) -> Self {
        Self { facts, requests: requests.into_iter() }
    }
}

impl RequestReader for Listed {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        chunk.extend(self.requests.by_ref().take(limit));
        Ok(self.requests.len() > 0)
    }

    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
