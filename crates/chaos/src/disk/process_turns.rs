//! Whose turn it is: processes call one after the other, in an order that the seed decides, whatever threads do.

use forebay_core::Rng;
use rand::RngExt as _;
use std::collections::BTreeSet;

/// The processes that run.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    running: BTreeSet<usize>,
    waiting: BTreeSet<usize>,
    chosen: Option<usize>,
    /// Who was chosen before.
    last: Option<usize>,
}

impl Turns {
    /// A process begins.
    pub(crate) fn begin(&mut self, process: usize) {
        self.running.insert(process);
    }

    /// A process has ended.
    pub(crate) fn end(&mut self, process: usize, random: &mut Rng) {
        self.running.remove(&process);
        self.waiting.remove(&process);
        self.choose(random);
    }

    /// A process wants to call.
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

    /// As long as one computes nobody calls, so the order does not depend on how fast it is.
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
