//! Every system that is tried: one file and one line each.

use crate::fault::Coverage;
use crate::planted_faults::Planted;

mod folder;

forebay_core::registry! {
    /// Every system that is tried.
    pub static SYSTEMS: [System] = {
        mod sweep;
        mod two_processes;
        mod shards;
        mod loading;
        mod surge;
        mod switch;
        mod deploy;
    }
}

/// What keeps state.
pub struct System {
    /// Its name, which is that of its file.
    pub name: &'static str,
    /// What it holds, in one line.
    pub title: &'static str,
    run: fn(&Life) -> Coverage,
    /// How many lives it has in a round.
    pub lives: u64,
}

impl System {
    /// Gives it a life.
    ///
    /// # Panics
    /// If a promise is broken.
    #[must_use]
    pub fn live(&self, life: &Life) -> Coverage {
        (self.run)(life)
    }
}

/// What decides everything in a life.
#[derive(Debug, Clone, Copy, Default)]
pub struct Life {
    /// The seed.
    pub seed: u64,
    /// What the program does wrong, to test this tester.
    pub planted: Option<Planted>,
}

/// The system called `name`.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn system(name: &str) -> &'static System {
    SYSTEMS.iter().find(|system| system.name == name).unwrap_or_else(|| panic!("there is no system `{name}`"))
}
