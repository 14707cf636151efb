//! Arguments of `compile`, `check` and `conform` about hardware.

use super::number::whole;
use clap::Args;
use forebay_targets::TargetOption;
use forebay_targets::option::{BITS, QUEUE, RANK_BITS};
use forebay_targets::sv::{Asked, QueueBlock, Width};
use std::str::FromStr;

/// Properties of the hardware of a policy. Switches have the bits of a rank, too.
#[derive(Debug, Args)]
pub(crate) struct HardwareArgs {
    /// Bits of a rank in the queue block (target sv) [default: as many as the block takes]. For `compile` and `check`, also the
    /// bits of a queue's bound in a switch, 8 to 63 (target p4) [default: 32]
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = whole::<u8>(1..=63))]
    pub(crate) rank_bits: Option<u8>,
    /// Width of a packet field or of the time in bits, e.g. slack=24; may be given several times (target sv)
    #[arg(long, value_name = "FIELD=BITS", value_parser = Width::from_str)]
    pub(crate) bits: Vec<Width>,
    /// Queue block that sorts: auto, bbq, bbq-front or pifo (target sv) [default: auto]
    #[arg(long, value_name = "BLOCK", value_parser = QueueBlock::from_str)]
    pub(crate) queue: Option<QueueBlock>,
}

impl HardwareArgs {
    /// These options, and whether they were given.
    pub(crate) fn given(&self) -> [(TargetOption, bool); 3] {
        [(RANK_BITS, self.rank_bits.is_some()), (BITS, !self.bits.is_empty()), (QUEUE, self.queue.is_some())]
    }

    /// The user's requests for the hardware.
    pub(crate) fn asked(&self) -> Asked {
        Asked { rank_bits: self.rank_bits, bits: self.bits.clone(), queue: self.queue }
    }
}
