//! Arguments of `forebay conform`.

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
    /// Another policy. Now and then it replaces the first one while packets wait, and is replaced again (target sv)
    #[arg(long, value_name = "POLICY")]
    pub(crate) replace_by: Option<PathBuf>,
    /// Replace the policy once in about this many operations
    #[arg(long, default_value_t = 100, value_name = "NUMBER", allow_negative_numbers = true, requires = "replace_by",
          value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) replace_every: u32,
    #[command(flatten)]
    pub(crate) hardware: HardwareArgs,
    /// Datapath to compare with the reference engine; may be given several times [default: all that can run here]
    #[arg(long = "target", value_name = "NAME")]
    pub(crate) targets: Vec<String>,
    /// Play frames of all kinds, each once: IP behind encapsulations and in tunnels, other protocols, damaged frames. Fields of
    /// packets are read from their headers. Expect the packets that `forebay trace info` reads from these frames
    #[arg(long, conflicts_with_all = ["ops", "wide", "small", "replace_by"])]
    pub(crate) frames: bool,
    /// Source of a packet field in these frames, e.g. rank=udp[8:4]; may be given several times [default: class=dscp and
    /// flow=flow-hash]
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting, requires = "frames")]
    pub(crate) fields: Vec<(Field, Source)>,
    /// Number of packets that arrive in the stream of operations; with --frames, the most that arrive
    #[arg(long, default_value_t = 20_000, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<usize>(1..=10_000_000))]
    pub(crate) packets: usize,
    /// Give all packets numbers of any size, and near the limits and the policy's constants [default: half of the packets]
    #[arg(long, conflicts_with_all = ["small", "ops"])]
    pub(crate) wide: bool,
    /// Give packets small numbers, which tie often
    #[arg(long, conflicts_with = "ops")]
    pub(crate) small: bool,
    /// Seed of the stream and of the policy's random trials
    #[arg(long, default_value_t = 1, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Play this recorded stream of operations instead, one operation a line (docs/conform.md)
    #[arg(long, value_name = "FILE", conflicts_with = "packets")]
    pub(crate) ops: Option<PathBuf>,
    /// Write the stream of operations to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) write_ops: Option<PathBuf>,
    /// Write the answers of the given target to this file, and do not compare; only one target may be given
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Folder with this policy, which `forebay compile --target bpf` has written with the fields of docs/conform.md and `make`
    /// has built [default: build it now with clang]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) built: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
