//! A disk in memory with faults that a seed determines. Calls fail or do half of their work, processes end in the middle, bytes change, and
//! clocks jump. Power is lost, with all data that was not synced.

mod call;
mod content;
mod locks;
mod process;
mod process_turns;

pub use process::{Ended, Process};

use crate::fault::{Coverage, Fault, Faults};
use crate::planted_faults::Planted;
use call::{Call, What};
use content::Content;
use process_turns::Turns;
use rand::RngExt as _;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The world that all processes share.
#[derive(Debug)]
pub struct World {
    state: Mutex<State>,
    turn: Condvar,
}

/// The state of a world.
#[derive(Debug)]
pub(crate) struct State {
    faults: Faults,
    content: Content,
    turns: Turns,
    planted: Option<Planted>,
    now: Duration,
    /// The number of losses of power: each has ended every running process.
    epoch: u64,
}

impl World {
    /// Creates an empty world.
    #[must_use]
    pub fn new(seed: u64) -> Arc<Self> {
        let state = State {
            faults: Faults::new(seed, 0),
            content: Content::default(),
            turns: Turns::default(),
            planted: None,
            now: Duration::ZERO,
            epoch: 0,
        };
        Arc::new(Self { state: Mutex::new(state), turn: Condvar::new() })
    }

    /// Makes calls fail from now on: sometimes rarely, so that much work is done before, and sometimes often.
    pub fn fail(&self) {
        let faults = &mut self.state().faults;
        let most = [3, 30, 200][faults.place(3)];
        faults.rate = faults.random.random_range(1..=most);
    }

    /// Stops all faults.
    pub fn heal(&self) {
        self.state().faults.rate = 0;
    }

    /// Plants a fault of the program from now on.
    pub fn plant(&self, planted: Planted) {
        self.state().planted = Some(planted);
    }

    /// Draws a number below `end` from the world's seed.
    pub fn below(&self, end: u64) -> u64 {
        self.state().faults.below(end)
    }

    /// May change a stored file on the disk, while no process runs. Returns whether one changed.
    pub fn rest(&self) -> bool {
        let state = &mut *self.state();
        let mut has_changed = false;
        for (path, number) in state.content.all() {
            match state.draw(Call::Rest, What::of(&path)) {
                None => continue,
                Some(call::CUT) => state.content.cut(number, &mut state.faults.random),
                Some(_) => state.content.change_bit(number, &mut state.faults.random),
            }
            has_changed = true;
        }
        has_changed
    }

    /// Loses power, with all data that was not synced.
    pub fn lose_power(&self) {
        let state = &mut *self.state();
        state.lose_power();
    }

    /// Returns all files below a folder, by their paths in it.
    #[must_use]
    pub fn files(&self, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        self.state().content.files(folder)
    }

    /// Returns the faults so far.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.state().faults.coverage.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Decides whether a call fails, and by which fault.
    fn draw(&mut self, call: Call, of: What) -> Option<Fault> {
        self.faults.draw(of.site(call), call.faults(of))
    }

    fn lose_power(&mut self) {
        self.content.lose_power(&mut self.faults.random);
        self.epoch += 1;
    }
}
