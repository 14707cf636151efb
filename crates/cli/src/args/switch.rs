//! Arguments of `forebay switch` and `forebay ctl`.

use super::{ParamArgs, interface, seed};
use clap::{Args, Subcommand, ValueEnum};
use forebay_core::Duration;
use forebay_targets::headers::{Field, Mapping, Source};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SwitchArgs {
    /// Interface of the switch; give at least two
    #[arg(long = "port", required = true, value_name = "INTERFACE", value_parser = interface::name)]
    pub(crate) ports: Vec<String>,
    /// OpenQueue file; - is standard input. Each interface's egress runs a copy of a policy with one port. A policy with as
    /// many ports as there are interfaces runs once, and the interfaces share its buffers
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: PathBuf,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    /// Source of a packet field, e.g. value=udp[8:4] or queue=dscp>>3; queue=egress is the port to which forwarding sends a
    /// frame, and flow=inner.flow-hash the flow inside a tunnel (docs/targets/switch.md)
    #[arg(long = "field", value_name = "NAME=SOURCE", value_parser = Mapping::read_setting)]
    pub(crate) fields: Vec<(Field, Source)>,
    /// Rate at which interfaces send, e.g. 10Mbps, or one of them: eth1=10Mbps [default: as fast as they take frames]
    #[arg(long = "rate", value_name = "RATE")]
    pub(crate) rates: Vec<String>,
    /// How frames arrive and depart: af-packet, af-xdp, or memory to try things without an interface
    #[arg(long, default_value = "af-packet", value_name = "NAME")]
    pub(crate) backend: String,
    /// Send all frames of one interface to another, e.g. eth1=eth2; the switch then learns no addresses
    #[arg(long = "forward", value_name = "FROM=TO")]
    pub(crate) forwards: Vec<String>,
    /// Forget an address after it has been silent for this long
    #[arg(long, default_value = "300 s", value_name = "TIME", value_parser = Duration::parse)]
    pub(crate) ageing: Duration,
    #[command(flatten)]
    pub(crate) control: ControlArgs,
    /// Write all departing frames, with their times, into this file (pcap)
    #[arg(long, value_name = "FILE")]
    pub(crate) tap: Option<PathBuf>,
    /// Write the operations of each interface's policy into this folder, as INTERFACE.ops; those of a shared policy as
    /// switch.ops
    #[arg(long, value_name = "FOLDER")]
    pub(crate) record: Option<PathBuf>,
    /// Seed of the random numbers of drop(P)
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
    /// Send the backlog for at most this long when the switch stops
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
    /// Replace the policy that runs by another one, while packets wait
    Policy(CtlPolicyArgs),
    /// Set live parameters of the policy, between two packets
    Set {
        /// A live parameter and its value, such as K=20 or K='20 pkts'; may be given several times
        #[arg(required = true, value_name = "NAME=VALUE")]
        values: Vec<String>,
        /// Interface [default: all]
        #[arg(long, value_name = "INTERFACE")]
        port: Option<String>,
    },
    /// Undo the last change of policy that is not undone yet; the last 8 changes can be undone
    Rollback {
        /// How to treat packets that wait
        #[arg(long, value_enum, default_value_t = OnChange::Drain)]
        transition: OnChange,
    },
    /// Print all counters
    Stats {
        /// How to print the counters
        #[arg(long, value_enum, default_value_t = CountersFormat::Table)]
        format: CountersFormat,
    },
    /// Print the ports and what they run
    Ports,
    /// Add an interface to the switch, or remove one
    #[command(subcommand)]
    Port(CtlPortCommand),
    /// Stop the switch
    Stop,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CtlPortCommand {
    /// Open an interface, and run the policy there that was last set for all ports
    Add {
        /// The interface
        #[arg(value_name = "INTERFACE", value_parser = interface::name)]
        port: String,
        /// Rate at which it sends, e.g. 10Mbps [default: the `--rate` of `forebay switch` for all interfaces]
        #[arg(long, value_name = "RATE")]
        rate: Option<String>,
    },
    /// Close an interface: drop and count its backlog, and forget its addresses
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
    /// Set a `param` of the policy to another value, e.g. B=64 or B='64 pkts'
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(crate) params: Vec<String>,
    /// Keep this `param` changeable while the policy runs
    #[arg(long = "live", value_name = "NAME")]
    pub(crate) live: Vec<String>,
    /// How to treat packets that wait
    #[arg(long, value_enum, default_value_t = OnChange::Drain)]
    pub(crate) transition: OnChange,
    /// Interface; leave it out if the interfaces share one policy [default: all]
    #[arg(long, value_name = "INTERFACE", value_parser = interface::name)]
    pub(crate) port: Option<String>,
}

/// How a change of policy treats packets that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnChange {
    /// Packets that wait depart first, in the order of the previous policy
    Drain,
    /// Packets that wait take their slots in the new policy's orders
    Rerank,
}
