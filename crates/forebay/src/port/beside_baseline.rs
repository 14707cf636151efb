//! A policy and the baseline on the same packets.

use super::result::Counts;

/// What happened to the packets of a run, and to the same packets under the baseline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BesideBaseline {
    pub(crate) own: Counts,
    /// [`None`] where the run of the baseline is missing.
    pub(crate) baseline: Option<Counts>,
}
