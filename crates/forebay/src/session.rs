//! Settings of a run: the observer, the number of threads, and the folder of finished runs.

use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::observer::{Observer, Silent};
use crate::run::{Cost, Memory, Part};
use std::num::NonZeroU16;
use std::path::Path;

/// The settings with which a question is run. The answer does not depend on them, unless the run is stopped early.
///
/// ```
/// use forebay::demo::{Embedded, SCENARIO};
/// use forebay::{Cancel, Changes, Question, Session};
///
/// let cancel = Cancel::default();
/// let session = Session::watched_by(&cancel).threads(2_u16.try_into()?);
/// let demo = Question::parse("demo", SCENARIO, &Embedded, &Changes::default())?;
/// cancel.cancel(); // before the run, or from another thread
/// assert!(!demo.run(&session)?.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Session<'a> {
    pub(crate) observer: &'a dyn Observer,
    threads: Option<NonZeroU16>,
    pub(crate) keep: Option<Folder>,
    pub(crate) record_ops: Option<&'a Path>,
    pub(crate) part: Part,
    memory: Option<u64>,
}

impl Default for Session<'_> {
    fn default() -> Self {
        Self::watched_by(&Silent)
    }
}

impl<'a> Session<'a> {
    /// Creates a session that this observer watches.
    pub fn watched_by(observer: &'a dyn Observer) -> Self {
        Self { observer, threads: None, keep: None, record_ops: None, part: Part::default(), memory: None }
    }

    /// Sets the number of threads. By default the run uses those of the caller's rayon pool, one for each core.
    #[must_use]
    pub fn threads(self, threads: NonZeroU16) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Rejects runs that surely hold more than `bytes` bytes. By default no run is rejected.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Keeps each finished run in this folder, and reuses runs that an earlier session has finished there.
    #[must_use]
    pub fn keep(self, folder: impl Into<Folder>) -> Self {
        Self { keep: Some(folder.into()), ..self }
    }

    /// Makes only this part of the runs. It requires a folder in which they are kept.
    #[must_use]
    pub fn part(self, part: Part) -> Self {
        Self { part, ..self }
    }

    /// Writes the operations and answers of each exact rank queue into this folder, as op streams.
    #[must_use]
    pub fn record_ops(self, folder: &'a Path) -> Self {
        Self { record_ops: Some(folder), ..self }
    }

    /// Rejects runs that surely hold more memory than allowed. `costs` is only called if there is a limit.
    pub(crate) fn check_memory(&self, costs: impl FnOnce() -> Result<(Vec<Cost>, usize)>) -> Result<()> {
        let Some(limit) = self.memory else { return Ok(()) };
        let (costs, at_a_time) = costs()?;
        let runs: Vec<_> = costs.iter().map(|cost| (cost.memory, cost.runs)).collect();
        Memory::check(&runs, at_a_time, limit)
    }

    /// Runs `work` on the threads of the session.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let Some(threads) = self.threads else { return work() };
        let run = |thread: rayon::ThreadBuilder| {
            let mut thread = Some(thread);
            self.observer.on_thread(&mut || {
                if let Some(thread) = thread.take() {
                    thread.run();
                }
            });
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get().into());
        pool.build_scoped(run, |pool| pool.install(work))
            .map_err(|error| UserError::new(format!("cannot start {threads} threads: {error}")))?
    }
}
