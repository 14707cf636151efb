//! The order of calls: processes call one after the other, in an order that the seed determines, independent of threads.

use forebay_core::Rng;
use rand::RngExt as _;
use std::collections::BTreeSet;

/// The processes that run.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    running: BTreeSet<usize>,
    waiting: BTreeSet<usize>,
    chosen: Option<usize>,
    /// The process that was chosen last.
    last: Option<usize>,
}

impl Turns {
    /// Adds a process that begins.
    pub(crate) fn begin(&mut self, process: usize) {
        self.running.insert(process);
    }

    /// Removes a process that has ended.
    pub(crate) fn end(&mut self, process: usize, random: &mut Rng) {
        self.running.remove(&process);
        self.waiting.remove(&process);
        self.choose(random);
    }

    /// Records that a process wants to make a call.
    pub(crate) fn wait(&mut self, process: usize, random: &mut Rng) {
        self.waiting.insert(process);
        self.choose(random);
    }

    /// Takes the turn, if it is this process's.
    pub(crate) fn take(&mut self, process: usize) -> bool {
        if self.chosen != Some(process) {
            return false;
        }
        self.chosen = None;
        self.waiting.remove(&process);
        true
    }

    /// Chooses the next process. No process calls while another one computes, so the order is independent of speed.
    fn choose(&mut self, random: &mut Rng) {
        if self.chosen.is_none() && !self.waiting.is_empty() && self.waiting.len() == self.running.len() {
            // Mostly the last one again: another thread takes longer.
            let again = self.last.filter(|last| self.waiting.contains(last) && random.random_range(0..8) > 0);
            let any = random.random_range(0..self.waiting.len());
            self.chosen = again.or_else(|| self.waiting.iter().nth(any).copied());
            self.last = self.chosen;
        }
    }
}
