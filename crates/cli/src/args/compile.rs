//! What `forebay compile` takes.

use super::ParamArgs;
use super::number::whole;
use clap::Args;
use forebay_targets::headers::{Field, Mapping, Source};
use forebay_targets::{Options, Switch};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// An OpenQueue file; - is standard input
    #[arg(value_name = "POLICY")]
    pub(crate) file: PathBuf,
    /// What to turn it into
    #[arg(long, default_value = "c", value_name = "NAME")]
    pub(crate) target: String,
    /// The folder for the files; it is made if it is not there, and files of the same names are replaced
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    #[command(flatten)]
    pub(crate) made: TargetArgs,
}

/// What packets are like on the network.
#[derive(Debug, Args)]
pub(crate) struct FrameArgs {
    /// Where a field of packets comes from, for programs that see real frames; may be given several times. NAME is queue,
    /// value, processing, slack, flow, remaining, class or rank; SOURCE is dscp, pcp, priority, mark, flow-hash, egress, a
    /// number, or bytes such as udp[8:4], with >>BITS and &MASK behind it if need be
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting)]
    pub(crate) fields: Vec<(Field, Source)>,
    /// The size of the smallest packet in bytes: how many packets a size in bytes has room for
    #[arg(long, default_value_t = Options::default().smallest_packet, value_name = "BYTES", allow_negative_numbers = true,
          value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) smallest_packet: u32,
}

/// What is decided when a program is made.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    /// The most packets that the program may have room for
    #[arg(long, default_value_t = Options::default().most_slots, value_name = "PACKETS", allow_negative_numbers = true,
          value_parser = whole::<u32>(1..=1 << 24))]
    pub(crate) slots: u32,
    /// How many strict-priority queues a port of the switch has (target p4; a policy with several queues uses as many as it has)
    #[arg(long, default_value_t = Switch::default().queues, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<u8>(1..=32))]
    pub(crate) queues: u8,
    /// The bits of a rank and of a queue's bound (target p4)
    #[arg(long, default_value_t = Switch::default().rank_bits, value_name = "BITS", allow_negative_numbers = true,
          value_parser = whole::<u8>(8..=63))]
    pub(crate) rank_bits: u8,
    /// Access a register once in each pass, as hardware asks, and give packets a second pass at inversions (target p4)
    #[arg(long)]
    pub(crate) resubmit: bool,
}

impl FrameArgs {
    /// The same as targets take it.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options { smallest_packet: self.smallest_packet, ..Options::default() };
        for (field, source) in &self.fields {
            options.mapping.set(*field, *source);
        }
        options
    }
}

impl TargetArgs {
    /// The same as targets take it.
    pub(crate) fn options(&self) -> Options {
        let switch = Switch { queues: self.queues, rank_bits: self.rank_bits, resubmit: self.resubmit };
        Options { most_slots: self.slots, switch, ..self.frames.options() }
    }
}
