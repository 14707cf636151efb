//! The registry of tested systems: one file and one line each.

use crate::fault::Coverage;
use crate::planted_faults::Planted;

mod folder;

forebay_core::registry! {
    /// All tested systems.
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

/// A tested system, which has state.
pub struct System {
    /// The system's name, which is that of its file.
    pub name: &'static str,
    /// The system's description, in one line.
    pub title: &'static str,
    run: fn(&Life) -> Coverage,
    /// The number of its lives in a round.
    pub lives: u64,
}

impl System {
    /// Runs a life of the system.
    ///
    /// # Panics
    /// If a promise is broken.
    #[must_use]
    pub fn live(&self, life: &Life) -> Coverage {
        (self.run)(life)
    }
}

/// The settings of a life, which determine everything in it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Life {
    /// The seed.
    pub seed: u64,
    /// The planted fault of the program, to test this tester.
    pub planted: Option<Planted>,
}

/// Returns the system of this name.
///
/// # Panics
/// If there is no such system.
#[must_use]
pub fn system(name: &str) -> &'static System {
    SYSTEMS.iter().find(|system| system.name == name).unwrap_or_else(|| panic!("there is no system `{name}`"))
}
