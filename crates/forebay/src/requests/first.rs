//! The beginning of a request trace.

use forebay_core::Request;
use forebay_core::convert::index;
use forebay_traces::TraceError;
use forebay_traces::requests::{Facts, Links, Measured, RequestReader};

/// A reader that ends after a given number of requests, even if more follow.
pub(super) struct First {
    pub(super) reader: Box<dyn RequestReader>,
    /// The number of requests that may still be read.
    pub(super) left: u64,
}

impl RequestReader for First {
    fn facts(&self) -> Facts {
        self.reader.facts()
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        let start = chunk.len();
        let more = self.reader.fill(chunk, limit.min(index(self.left)))?;
        self.left -= (chunk.len() - start) as u64;
        Ok(more && self.left > 0)
    }

    fn warnings(&self) -> Vec<String> {
        self.reader.warnings()
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        self.reader.measured()
    }

    fn links(&mut self) -> Option<&mut Links> {
        self.reader.links()
    }
}
