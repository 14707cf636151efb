//! The hardware that a user requests. Options that the user leaves open are chosen from the policy.

use super::{Hardware, QueueBlock, Width};

/// The settings that the user has given.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The bits of a rank in the queue block.
    pub rank_bits: Option<u8>,
    /// Widths of packet fields and of the time.
    pub bits: Vec<Width>,
    /// The queue block that sorts.
    pub queue: Option<QueueBlock>,
}

impl Asked {
    /// Returns the hardware with these settings, and otherwise those of `usual`.
    pub fn applied_to(&self, usual: Hardware) -> Hardware {
        let mut hardware = Hardware { queue: self.queue.unwrap_or(usual.queue), rank_bits: self.rank_bits, ..usual };
        self.bits.iter().for_each(|width| hardware.bits.set(*width));
        hardware
    }
}
