//! What `forebay switch` and `forebay ctl` take.

use super::{ParamArgs, interface, seed};
use clap::{Args, Subcommand, ValueEnum};
use forebay_core::Duration;
use forebay_targets::headers::{Field, Mapping, Source};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SwitchArgs {
    /// An interface to switch between; at least two
    #[arg(long = "port", required = true, value_name = "INTERFACE", value_parser = interface::name)]
    pub(crate) ports: Vec<String>,
    /// The OpenQueue file: of one port, of which each interface's egress runs a copy, or of as many ports as there are
    /// interfaces, which share its buffers; - is standard input
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: PathBuf,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    /// Where a field of the policy's packets comes from, e.g. value=udp[8:4], queue=dscp>>3, queue=egress for the port to
    /// which forwarding sends a frame, or flow=inner.flow-hash for the flow inside a tunnel (docs/targets/switch.md)
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting)]
    pub(crate) fields: Vec<(Field, Source)>,
    /// How fast interfaces send, e.g. 10Mbps, or one of them: eth1=10Mbps [default: as fast as they take frames]
    #[arg(long = "rate", value_name = "RATE")]
    pub(crate) rates: Vec<String>,
    /// How frames come and go: af-packet, af-xdp, or memory to try things without an interface
    #[arg(long, default_value = "af-packet", value_name = "NAME")]
    pub(crate) backend: String,
    /// All frames of one interface go to another, e.g. eth1=eth2; given once, nothing is learnt
    #[arg(long = "forward", value_name = "FROM=TO")]
    pub(crate) forwards: Vec<String>,
    /// Forget an address after it has been silent for this long
    #[arg(long, default_value = "300 s", value_name = "TIME", value_parser = Duration::parse)]
    pub(crate) ageing: Duration,
    #[command(flatten)]
    pub(crate) control: ControlArgs,
    /// Write all frames that leave, with the time, into this file (pcap)
    #[arg(long, value_name = "FILE")]
    pub(crate) tap: Option<PathBuf>,
    /// Write the operations of each interface's policy into this folder, as INTERFACE.ops; those of one that all share as
    /// switch.ops
    #[arg(long, value_name = "FOLDER")]
    pub(crate) record: Option<PathBuf>,
    /// Root of the random numbers of drop(P)
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
    /// For how long what waits is still sent when the switch stops
    #[arg(long, default_value = "1 s", value_name = "TIME", value_parser = Duration::parse)]
    pub(crate) drain_for: Duration,
    /// How to print the counters at the end
    #[arg(long, value_enum, default_value_t = CountersFormat::Table)]
    pub(crate) format: CountersFormat,
}

/// How counters are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountersFormat {
    /// For people
    Table,
    /// For programs; documented in docs/targets/switch.md
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ControlArgs {
    /// The switch's control socket [default: forebay-switch.sock in $XDG_RUNTIME_DIR or /run]
    #[arg(long, value_name = "PATH", global = true)]
    pub(crate) control: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CtlArgs {
    #[command(flatten)]
    pub(crate) control: ControlArgs,
    #[command(subcommand)]
    pub(crate) command: CtlCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CtlCommand {
    /// Put another policy in the place of the one that runs, while packets wait
    Policy(CtlPolicyArgs),
    /// Give live parameters of the policy other values, between two packets
    Set {
        /// A live parameter and its value, such as K=20 or K='20 pkts'; may be given several times
        #[arg(required = true, value_name = "NAME=VALUE")]
        values: Vec<String>,
        /// The interface; without it, all
        #[arg(long, value_name = "INTERFACE")]
        port: Option<String>,
    },
    /// Undo the last change of a policy that was not undone yet; the last 8 can be
    Rollback {
        /// What happens to packets that wait
        #[arg(long, value_enum, default_value_t = OnChange::Drain)]
        transition: OnChange,
    },
    /// Print all counters
    Stats {
        /// How to print them
        #[arg(long, value_enum, default_value_t = CountersFormat::Table)]
        format: CountersFormat,
    },
    /// Print the ports and what they run
    Ports,
    /// Let an interface join the switch, or leave it
    #[command(subcommand)]
    Port(CtlPortCommand),
    /// Stop the switch
    Stop,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CtlPortCommand {
    /// Open an interface, and run the policy there that all ports were given last
    Add {
        /// The interface
        #[arg(value_name = "INTERFACE", value_parser = interface::name)]
        port: String,
        /// How fast it sends, e.g. 10Mbps [default: what `forebay switch --rate` said for all]
        #[arg(long, value_name = "RATE")]
        rate: Option<String>,
    },
    /// Close an interface; drop and count what waits there, and forget its addresses
    Remove {
        /// The interface
        #[arg(value_name = "INTERFACE", value_parser = interface::name)]
        port: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CtlPolicyArgs {
    /// An OpenQueue file; - is standard input
    #[arg(value_name = "POLICY")]
    pub(crate) file: PathBuf,
    /// Give a `param` of the policy another value, e.g. B=64 or B='64 pkts'
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) params: Vec<String>,
    /// Keep this `param` changeable while the policy runs
    #[arg(long = "live", value_name = "NAME")]
    pub(crate) live: Vec<String>,
    /// What happens to packets that wait
    #[arg(long, value_enum, default_value_t = OnChange::Drain)]
    pub(crate) transition: OnChange,
    /// The interface; without it, all, which is the only way if they share one policy
    #[arg(long, value_name = "INTERFACE", value_parser = interface::name)]
    pub(crate) port: Option<String>,
}

/// What happens to packets that wait when the policy changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnChange {
    /// They leave first, in the order that the policy before gives them
    Drain,
    /// They take their places in the new policy's orders
    Rerank,
}
