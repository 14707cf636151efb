//! The trait of flow-size distributions.

use forebay_core::Rng;
use std::fmt;

/// A distribution of flow sizes.
pub trait FlowSizes: fmt::Debug + Send + Sync {
    /// The exact mean, in bytes; infinite if flows never end.
    fn mean_bytes(&self) -> f64;

    /// Draws a size in bytes, at least 1.
    fn draw(&self, rng: &mut Rng) -> u64;

    /// The least size that so large a share (0 to 1) of flows does not exceed, in bytes.
    fn quantile(&self, share: f64) -> u64;
}
