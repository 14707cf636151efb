//! Request traces as caches see them: with sizes only if they count.

use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use forebay_core::{Follows, Request};
use forebay_traces::requests::{Facts, RequestReader};

/// The number of requests that are read at a time: enough that threads need not synchronise often.
pub(super) const CHUNK: usize = 1 << 16;

/// A trace that is being read.
pub struct Reading<'a> {
    trace: &'a RequestTrace,
    reader: Box<dyn RequestReader>,
    /// Whether objects have their sizes; otherwise each is one entry.
    sized: bool,
}

impl<'a> Reading<'a> {
    /// Opens a trace; rejects a trace without sizes if sizes count.
    pub fn open(trace: &'a RequestTrace, sized: bool) -> Result<Self> {
        let reader = trace.open()?;
        refuse_without_sizes(trace, reader.facts(), sized)?;
        Ok(Self { trace, reader, sized })
    }

    /// Returns the format and the clock of the trace.
    pub fn facts(&self) -> Facts {
        self.reader.facts()
    }

    /// Appends some requests; returns `false` after the last.
    pub fn fill(&mut self, chunk: &mut Vec<Request>) -> Result<bool> {
        let start = chunk.len();
        let more = self.reader.fill(chunk, CHUNK).map_err(|error| self.trace.error(error))?;
        if !self.sized {
            chunk[start..].iter_mut().for_each(|request| request.size = 1);
        }
        Ok(more)
    }

    /// Returns all remaining requests, unless the user interrupts.
    pub fn rest(&mut self, goes_on: &dyn Fn() -> bool) -> Result<Vec<Request>> {
        let mut requests = Vec::new();
        while goes_on() && self.fill(&mut requests)? {}
        Ok(requests)
    }

    /// Starts to record the requests that others follow, from the first one on.
    pub(super) fn begin_links(&mut self) {
        if let Some(links) = self.reader.links() {
            links.begin();
        }
    }

    /// Returns, for each request read so far, the request that it follows.
    pub(super) fn links(&mut self) -> &[Option<Follows>] {
        self.reader.links().map_or(&[], |links| links.each())
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> Vec<String> {
        self.reader.warnings().iter().map(|warning| format!("{}: {warning}", self.trace.place())).collect()
    }
}

/// Returns the format and the clock of a trace before its requests are read. Rejects the same traces as [`Reading::open`].
pub(super) fn facts(trace: &RequestTrace, sized: bool) -> Result<Facts> {
    let facts = trace.facts()?;
    refuse_without_sizes(trace, facts, sized)?;
    Ok(facts)
}

fn refuse_without_sizes(trace: &RequestTrace, facts: Facts, sized: bool) -> Result<()> {
    if sized && !facts.sizes {
        return Err(UserError::at(trace.place(), "this trace has no sizes; leave --sizes bytes out"));
    }
    Ok(())
}
