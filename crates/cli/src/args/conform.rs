//! What `forebay conform` takes.

use super::hardware::HardwareArgs;
use super::number::whole;
use super::{Format, ParamArgs};
use clap::Args;
use forebay_targets::headers::{Field, Mapping, Source};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ConformArgs {
    /// An OpenQueue file; - is standard input
    #[arg(value_name = "POLICY")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    /// Another policy, by which the first one is replaced now and then while packets wait, and back (target sv)
    #[arg(long, value_name = "POLICY")]
    pub(crate) replace_by: Option<PathBuf>,
    /// How many operations there are for each that asks for a replacement, about
    #[arg(long, default_value_t = 100, value_name = "NUMBER", allow_negative_numbers = true, requires = "replace_by",
          value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) replace_every: u32,
    #[command(flatten)]
    pub(crate) hardware: HardwareArgs,
    /// A datapath to compare with the reference engine; may be given several times. Without, all that can run here
    #[arg(long = "target", value_name = "NAME")]
    pub(crate) targets: Vec<String>,
    /// Play frames of all kinds, each once: IP behind encapsulations and in tunnels, other protocols, damaged frames. Fields of
    /// packets are read from their headers. Expect the packets that `forebay trace info` reads from these frames
    #[arg(long, conflicts_with_all = ["ops", "wide", "small", "replace_by"])]
    pub(crate) frames: bool,
    /// Where a field of packets is in these frames, such as rank=udp[8:4]; may be given several times. Without, class=dscp and
    /// flow=flow-hash
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting, requires = "frames")]
    pub(crate) fields: Vec<(Field, Source)>,
    /// How many packets arrive in the stream of operations; with --frames, at most
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<usize>(1..=10_000_000))]
    pub(crate) packets: usize,
    /// Packets carry numbers of any size, and near the limits and the policy's constants. Without, half of them do
    #[arg(long, conflicts_with_all = ["small", "ops"])]
    pub(crate) wide: bool,
    /// Packets carry small numbers, which tie often
    #[arg(long, conflicts_with = "ops")]
    pub(crate) small: bool,
    /// The seed of the stream, and of the policy's random trials
    #[arg(long, default_value_t = 1, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// A recorded stream of operations instead, one a line (docs/conform.md)
    #[arg(long, value_name = "FILE", conflicts_with = "packets")]
    pub(crate) ops: Option<PathBuf>,
    /// Write the stream of operations to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) write_ops: Option<PathBuf>,
    /// Write the answers of the one target that is given to this file, and do not compare
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// A folder in which `forebay compile --target bpf` has put this policy with the fields of docs/conform.md, and `make` has
    /// built it; without, clang builds it now
    #[arg(long, value_name = "FOLDER")]
    pub(crate) built: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
