//! Datapaths that are held equal to the reference engine: one file each.

mod fast;
mod kernel;
mod machine;
mod program;

use forebay_conform::{Answer, Operation};
use forebay_core::Seed;
use forebay_lang::{Overrides, Policy};
use std::path::PathBuf;

/// What is played.
pub(crate) struct Played<'a> {
    /// What the user calls the policy.
    pub(crate) name: &'a str,
    /// Its text.
    pub(crate) text: &'a str,
    /// What the user has given its constants.
    pub(crate) params: &'a Overrides,
    pub(crate) policy: &'a Policy,
    pub(crate) operations: &'a [Operation],
    pub(crate) seed: Seed,
    /// Where the programs for the kernel are, if they are built.
    pub(crate) built: Option<&'a PathBuf>,
}

/// Why there are no answers.
pub(crate) enum Unplayed {
    /// It cannot run here, or not with this policy or these operations.
    Skipped(String),
    /// It should have run.
    Failed(String),
}

/// A datapath.
pub(crate) struct Datapath {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) title: &'static str,
    /// Plays operations.
    pub(crate) play: fn(&Played<'_>) -> Result<Vec<Answer>, Unplayed>,
}

/// Every datapath, in the order in which they are shown.
pub(crate) const DATAPATHS: [Datapath; 4] = [fast::DATAPATH, program::DATAPATH, kernel::DATAPATH, machine::DATAPATH];
