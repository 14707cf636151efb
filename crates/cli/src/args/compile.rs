//! What `forebay compile` takes.

use super::ParamArgs;
use super::number::whole;
use clap::Args;
use forebay_targets::headers::{Field, Mapping, Source};
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
    /// Where a field of packets comes from, for programs that see real frames; may be given several times. NAME is queue,
    /// value, processing, slack, flow, remaining, class or rank; SOURCE is dscp, pcp, priority, mark, flow-hash, a number, or
    /// bytes such as udp[8:4], with >>BITS and &MASK behind it if need be
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting)]
    pub(crate) fields: Vec<(Field, Source)>,
    /// The size of the smallest packet in bytes: how many packets a size in bytes has room for
    #[arg(long, default_value_t = forebay_targets::Options::default().smallest_packet, value_name = "BYTES",
          value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) smallest_packet: u32,
    /// The most packets that the program may have room for
    #[arg(long, default_value_t = forebay_targets::Options::default().most_slots, value_name = "PACKETS",
          value_parser = whole::<u32>(1..=1 << 24))]
    pub(crate) slots: u32,
}
