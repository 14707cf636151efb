//! The requests of the page to the library: files, questions, progress, and stopping a run.

use super::opened::OpenedFiles;
use forebay::{Observer, Unit};
use forebay_play::Room;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Two rooms with the same files, so that the language server answers during a run.
#[derive(Debug)]
pub(super) struct Api {
    runs: Mutex<Room>,
    language: Mutex<Room>,
    watched: Watched,
}

impl Api {
    /// Rooms in which these files are open.
    pub(super) fn new(opened: OpenedFiles) -> Self {
        let opened = Arc::new(opened);
        let room = || Mutex::new(Room::with_files(opened.clone()));
        Self { runs: room(), language: room(), watched: Watched::default() }
    }

    /// Keeps a file that was dropped on the page.
    pub(super) fn put(&self, name: &str, content: &[u8]) {
        for room in [&self.runs, &self.language] {
            room.lock().unwrap_or_else(PoisonError::into_inner).put(name, content.to_vec());
        }
    }

    /// The answer to a question of the page.
    pub(super) fn ask(&self, question: &str) -> String {
        let kind = serde_json::from_str::<Value>(question).ok();
        let is_run = kind.is_some_and(|question| question["ask"] == "run");
        let room = if is_run { &self.runs } else { &self.language };
        let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
        if is_run {
            self.watched.is_cancelled.store(false, Ordering::Relaxed);
        }
        room.ask(question, &self.watched)
    }

    /// The progress of the run.
    pub(super) fn progress(&self) -> String {
        let [done, total] = [&self.watched.done, &self.watched.total].map(|number| number.load(Ordering::Relaxed));
        json!({ "done": done, "total": total }).to_string()
    }

    /// Stops the run.
    pub(super) fn cancel(&self) {
        self.watched.is_cancelled.store(true, Ordering::Relaxed);
    }
}

/// The current run.
#[derive(Debug, Default)]
struct Watched {
    done: AtomicU64,
    /// 0 if unknown.
    total: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Observer for Watched {
    fn goes_on(&self) -> bool {
        !self.is_cancelled.load(Ordering::Relaxed)
    }

    fn begin(&self, _: Unit, total: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }

    fn advance(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}
