//! One part of the tests: a command, what must be done before it, and how many cores it uses.

/// A command that passes or fails.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// Its name on the command line and in the table at the end.
    pub(crate) name: &'static str,
    /// The subject of the tests, for readers of the list of parts.
    pub(crate) about: &'static str,
    /// The words of the command, run in the repository's folder. `cargo` and `make` are those that run these tests.
    pub(crate) command: &'static [&'static str],
    /// The parts that must have passed before.
    pub(crate) after: &'static [&'static str],
    /// Number of cores that it keeps busy; 0 for a part that waits for a network.
    pub(crate) cores: usize,
}

/// How a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Its command has succeeded.
    Passed,
    /// Its command has failed, or could not be run.
    Failed,
    /// A part before it has not passed.
    NotRun,
}

/// The times and the output of one part.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    pub(crate) part: Part,
    pub(crate) end: End,
    /// On the clock on the wall.
    pub(crate) seconds: f64,
    /// Of all processors together, if the shell has reported it.
    pub(crate) cpu_seconds: Option<f64>,
    /// All that it has printed.
    pub(crate) output: String,
}
