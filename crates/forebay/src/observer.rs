//! Messages between a run and its caller: whether to continue, the progress, and notes for the user.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The unit of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Packets offered, or jobs.
    Packets,
    /// Requests played.
    Requests,
    /// Nanoseconds of simulated time.
    SimulatedNanoseconds,
    /// Steps of a search.
    Steps,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Packets => "packets",
            Self::Requests => "requests",
            Self::SimulatedNanoseconds => "ns of simulated time",
            Self::Steps => "steps",
        })
    }
}

/// Watches a run. Every method has a default that does nothing and lets the run continue.
///
/// A run asks [`goes_on`](Self::goes_on) often, from any thread. After the answer `false` the run ends early and returns what
/// it has finished. Another thread may share the observer, and cancel the run.
///
/// ```
/// use forebay::{Cancel, Observer};
///
/// let cancel = Cancel::default();
/// assert!(cancel.goes_on());
/// std::thread::scope(|scope| {
///     scope.spawn(|| cancel.cancel());
/// });
/// assert!(!cancel.goes_on());
/// ```
pub trait Observer: Sync {
    /// Whether the run may go on.
    fn goes_on(&self) -> bool {
        true
    }

    /// A piece of work begins. `total` is `None` where the amount is unknown.
    fn begin(&self, unit: Unit, total: Option<u64>) {
        let _ = (unit, total);
    }

    /// Reports that `done` units of the piece of work are done, counted from its beginning.
    fn advance(&self, done: u64) {
        let _ = done;
    }

    /// The current part of the work, in words.
    fn describe(&self, what: &str) {
        let _ = what;
    }

    /// The piece of work has ended.
    fn end(&self) {}

    /// Something that a person likes to know, and that changes nothing.
    fn note(&self, note: &str) {
        let _ = note;
    }

    /// The user should know this. The run goes on.
    fn warn(&self, warning: &str) {
        let _ = warning;
    }

    /// Does all the work of one of the threads of a [`Session`](crate::Session). Do around it what a thread needs before its first run or
    /// after its last.
    fn on_thread(&self, work: &mut (dyn FnMut() + Send)) {
        work();
    }
}

/// Watches nothing and never stops a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Stops a run when another thread calls [`cancel`](Self::cancel), and keeps the warnings.
#[derive(Debug, Default)]
pub struct Cancel {
    cancelled: AtomicBool,
    warnings: Mutex<Vec<String>>,
}

impl Cancel {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// The warnings so far.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |warnings| warnings.clone())
    }
}

impl Observer for Cancel {
    fn goes_on(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed)
    }

    fn warn(&self, warning: &str) {
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(warning.to_owned());
        }
    }
}

/// Counts one piece of work for an observer. Several threads may count at once.
pub struct Meter<'a> {
    observer: &'a dyn Observer,
    done: AtomicU64,
}

impl<'a> Meter<'a> {
    /// Begins a piece of work.
    pub fn new(observer: &'a dyn Observer, unit: Unit, total: Option<u64>) -> Self {
        observer.begin(unit, total);
        Self { observer, done: AtomicU64::new(0) }
    }

    /// Returns whether the run may continue.
    pub fn goes_on(&self) -> bool {
        self.observer.goes_on()
    }

    /// Adds `more` units of finished work.
    pub fn add(&self, more: u64) {
        let before = self.done.fetch_add(more, Ordering::Relaxed);
        self.observer.advance(before.saturating_add(more));
    }

    /// Sets the finished work to `done` units.
    pub fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.observer.advance(done);
    }

    /// Returns the finished work.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The current part of the work, in words.
    pub fn describe(&self, what: &str) {
        self.observer.describe(what);
    }

    /// Ends the piece of work; dropping the meter does the same.
    pub fn finish(self) {}
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.observer.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Observer for Told {
        fn begin(&self, unit: Unit, total: Option<u64>) {
            self.0.lock().unwrap().push(format!("begin {unit} {total:?}"));
        }
        fn advance(&self, done: u64) {
            self.0.lock().unwrap().push(format!("advance {done}"));
        }
        fn end(&self) {
            self.0.lock().unwrap().push("end".to_owned());
        }
    }

    #[test]
    fn a_meter_adds_up_and_ends_once() {
        let told = Told::default();
        let meter = Meter::new(&told, Unit::Packets, Some(3));
        meter.add(1);
        meter.add(2);
        assert_eq!(meter.done(), 3);
        meter.finish();
        assert_eq!(*told.0.lock().unwrap(), ["begin packets Some(3)", "advance 1", "advance 3", "end"]);
    }

    #[test]
    fn warnings_are_kept() {
        let cancel = Cancel::default();
        cancel.warn("odd");
        assert_eq!(cancel.warnings(), ["odd"]);
    }
}
