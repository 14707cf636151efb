//! Arguments of `forebay deploy`, `undeploy`, `set` and `stats`.

use super::number::whole;
use super::{Format, FrameArgs, ParamArgs, interface, param};
use clap::Args;
use forebay_core::Rate;
use std::path::PathBuf;

/// A network device.
#[derive(Debug, Args)]
pub(crate) struct DeviceArgs {
    /// The network device
    #[arg(long = "dev", value_name = "DEVICE", value_parser = interface::name)]
    pub(crate) device: String,
    /// Network namespace of the device, as `ip netns` names it
    #[arg(long, value_name = "NAME", value_parser = interface::name)]
    pub(crate) netns: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DeployArgs {
    /// An OpenQueue file; - is standard input
    #[arg(value_name = "POLICY")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    #[command(flatten)]
    pub(crate) frames: FrameArgs,
    /// Rate of the link, e.g. `100 Mbps`; ports send at their percentage of it [default: ports of 100 percent send as fast as
    /// the device takes packets]
    #[arg(long, value_name = "RATE", value_parser = Rate::parse)]
    pub(crate) rate: Option<Rate>,
    /// Seed of random trials
    #[arg(long, default_value_t = 1, value_name = "NUMBER", allow_negative_numbers = true,
          value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Folder with this policy, which `forebay compile --target bpf` has written with the same parameters and `make` has built
    /// [default: build it now with clang]
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["fields", "smallest_packet"])]
    pub(crate) built: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UndeployArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// A live parameter of the policy (`forebay deploy --live NAME`) and its value from the next packet on, such as K=20 or
    /// K='20 pkts'; may be given several times
    #[arg(required = true, value_name = "NAME=VALUE", value_parser = param)]
    pub(crate) values: Vec<(String, forebay_lang::Value)>,
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArgs,
    /// How to print the counters
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
