//! Request traces that a command line names: files, or recipes.
//!
//! ```
//! use forebay::requests::RequestTrace;
//!
//! let trace = RequestTrace::new("zipf:objects=10,requests=100,skew=0.9".as_ref(), None)?.with_seed(7);
//! assert!(trace.is_recipe());
//! let mut requests = Vec::new();
//! trace.open()?.fill(&mut requests, 1000).map_err(|error| trace.error(error))?;
//! assert_eq!(requests.len(), 100);
//!
//! let slip = RequestTrace::new("zip:objects=10".as_ref(), None)?.open().err().unwrap();
//! assert!(slip.to_string().ends_with("did you mean `zipf`?"));
//! # Ok::<(), forebay::UserError>(())
//! ```

mod first;
mod recipe_file;

use crate::document::Node;
use crate::error::{Result, UserError};
use crate::run::digits;
use crate::scenario::{Files, Here, trace_error};
use first::First;
use forebay_core::registry::suggest;
use forebay_traces::requests::{self, Facts, GENERATORS, HeldRequests, OpenOptions, Recipe, RequestReader, Spec};
use forebay_traces::{Content, TraceError};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A request trace that can be opened any number of times, always from its beginning; but a
/// pipe only once.
#[derive(Debug, Clone)]
pub struct RequestTrace {
    source: Source,
    options: OpenOptions,
    /// The number of first requests that are read; `None` for all.
    first: Option<u64>,
    /// The state of a pipe, which copies share.
    pipe: Option<Arc<Mutex<Pipe>>>,
}

/// The degree to which a pipe has been used.
#[derive(Default)]
enum Pipe {
    #[default]
    Untouched,
    /// The beginning was read; this reader still has all requests.
    LookedAt(Box<dyn RequestReader>),
    Opened,
}

impl std::fmt::Debug for Pipe {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Untouched => "Untouched",
            Self::LookedAt(_) => "LookedAt",
            Self::Opened => "Opened",
        })
    }
}

/// Returns whether a document is a recipe in a file of its own, and not a scenario.
pub fn is_recipe(document: &Node) -> bool {
    !recipe_file::is_scenario(document) && (document.has("mixture") || document.label().is_some())
}

/// The name of standard input.
const STANDARD_INPUT: &str = "-";

#[derive(Debug, Clone)]
enum Source {
    File(PathBuf),
    /// A recipe as written, and as parsed.
    Recipe(String, Recipe),
    /// Requests that a program holds, and their name.
    Held(String, HeldRequests),
}

impl RequestTrace {
    /// Opens the trace that `trace` names: a file, or a recipe if there is no such file. A file whose name ends in `.toml` contains a
    /// recipe.
    pub fn new(trace: &Path, format: Option<&Spec>) -> Result<Self> {
        Self::at(&trace.to_string_lossy(), trace, format, &Here)
    }

    /// Returns the trace that `text` names in a scenario; `files` opens its files.
    pub fn beside(text: &str, format: Option<&Spec>, files: &dyn Files) -> Result<Self> {
        let path = if text == STANDARD_INPUT { PathBuf::from(text) } else { files.path(text) };
        let mut format = format.cloned();
        if let Some(format) = &mut format {
            format.replace_paths(|file| files.path(file).to_string_lossy().into_owned());
        }
        Self::at(text, &path, format.as_ref(), files)
    }

    fn at(text: &str, path: &Path, format: Option<&Spec>, files: &dyn Files) -> Result<Self> {
        let options = OpenOptions { format: format.cloned() };
        if let Some(held) = files.requests(text) {
            if options.format.is_some() {
                return Err(UserError::at(text, "requests in memory have no format; leave the format out"));
            }
            return Ok(Self { source: Source::Held(text.to_owned(), held), options, first: None, pipe: None });
        }
        if options.format.is_none() && recipe_file::is_meant(path) {
            return Self::made(text, &recipe_file::read(text, files)?, options);
        }
        if text == STANDARD_INPUT || path.exists() || !Recipe::is_meant(text) {
            let is_pipe =
                text == STANDARD_INPUT || path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
            let pipe = is_pipe.then(Arc::default);
            return Ok(Self { source: Source::File(path.to_owned()), options, first: None, pipe });
        }
        if options.format.is_some() {
            return Err(UserError::at(text, "a recipe has no format; leave out --format-in"));
        }
        Self::made(text, text, options)
    }

    /// Creates a trace from a recipe.
    fn made(text: &str, recipe: &str, options: OpenOptions) -> Result<Self> {
        let recipe = Recipe::parse(recipe).map_err(|error| UserError::at(text, error.to_string()))?;
        Ok(Self { source: Source::Recipe(text.to_owned(), recipe), options, first: None, pipe: None })
    }

    /// Restricts the trace to its first `requests` requests.
    pub fn first(mut self, requests: u64) -> Self {
        self.first = Some(requests);
        self
    }

    /// Returns a text that identifies the trace in one scenario: its name, and the number of requests to read.
    pub(crate) fn identity(&self) -> String {
        let place = self.place();
        self.first.map_or_else(|| place.clone(), |requests| format!("{place}, first {requests}"))
    }

    /// Returns a text that identifies the trace among all traces: the recipe with its seed, or SHA-256 of the file and of the files that
    /// its format names.
    pub(crate) fn fingerprint(&self) -> Result<String> {
        self.refuse_pipe("a folder of results")?;
        let path = match &self.source {
            Source::File(path) => path,
            Source::Recipe(_, recipe) => return Ok(format!("{recipe:?}")),
            Source::Held(_, held) => return Ok(sum_of(held)),
        };
        let named = self.options.format.iter().flat_map(Spec::files).map(Path::new);
        let mut sum = Sha256::new();
        for path in [path.as_path()].into_iter().chain(named) {
            let unreadable = |error: std::io::Error| UserError::io(path, "read", &error);
            let mut file = File::open(path).map_err(unreadable)?;
            std::io::copy(&mut file, &mut sum).map_err(unreadable)?;
        }
        Ok(digits(sum))
    }

    /// Returns whether the trace is a recipe, and no file.
    pub fn is_recipe(&self) -> bool {
        matches!(self.source, Source::Recipe(..))
    }

    /// Rejects a pipe before it is read, since `who` reads a trace more than once.
    pub fn refuse_pipe(&self, who: &str) -> Result<()> {
        match self.pipe {
            Some(_) => Err(self.only_once(&format!(", but {who} reads it more than once"))),
            None => Ok(()),
        }
    }

    fn only_once(&self, why: &str) -> UserError {
        UserError::at(
            self.place(),
            format!("this is a pipe, which can be read only once{why}; write it to a file first"),
        )
    }

    /// Sets the seed of a recipe.
    pub fn with_seed(mut self, seed: u64) -> Self {
        if let Source::Recipe(_, recipe) = &mut self.source {
            *recipe = recipe.clone().with_seed(seed);
        }
        self
    }

    /// Sets the seed of a recipe that has none of its own.
    pub(crate) fn with_default_seed(mut self, seed: u64) -> Self {
        if let Source::Recipe(_, recipe) = &mut self.source {
            *recipe = recipe.clone().with_default_seed(seed);
        }
        self
    }

    /// Returns the approximate number of requests: exact for a recipe, and from the length of a file.
    pub(crate) fn requests_at_a_guess(&self) -> f64 {
        // A line of most formats; packed files have about a quarter of that.
        const BYTES: f64 = 20.0;
        let all = match &self.source {
            Source::Recipe(_, recipe) => recipe.requests(),
            Source::Held(_, held) => held.len() as f64,
            Source::File(path) => {
                let packed = path.extension().is_some_and(|end| ["xz", "zst", "gz"].iter().any(|known| end == *known));
                let bytes = path.metadata().map_or(0.0, |about| about.len() as f64);
                bytes / if packed { BYTES / 4.0 } else { BYTES }
            }
        };
        self.first.map_or(all, |requests| all.min(requests as f64))
    }

    /// Returns the facts that are known before the requests are read. A pipe can still be opened afterwards.
    pub fn facts(&self) -> Result<Facts> {
        self.look(|reader| reader.facts())
    }

    /// Returns whether requests follow others, so that their times depend on the answers to those.
    pub fn is_chained(&self) -> Result<bool> {
        self.look(|reader| reader.links().is_some())
    }

    fn look<T>(&self, at: impl FnOnce(&mut dyn RequestReader) -> T) -> Result<T> {
        let mut reader = self.open_all()?;
        let seen = at(&mut *reader);
        if let Some(pipe) = &self.pipe {
            *lock(pipe) = Pipe::LookedAt(reader);
        }
        Ok(seen)
    }

    /// Begins to read the trace.
    pub fn open(&self) -> Result<Box<dyn RequestReader>> {
        let reader = self.open_all()?;
        Ok(match self.first {
            Some(requests) => Box::new(First { reader, left: requests }),
            None => reader,
        })
    }

    fn open_all(&self) -> Result<Box<dyn RequestReader>> {
        if let Some(reader) = self.begin()? {
            return Ok(reader);
        }
        match &self.source {
            Source::File(_) => self.open_content(self.unpack()?),
            Source::Recipe(text, recipe) => recipe.open().map_err(|error| UserError::at(text, error.to_string())),
            Source::Held(_, held) => Ok(held.open()),
        }
    }

    /// Opens the file, before its format is known.
    pub fn content(&self) -> Result<Content<'static>> {
        match self.begin()? {
            None => self.unpack(),
            Some(_) => Err(self.only_once("")),
        }
    }

    /// Opens a pipe, which works once. The reader that has looked at its beginning, if one has.
    fn begin(&self) -> Result<Option<Box<dyn RequestReader>>> {
        let Some(pipe) = &self.pipe else { return Ok(None) };
        match std::mem::replace(&mut *lock(pipe), Pipe::Opened) {
            Pipe::Untouched => Ok(None),
            Pipe::LookedAt(reader) => Ok(Some(reader)),
            Pipe::Opened => Err(self.only_once("")),
        }
    }

    fn unpack(&self) -> Result<Content<'static>> {
        let path = match &self.source {
            Source::File(path) => path,
            Source::Recipe(text, _) => return Err(UserError::at(text, "this is a recipe, not a file")),
            Source::Held(name, _) => return Err(UserError::at(name, "these are requests in memory, not a file")),
        };
        if path.as_os_str() == STANDARD_INPUT {
            return Content::unpack(std::io::stdin()).map_err(|error| self.error(error));
        }
        let file = File::open(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => not_found(path),
            _ => UserError::io(path, "opened", &error),
        })?;
        Content::unpack_file(file).map_err(|error| self.error(error))
    }

    /// Begins to read the trace, if it is a file that has been opened.
    pub fn open_content(&self, content: Content<'static>) -> Result<Box<dyn RequestReader>> {
        requests::open(content, &self.place(), &self.options).map_err(|error| self.error(error))
    }

    /// Returns the trace's name, for messages and results.
    pub fn place(&self) -> String {
        match &self.source {
            Source::File(path) if path.as_os_str() == STANDARD_INPUT => "standard input".to_owned(),
            Source::File(path) => path.display().to_string(),
            Source::Recipe(text, _) | Source::Held(text, _) => text.clone(),
        }
    }

    /// Rejects a file that does not exist, before any work begins.
    pub(crate) fn refuse_missing(&self) -> Result<()> {
        match &self.source {
            Source::File(path) if self.pipe.is_none() && !path.exists() => Err(not_found(path)),
            _ => Ok(()),
        }
    }

    /// Returns an error of the trace, with the trace's name and the line.
    pub fn error(&self, error: TraceError) -> UserError {
        trace_error(&self.place(), error)
    }
}

/// SHA-256 of requests in memory.
fn sum_of(held: &HeldRequests) -> String {
    let mut sum = Sha256::new();
    sum.update(format!("{:?}", held.facts()));
    for column in held.columns() {
        column.chunks(4_096).for_each(|part| {
            sum.update(part.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
        });
    }
    digits(sum)
}

fn lock(pipe: &Mutex<Pipe>) -> MutexGuard<'_, Pipe> {
    pipe.lock().unwrap_or_else(PoisonError::into_inner)
}

/// There is no such file; perhaps a generator was meant.
fn not_found(path: &Path) -> UserError {
    let text = path.to_string_lossy();
    let message = "cannot be opened: there is no such file";
    match text.split_once(':') {
        Some((name, _)) => {
            let known = GENERATORS.iter().map(|entry| entry.about.name);
            UserError::at(&text, format!("{message}, and no generator `{name}`{}", suggest(name, known)))
        }
        None => UserError::at(&text, format!("{message} or folder")),
    }
}
