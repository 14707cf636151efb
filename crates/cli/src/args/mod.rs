//! The command line. Help, completions and the manual page are made from this.

mod advise;
mod attack;
mod cache;
mod compile;
mod conform;
mod deploy;
mod hardware;
mod help;
mod interface;
mod number;
mod play;
mod plot;
mod prefix;
mod resources;
mod switch;
mod trace;

pub(crate) use advise::{AdviseArgs, LinkDirection};
pub(crate) use attack::AttackArgs;
pub(crate) use cache::{
    BoundArgs, CacheArgs, CacheModel, CacheModelArgs, CacheRunArgs, CurveArgs, RecordedOfBounds, RecordedOfCaches,
    ServiceArgs, SizeChanges, Sizes, VerifyArgs,
};
pub(crate) use compile::{CompileArgs, FrameArgs, TargetArgs};
pub(crate) use conform::ConformArgs;
pub(crate) use deploy::{DeployArgs, DeviceArgs, SetArgs, StatsArgs, UndeployArgs};
pub(crate) use help::command;
pub(crate) use play::PlayArgs;
pub(crate) use plot::{Log, PlotArgs};
pub(crate) use prefix::PrefixArgs;
pub(crate) use resources::ResourceArgs;
pub(crate) use switch::{
    ControlArgs, CountersFormat, CtlArgs, CtlCommand, CtlPolicyArgs, CtlPortCommand, OnChange, SwitchArgs,
};
pub(crate) use trace::{
    FilterArgs, TraceArgs, TraceCommand, TraceConvertArgs, TraceCutArgs, TraceGenArgs, TraceInfoArgs, TraceKind,
    TraceKindArgs, TraceSplitArgs, TraceWorstArgs,
};

use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use forebay::error::WrongValue;
use forebay::run::Part;
use forebay_traces::requests::Spec;
use number::whole;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr as _;

/// Compare queueing, scheduling, dropping and caching policies on real packets.
#[derive(Debug, Parser)]
#[command(name = "forebay", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scenario: policies or queues on the same packets, or policies in a network
    Run(RunArgs),
    /// Join the runs of several processes or machines into one result
    Merge(MergeArgs),
    /// Plot any metric of a result, as SVG, PDF, PNG or Vega-Lite
    Plot(Box<PlotArgs>),
    /// Serve the playground on this machine: policies, caches and networks in the browser
    Play(PlayArgs),
    /// Compare eight policies on a recording that comes with forebay
    Demo(DemoArgs),
    /// Compare policies on the TCP flows of a recording: which flows gain, which lose
    Advise(Box<AdviseArgs>),
    /// Measure how much innocent traffic an attacker displaces under each policy
    Attack(AttackArgs),
    /// Compare cache policies by latency, with delayed hits, MAD forms and offline optima
    Cache(Box<CacheArgs>),
    /// Bound the lowest latency that any cache could reach on a trace (belatedly)
    Bound(BoundArgs),
    /// Check a certificate of `forebay bound`, without the search that wrote it
    Verify(VerifyArgs),
    /// Plot miss ratio and latency of cache policies over the capacity
    Curve(CurveArgs),
    /// Compare policies of prefix caches of language models by hits and time to first token
    Prefix(Box<PrefixArgs>),
    /// Measure published figures again, and print both numbers
    Repro(ReproArgs),
    /// List all names by kind: queues, transports, cache policies, targets, metrics
    List(ListArgs),
    /// Explain a name from `forebay list`, a field of a scenario, or an OpenQueue policy
    Explain(ExplainArgs),
    /// Print the JSON Schema of scenarios, with which editors check them, or of results
    Schema(SchemaArgs),
    /// Describe, convert or generate traces of packets and requests
    Trace(TraceArgs),
    /// Check OpenQueue policies: print mistakes, their lines, and what to write instead
    Check(CheckArgs),
    /// Compile an OpenQueue policy for a real datapath (docs/targets.md)
    Compile(CompileArgs),
    /// Compare every datapath with the reference engine on one stream of operations
    Conform(Box<ConformArgs>),
    /// Attach an OpenQueue policy to a network device of the kernel
    Deploy(DeployArgs),
    /// Set live parameters of the policy at a network device, between two packets
    Set(SetArgs),
    /// Print the counters of the policy at a network device
    Stats(StatsArgs),
    /// Remove the policy from a network device
    Undeploy(UndeployArgs),
    /// Switch Ethernet frames, with an OpenQueue policy at each egress
    Switch(Box<SwitchArgs>),
    /// Control a running switch: print counters and ports, change the policy, stop it
    Ctl(CtlArgs),
    /// Format OpenQueue policies
    Fmt(FmtArgs),
    /// Serve editors as a language server for OpenQueue (docs/editors.md)
    Lsp(LspArgs),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff), or write one page for each command
    Man(ManArgs),
}

/// Seeds that a scenario file, which has signed numbers, can hold as well.
fn seed() -> impl TypedValueParser<Value = u64> {
    whole(0..=i64::MAX as u64)
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs; documented in docs/result.md
    Json,
    /// For spreadsheets
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The scenario file (TOML; see docs/scenario.md, and docs/network.md for networks)
    pub(crate) scenario: PathBuf,
    /// Replace a value of the scenario, e.g. port.rate=5Gbps or policy.fifo.queue=pifo
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Replace the seed of the scenario
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: Option<u64>,
    /// Write the result into this folder: result.json, result.csv, result.parquet, summary.csv, manifest.json, plots (SVG) and
    /// detail tables such as flows.csv. Every finished run is written as well, so the same command resumes where it was stopped
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write a report as one self-contained HTML page: scenario, table, interactive plots, warnings (docs/report.md)
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["shard", "repetitions", "dry_run"])]
    pub(crate) report: Option<PathBuf>,
    /// Do only one share of the runs, e.g. 0/4 for the first of four; `forebay merge` joins the shares [default: all runs]
    #[arg(long, value_name = "I/N", value_parser = Part::from_str, requires = "out", allow_hyphen_values = true)]
    pub(crate) shard: Option<Part>,
    /// Do only these repetitions, e.g. 0..5 for the first five [default: all]
    #[arg(long, value_name = "A..B", value_parser = Part::read_repetitions, requires = "out", allow_hyphen_values = true)]
    pub(crate) repetitions: Option<Range<u64>>,
    /// Compare the other policies with this one, repetition by repetition: in the table, in summary.csv and in the report
    #[arg(long, value_name = "POLICY")]
    pub(crate) baseline: Option<String>,
    /// List the runs with an estimate of their cost, and run nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write the operations of each policy's exact rank queue, with their answers, into this folder. Other queues and hardware
    /// can replay these streams: POLICY.ops; with axes, POLICY.VALUE.ops for the first repetition
    #[arg(long, value_name = "DIR")]
    pub(crate) record_ops: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write a page for each command into this folder, such as forebay-run.1 [default: print all as one page]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Folder for the joined runs and the result
    pub(crate) out: PathBuf,
    /// Folders of runs to join, written by `forebay run --out` [default: only the first folder]
    pub(crate) from: Vec<PathBuf>,
    /// Compare the other policies with this one, repetition by repetition: in the table, in summary.csv and in the report
    #[arg(long, value_name = "POLICY")]
    pub(crate) baseline: Option<String>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Write the scenario, the recording and the results into this folder
    #[arg(long, value_name = "DIR", default_value = "forebay-demo")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ReproArgs {
    /// Experiment, or folder of experiments, e.g. sp-pifo [default: list all experiments]
    pub(crate) name: Option<String>,
    /// Run all experiments
    #[arg(long, conflicts_with = "name")]
    pub(crate) all: bool,
    /// With --all: shorten scenarios, measure no causes of differences, and leave out the longest experiments (seven to ten CPU
    /// minutes)
    #[arg(long, requires = "all")]
    pub(crate) quick: bool,
    /// Read the experiments from this folder [default: `experiments` here or in a parent folder, else the built-in ones]
    #[arg(long, value_name = "DIR")]
    pub(crate) experiments: Option<PathBuf>,
    /// Seed of all random numbers [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: Option<u64>,
    /// Write result.json and plots of each experiment into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// List one kind only, e.g. queues or cache-policies [default: all]
    #[arg(value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// How to print the list
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Name from `forebay list`; a kind of scenario, e.g. network; one of its tables or fields, e.g. port.rate; or an OpenQueue
    /// file
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Print the schema of results (result.json, --format json), for programs that read them
    #[arg(long)]
    pub(crate) results: bool,
}

/// How a request trace is read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FormatArgs {
    /// Format of a request trace, with its options, if content and name do not determine it; e.g. u32be or
    /// twitter-csv:operations=all (`forebay list` has the names)
    #[arg(long, value_name = "NAME[:OPTION=VALUE,...]", value_parser = Spec::parse)]
    pub(crate) format_in: Option<Spec>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// OpenQueue files (see docs/openqueue-grammar.md); - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) params: ParamArgs,
    /// How to print mistakes
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
    /// Report also those parts of the policies that this target of `forebay compile` cannot express or does not preserve
    #[arg(long, value_name = "NAME")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) made: TargetArgs,
}

/// Constants of a policy that the command line sets.
#[derive(Debug, Args)]
pub(crate) struct ParamArgs {
    /// Set a `param` of the policy to another value, e.g. B=64 or B='64 pkts'
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param)]
    pub(crate) params: Vec<(String, forebay_lang::Value)>,
    /// Keep this `param` changeable while the policy runs; may be given several times. Sizes, rates and orders of packets
    /// cannot read a live `param` (docs/openqueue-semantics.md, section 9)
    #[arg(long = "live", value_name = "NAME")]
    pub(crate) live: Vec<String>,
}

pub(crate) fn param(text: &str) -> Result<(String, forebay_lang::Value), WrongValue> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE, for example B=128")?;
    Ok((name.trim().to_owned(), value.parse().map_err(|wrong| format!("{wrong}"))?))
}

/// How diagnostics are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people, on standard error, with the lines and what to write instead
    Text,
    /// For programs; documented in docs/openqueue-grammar.md
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// OpenQueue files to change in place; - formats standard input and prints the result
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; list the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Communicate over standard input and output, which is the only way; editors pass this flag
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// How the flows of a flow CSV become packets.
#[derive(Debug, Args)]
pub(crate) struct FlowArgs {
    /// For a flow CSV: size of a full packet in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1500, allow_negative_numbers = true, value_parser = whole::<u32>(1..=forebay_core::Packet::MAX_BYTES.into()))]
    pub(crate) packet_bytes: u32,
    /// For a flow CSV: the rate at which a flow sends
    #[arg(long, value_name = "RATE", default_value = "1 Gbps", value_parser = forebay_core::Rate::parse)]
    pub(crate) access_rate: forebay_core::Rate,
}
