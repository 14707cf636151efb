//! Arguments of `forebay trace`.

use super::{FlowArgs, Format, FormatArgs, seed, whole};
use clap::{Args, Subcommand, ValueEnum};
use forebay_cache::Choice;
use forebay_traces::IpHeader;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: TraceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Describe a trace: packets, rates, classes, flows; or requests, objects, bursts
    Info(TraceInfoArgs),
    /// Write a trace in another format
    Convert(TraceConvertArgs),
    /// Copy the packets of a recording that match a filter, with all their metadata
    Cut(TraceCutArgs),
    /// Write the two directions of a recorded link into separate files
    SplitDirections(TraceSplitArgs),
    /// Generate the packets of a scenario's [traffic], or the requests of a recipe
    Gen(TraceGenArgs),
    /// Search for requests on which a cache policy is much slower than the optimum, and write them
    Worst(TraceWorstArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TraceInfoArgs {
    /// Trace of packets or requests, compressed or not (docs/traces.md), or a recipe like zipf:objects=1e4
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) kind: TraceKindArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) flows: FlowArgs,
    /// How to print the description
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct TraceConvertArgs {
    /// Trace of packets or requests, compressed or not (docs/traces.md)
    pub(crate) trace: PathBuf,
    /// Output file. Packets: .csv for a packet CSV (all fields), .pcap for a recording (headers only). Requests: .csv (everything),
    /// .txt, .u32be or .oracleGeneral; .xz, .zst or .gz behind it compresses
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) kind: TraceKindArgs,
    /// Format of requests, if the name of the output does not determine it, e.g. slot-csv
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) flows: FlowArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TraceCutArgs {
    /// Recording: pcap or pcapng, compressed or not
    pub(crate) trace: PathBuf,
    /// Output file, in the format of the recording; compressed if its name ends in .xz, .zst or .gz
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TraceSplitArgs {
    /// Recording: pcap or pcapng, compressed or not
    pub(crate) trace: PathBuf,
    /// Output file for the direction with more packets
    pub(crate) first: PathBuf,
    /// Output file for the other direction
    pub(crate) second: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TraceWorstArgs {
    /// Output file for the requests, in slots: .csv (everything), .txt or .u32be; .xz, .zst or .gz behind it compresses
    pub(crate) output: PathBuf,
    /// The policy, with parameters in brackets (forebay list caches)
    #[arg(long, value_name = "NAME")]
    pub(crate) policy: Choice,
    /// Capacity of the cache in entries
    #[arg(long, value_name = "ENTRIES", default_value_t = 4, value_parser = whole::<u64>(1..=64))]
    pub(crate) capacity: u64,
    /// Latency of a fetch, in slots
    #[arg(long, value_name = "SLOTS", default_value_t = 20, value_parser = whole::<u64>(1..=10_000))]
    pub(crate) latency: u64,
    /// Number of objects that are requested; must exceed the capacity [default: one more]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(2..=1_000))]
    pub(crate) objects: Option<u64>,
    /// Length of the pattern that is repeated, in slots [default: entries times latency, at most 400]
    #[arg(long, value_name = "SLOTS", value_parser = whole::<u64>(2..=100_000))]
    pub(crate) slots: Option<u64>,
    /// How often the pattern is repeated; with more repetitions, the first misses of every cache count less
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u64>(1..=1_000))]
    pub(crate) repeats: u64,
    /// Number of patterns to try
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = whole::<u64>(1..=100_000_000))]
    pub(crate) tries: u64,
    /// Format of the output, if its name does not determine it, e.g. slot-csv
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,
    /// Seed of all random numbers, including those of randomised policies
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
}

/// Which packets of a recording are used.
#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Use only packets that match this expression, e.g. "src net 10.0.0.0/8 and tcp" or "time 10s..20s" (docs/traces.md)
    /// [default: all]
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) filter: Option<forebay_traces::Filter>,
    /// Take addresses, ports and class of packets in tunnels from this IP header: outer, second or inner; --filter reads the
    /// same header (docs/traces.md)
    #[arg(long, value_name = "HEADER", default_value_t = IpHeader::Outer)]
    pub(crate) ip_header: IpHeader,
}

/// The use of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceKind {
    /// For queues
    Packets,
    /// For caches; each packet of a recording requests the state of its flow
    Requests,
}

/// How to read a trace whose content does not determine it.
#[derive(Debug, Args)]
pub(crate) struct TraceKindArgs {
    /// Take a recording as packets or as requests
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub(crate) kind: Option<TraceKind>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TraceGenArgs {
    /// A scenario file (TOML; see docs/scenario.md), or a recipe of requests like
    /// zipf:objects=1e4,requests=1e6,skew=0.9 (see docs/traces.md)
    pub(crate) scenario: PathBuf,
    /// Output file. Packets: .csv for a packet CSV (all fields), .pcap for a recording (headers only). Requests: .csv (everything),
    /// .txt, .u32be or .oracleGeneral; .xz, .zst or .gz behind it compresses
    pub(crate) output: PathBuf,
    /// Format of requests, if the name of the output does not determine it, e.g. slot-csv
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Option<String>,
    /// Replace a value of the scenario, e.g. traffic.load=0.5
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Replace the seed of the scenario or recipe
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: Option<u64>,
}
