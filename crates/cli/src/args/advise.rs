//! The arguments of `forebay advise`.

use super::{Format, ResourceArgs, seed, whole};
use clap::{Args, ValueEnum};
use forebay::error::WrongValue;
use forebay_core::units::BufferSize;
use forebay_core::{Duration, Rate};
use forebay_traces::IpHeader;
use std::path::PathBuf;

/// Bytes of a full packet, by which a buffer in bytes becomes one in packets.
const PACKET_BYTES: u64 = 1_500;

#[derive(Debug, Args)]
pub(crate) struct AdviseArgs {
    /// A recording with TCP flows, pcap or pcapng; - is standard input
    pub(crate) recording: String,
    /// Rate of the bottleneck, like 20Mbps
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = Rate::parse)]
    pub(crate) rate: Rate,
    /// Buffer of the bottleneck, like 1000packets, or 1.5MB in packets of 1,500 bytes
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = packets)]
    pub(crate) buffer: u64,
    /// Compare these policies with fifo: sfq, drop-front, red-average, codel-marking, pfabric [default: all except pfabric,
    /// which no datapath can run]
    #[arg(long = "policy", value_name = "NAMES")]
    pub(crate) policies: Option<String>,
    /// Use only packets of the recording that match an expression like tcpdump's (docs/traces.md)
    #[arg(long, value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// Take addresses and ports of packets in tunnels from this IP header, outer, second or inner (docs/traces.md)
    #[arg(long, value_name = "HEADER", default_value_t = IpHeader::Outer)]
    pub(crate) ip_header: IpHeader,
    /// Direction of the recorded link that goes through the bottleneck
    #[arg(long, value_enum, default_value_t = LinkDirection::Main)]
    pub(crate) direction: LinkDirection,
    /// Round-trip time between addresses for which the recording shows none, like 40ms [default: the median of those it shows]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = Duration::parse)]
    pub(crate) round_trip: Option<Duration>,
    /// Send only flows that start within this time, like 60s [default: all, or as many of the first as run in a few minutes]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = Duration::parse)]
    pub(crate) duration: Option<Duration>,
    /// Delay the start of each flow by a random time up to this, drawn anew in each repetition
    #[arg(long, value_name = "TIME", default_value = "10ms", allow_negative_numbers = true, value_parser = Duration::parse)]
    pub(crate) jitter: Duration,
    /// Transport: a name, or a table of a scenario like '{ name = "newreno", sack = true }' [default: cubic, about as in Linux]
    #[arg(long, value_name = "TRANSPORT")]
    pub(crate) transport: Option<String>,
    /// Run everything this many times, with other random numbers
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = whole::<u64>(1..=10_000))]
    pub(crate) repetitions: u64,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
    /// Print this command as a scenario in TOML, for `forebay run`, and run nothing. With --out, write its policies, and a
    /// recording that is read from standard input
    #[arg(long)]
    pub(crate) print_scenario: bool,
    /// Write policies, scenario.toml, result.json, result.csv, summary.csv, manifest.json, plots (SVG) and every finished run
    /// into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write a report as one self-contained HTML page: scenario, table, interactive plots, warnings (docs/report.md)
    #[arg(long, value_name = "FILE.html", conflicts_with = "print_scenario")]
    pub(crate) report: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// A direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LinkDirection {
    /// The direction with more bytes of data
    Main,
    /// The other direction
    Other,
}

fn packets(text: &str) -> Result<u64, WrongValue> {
    match BufferSize::parse(text) {
        Ok(BufferSize::Packets(packets)) => Ok(packets),
        Ok(BufferSize::Bytes(bytes)) => Ok((bytes / PACKET_BYTES).max(1)),
        Err(error) => Err(error.to_string().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_packets() {
        for (text, size) in [("1000packets", 1_000), ("1 packets", 1), ("1.5MB", 1_000), ("10 B", 1)] {
            assert_eq!(packets(text), Ok(size), "{text}");
        }
        for text in ["", "0 packets", "-1 packets", "20", "5 ms"] {
            assert!(packets(text).is_err(), "{text}");
        }
    }
}
