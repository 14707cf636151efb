//! What `compile`, `check` and `conform` take about hardware.

use super::number::whole;
use clap::Args;
use forebay_targets::sv::{Hardware, QueueBlock, Width};
use std::str::FromStr;

/// What the hardware of a policy is like; the bits of a rank switches have, too.
#[derive(Debug, Args)]
pub(crate) struct HardwareArgs {
    /// The bits of a rank in the queue block (target sv: as many as it takes); `compile` and `check` take it also for a queue's bound
    /// in a switch, 8 to 63 (target p4: 32 if not said)
    #[arg(long, value_name = "BITS", allow_negative_numbers = true, value_parser = whole::<u8>(1..=63))]
    pub(crate) rank_bits: Option<u8>,
    /// How wide a field of packets is, or the time, such as slack=24; may be given several times (target sv)
    #[arg(long, value_name = "FIELD=BITS", value_parser = Width::from_str)]
    pub(crate) bits: Vec<Width>,
    /// Which queue block sorts: auto, bbq, bbq-front or pifo (target sv: auto if not said)
    #[arg(long, value_name = "BLOCK", value_parser = QueueBlock::from_str)]
    pub(crate) queue: Option<QueueBlock>,
}

impl HardwareArgs {
    /// These options, the targets that look at them, and whether they were given.
    pub(crate) fn given(&self) -> [(&'static str, &'static [&'static str], bool); 3] {
        [
            ("--rank-bits", &["p4", "sv"], self.rank_bits.is_some()),
            ("--bits", &["sv"], !self.bits.is_empty()),
            ("--queue", &["sv"], self.queue.is_some()),
        ]
    }

    /// Hardware that is like this, and otherwise like `usual`.
    pub(crate) fn applied_to(&self, usual: Hardware) -> Hardware {
        let mut hardware = Hardware { queue: self.queue.unwrap_or(usual.queue), rank_bits: self.rank_bits, ..usual };
        self.bits.iter().for_each(|width| hardware.bits.set(*width));
        hardware
    }
}
