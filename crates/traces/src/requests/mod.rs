//! Request traces: the requests to a cache, in order of time.
//!
//! A trace is read, or made by a [`Recipe`], as a stream in constant memory: a [`RequestReader`] returns chunks, [`Requests`] single
//! requests. To read a trace twice, open it twice.
//!
//! Keys that are whole numbers stay as they are; all others become numbers by
//! XXH64 with seed 0.

mod advice;
#[cfg(feature = "columnar")]
mod batches;
#[cfg(not(feature = "columnar"))]
#[path = "no_batches.rs"]
mod batches;
mod calendar;
mod column_requests;
mod columns;
mod fault;
mod foreign_files;
#[path = "format/registry.rs"]
pub mod format;
#[path = "generate/registry.rs"]
pub mod generate;
mod iso_time;
mod json;
mod key;
mod lifetimes;
mod lines;
mod links;
mod listed_requests;
mod log;
mod measured;
mod names;
mod odd_values;
mod open;
mod order;
mod paths;
#[path = "prompt/registry.rs"]
pub mod prompt;
mod reader_checks;
mod recipe;
mod recipe_error;
mod records;
mod request_writer;
mod spec;
mod statistics;
mod ticks;
mod write;

use crate::error::TraceError;
use forebay_core::{Clock, Request};

pub use column_requests::{Column, HeldRequests};
pub use fault::RequestFault;
pub use format::{FORMATS, FormatEntry};
pub use generate::{GENERATORS, GeneratorEntry};
pub use key::key as key_of;
pub use lifetimes::Lifetimes;
pub use links::Links;
pub use listed_requests::Listed;
pub use measured::Measured;
pub use open::{OpenOptions, is_request_trace, neither, open};
pub use recipe::Recipe;
pub use recipe_error::RecipeError;
pub use request_writer::RequestWriter;
pub use spec::{Spec, SpecError};
pub use statistics::{Collector, Sizes, Statistics};
pub use write::{NoFormat, NotWritten, format_for, write};

/// The facts of a trace that are known before its first request is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The name of the format, or of the generator.
    pub format: &'static str,
    /// The meaning of a tick. Nanoseconds count from the first request; slots are numbered as in the trace.
    pub clock: Clock,
    /// Whether the trace states the sizes of objects; otherwise, every size is 1.
    pub sizes: bool,
}

/// A request trace that is being read.
pub trait RequestReader: Send {
    /// The facts that are known beforehand.
    fn facts(&self) -> Facts;

    /// Appends at most `limit` requests to `chunk`; returns `false` after the last request.
    ///
    /// # Errors Says where the trace is wrong, and what to do. The trace must not be read after that.
    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError>;

    /// Warnings about the part that has been read.
    fn warnings(&self) -> Vec<String>;

    /// Returns the measured times of fetches, if the trace has them; they are recorded after [begin](Measured::begin).
    fn measured(&mut self) -> Option<&mut Measured> {
        None
    }

    /// Returns the lifetimes of objects, if the trace states them; they are recorded after [begin](Lifetimes::begin).
    fn lifetimes(&mut self) -> Option<&mut Lifetimes> {
        None
    }

    /// Which requests follow others, if the trace says that; it counts after [begin](Links::begin), before the first request is read. A
    /// request that follows another has the earliest time that it can have here: as if answers took no time.
    fn links(&mut self) -> Option<&mut Links> {
        None
    }
}

/// The number of requests that are read at once if only one is asked for.
const CHUNK: usize = 4_096;

/// Returns the requests of a reader one by one.
pub struct Requests {
    reader: Box<dyn RequestReader>,
    chunk: Vec<Request>,
    next: usize,
    /// The end of the trace, or the error, after the chunk.
    after: After,
}

enum After {
    More,
    Wrong(TraceError),
    Nothing,
}

impl Requests {
    /// The requests of `reader` from where it stands.
    #[must_use]
    pub fn new(reader: Box<dyn RequestReader>) -> Self {
        Self { reader, chunk: Vec::new(), next: 0, after: After::More }
    }

    /// Returns the reader, for its facts and warnings.
    #[must_use]
    pub fn reader(&self) -> &dyn RequestReader {
        &*self.reader
    }
}

impl Iterator for Requests {
    type Item = Result<Request, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(&request) = self.chunk.get(self.next) {
                self.next += 1;
                return Some(Ok(request));
            }
            match std::mem::replace(&mut self.after, After::Nothing) {
                After::More => {}
                After::Wrong(error) => return Some(Err(error)),
                After::Nothing => return None,
            }
            self.chunk.clear();
            self.next = 0;
            self.after = match self.reader.fill(&mut self.chunk, CHUNK) {
                Ok(true) => After::More,
                Ok(false) => After::Nothing,
                Err(error) => After::Wrong(error),
            };
        }
    }
}
