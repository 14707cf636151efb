//! A policy and the baseline on the same packets.

use super::result::Counts;

/// The counts of a policy's run, and of the baseline's run on the same packets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BesideBaseline {
    pub(crate) own: Counts,
    /// The baseline's counts; [`None`] if its run is missing.
    pub(crate) baseline: Option<Counts>,
}
