//! No program for DPDK, in a build without the feature `machines`.

use super::Counted;
use crate::NO_MACHINES;
use forebay::error::{Result, UserError};
use forebay_core::Seed;
use forebay_lang::Policy;

/// Why it cannot be measured here.
pub(super) fn missing() -> Option<String> {
    Some(NO_MACHINES.to_owned())
}

/// The program. It has no values.
pub(super) enum Program {}

impl Program {
    pub(super) fn build(_: &Policy) -> Result<Self> {
        Err(UserError::new(NO_MACHINES))
    }

    pub(super) fn measure(&self, _: u32, _: u32, _: Seed) -> Result<Counted> {
        match *self {}
    }

    #[cfg(test)]
    pub(super) fn measure_packets(&self, _: u32, _: u32, _: u32, _: Seed) -> Result<Counted> {
        match *self {}
    }
}
