//! The arguments of the commands about caches.

use super::FormatArgs;
use super::{Format, ResourceArgs, seed, whole};
use clap::{Args, ValueEnum};
use forebay::caching::{CapacitySpec, LatencySpec, List, Pair};
use forebay::error::WrongValue;
use forebay_cache::Choice;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    /// Request traces, or recipes of them like zipf:objects=1e4 (docs/traces.md)
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: FormatArgs,
    /// Policies like lru,lru-mad(sample=16): -mad selects the MAD form, and an admission rule like -tinylfu may follow
    /// [default: all suitable policies that do not scan all entries for each victim]
    #[arg(long, value_name = "NAMES")]
    pub(crate) policy: Option<List<Choice>>,
    /// Capacities: entries, or shares of all objects (5%) or of those active at one time (5%active). With --sizes bytes: bytes
    /// like 64MB, or shares of the bytes of all objects [default: 5%active; with --sizes bytes 5%]
    #[arg(long, value_name = "SIZES", allow_negative_numbers = true)]
    pub(crate) capacity: Option<List<CapacitySpec>>,
    /// Latencies of a fetch: slots (100) or times (5ms); origins(68ms,103ms), objects(FILE), exponential(5ms),
    /// lognormal(5ms,0.5), uniform(1ms,9ms), size(5ms,1Gbps), slow-start(rtt=20ms,rate=100Mbps); or measured, for those in the
    /// trace
    #[arg(long, value_name = "LATENCIES", allow_negative_numbers = true)]
    pub(crate) latency: List<LatencySpec>,
    #[command(flatten)]
    pub(crate) model: CacheModelArgs,
    #[command(flatten)]
    pub(crate) service: ServiceArgs,
    /// Report what changes for each object if the second policy replaces the first, e.g. lru,lru-mad
    #[arg(long, value_name = "BEFORE,AFTER")]
    pub(crate) attribute: Option<Pair>,
    /// Compare policies object by object: count, for each pair, the objects for which one has a lower latency
    #[arg(long)]
    pub(crate) pairwise: bool,
    /// With --pairwise: compare policies user by user as well. FORMAT reads the trace so that its keys are the users:
    /// columns:key=client, pcap:key=source
    #[arg(long, value_name = "FORMAT", requires = "pairwise")]
    pub(crate) users: Option<String>,
    /// Compare the aggregate delays that MAD forms estimate with the actual ones: coefficients of Pearson and Spearman
    #[arg(long)]
    pub(crate) estimates: bool,
    /// Report how far each policy is from the lowest possible latency, by certified bounds (forebay bound)
    #[arg(long)]
    pub(crate) bound: bool,
    /// Approximate CPU time for each bound, in seconds; more time brings the bounds closer
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, requires = "bound", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) bound_seconds: f64,
    /// Write detail tables into the folder of --out, as CSV and Parquet (docs/result.md). `requests` has a row for each request
    /// under each policy: time, object, size, outcome, latency. `schedule` has a row for each request under the best schedule
    /// of --bound
    #[arg(long, value_enum, value_name = "TABLES", value_delimiter = ',', requires = "out")]
    pub(crate) record: Vec<RecordedOfCaches>,
    /// Play the schedule of this file (schedule.csv of --record schedule) beside the policies; results call it `(schedule)`
    #[arg(long, value_name = "FILE")]
    pub(crate) schedule: Option<String>,
    #[command(flatten)]
    pub(crate) run: CacheRunArgs,
}

/// How requests are served, apart from fetches.
#[derive(Debug, Args)]
pub(crate) struct ServiceArgs {
    /// Latency of a hit, the lowest latency of a request: slots (2) or a time (200us) [default: 0]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) hit_latency: Option<String>,
    /// Time between the completions of requests that waited for one fetch: slots (1) or a time (5us) [default: all at once]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) release_interval: Option<String>,
    /// Number of fetches that each origin serves at a time; others wait in order [default: all]
    #[arg(long, value_name = "FETCHES", allow_negative_numbers = true, value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) parallel: Option<u64>,
    /// How long an object may be used after its fetch: slots (1000), a time (3600s), or `trace` for the value in the trace
    /// [default: for ever]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub(crate) ttl: Option<String>,
    /// Prefetchers, which fetch objects before they are requested: none,next,markov(degree=2),window(ahead=1000) (forebay list
    /// prefetchers) [default: none]
    #[arg(long, value_name = "NAMES")]
    pub(crate) prefetch: Option<List<String>>,
}

impl ServiceArgs {
    /// Whether a sample of the objects would not stand for all.
    pub(crate) fn refuses_samples(&self) -> bool {
        self.hit_latency.is_some() || self.parallel.is_some() || self.prefetch.is_some()
    }
}

/// The detail tables that caches can record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordedOfCaches {
    /// A row for each request
    Requests,
    /// A row for each request under the best schedule found
    Schedule,
}

/// The detail tables that searches for bounds can record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordedOfBounds {
    /// A row for each request under the best schedule found
    Schedule,
}

#[derive(Debug, Args)]
pub(crate) struct CurveArgs {
    /// A request trace, or a recipe of one like zipf:objects=1e4 (docs/traces.md)
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) reading: FormatArgs,
    /// Policies, with -mad for the MAD form and parameters in brackets: lru,lru-mad(sample=16),belady
    #[arg(long, value_name = "NAMES", default_value = "lru,lru-mad,s3-fifo,w-tinylfu")]
    pub(crate) policy: List<Choice>,
    /// Capacities [default: as many as --points says, from one thousandth of all objects to all]
    #[arg(long, value_name = "SIZES", allow_negative_numbers = true)]
    pub(crate) capacity: Option<List<CapacitySpec>>,
    /// Number of capacities, if none are given
    #[arg(long, value_name = "N", default_value_t = 16, allow_negative_numbers = true, value_parser = whole::<u32>(2..=1_000))]
    pub(crate) points: u32,
    /// Latencies of a fetch, as for `forebay cache`
    #[arg(long, value_name = "LATENCIES", allow_negative_numbers = true)]
    pub(crate) latency: List<LatencySpec>,
    #[command(flatten)]
    pub(crate) model: CacheModelArgs,
    #[command(flatten)]
    pub(crate) run: CacheRunArgs,
}

fn share(text: &str) -> Result<f64, WrongValue> {
    let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    number
        .filter(|percent| *percent > 0.0 && *percent <= 100.0)
        .map(|percent| percent / 100.0)
        .ok_or_else(|| format!("`{text}` is not a share; write a percentage above 0 % and up to 100 %, like 5%").into())
}

fn seconds(text: &str) -> Result<f64, WrongValue> {
    let seconds = text.trim().parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| format!("`{text}` must be a number of seconds, 0 or more").into())
}

fn ways(text: &str) -> Result<u64, WrongValue> {
    let ways = text.parse().ok().filter(|ways| *ways > 0);
    ways.ok_or_else(|| format!("`{text}` must be a number of entries, 1 or more").into())
}

fn requests(text: &str) -> Result<u64, WrongValue> {
    text.replace('_', "").parse().map_err(|_| format!("`{text}` must be a number of requests, 0 or more").into())
}

fn percent(text: &str) -> Result<f64, WrongValue> {
    let percent = text.trim().parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| format!("`{text}` must be a percentage from 0 to 100").into())
}

#[derive(Debug, Args)]
pub(crate) struct BoundArgs {
    /// A request trace, or a recipe of one like zipf:objects=1e4 (docs/traces.md)
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) reading: FormatArgs,
    /// The capacity: entries, or bytes with --sizes bytes; or a share, as for `forebay cache`
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(crate) capacity: CapacitySpec,
    /// The latency of a fetch: slots (100), a time (5ms), or origins(68ms,103ms)
    #[arg(long, value_name = "LATENCY", allow_negative_numbers = true)]
    pub(crate) latency: LatencySpec,
    /// Space that an object takes: one entry, or its bytes
    #[arg(long, value_enum, default_value_t = Sizes::Unit)]
    pub(crate) sizes: Sizes,
    /// Stop when the gap between the bounds is at most this, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.1, allow_negative_numbers = true, value_parser = percent)]
    pub(crate) gap: f64,
    /// Solve the exact linear programme as well: for small traces, in a forebay built with HiGHS (--features exact)
    #[arg(long)]
    pub(crate) exact: bool,
    /// Steps of the search; more bring the bounds closer
    #[arg(long, value_name = "N", default_value_t = 600, allow_negative_numbers = true, value_parser = whole::<u32>(1..=u32::MAX.into()))]
    pub(crate) iterations: u32,
    /// Limit the search to the steps that take about this many seconds of CPU time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Write schedule.csv and schedule.parquet into the folder of --out (docs/belatedly.md). They have a row for each request
    /// under the best schedule found: time, object, size, outcome, latency, and whether the object stays
    #[arg(long, value_enum, value_name = "TABLE", requires = "out")]
    pub(crate) record: Option<RecordedOfBounds>,
    /// Write a certificate of the lower bound, which `forebay verify` checks without the search (docs/belatedly.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "repeat"])]
    pub(crate) certificate: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: CacheRunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// A certificate, as `forebay bound --certificate` writes it
    pub(crate) certificate: PathBuf,
    /// The trace of the search, or its recipe
    pub(crate) trace: PathBuf,
    #[command(flatten)]
    pub(crate) reading: FormatArgs,
}

/// How a cache is modelled.
#[derive(Debug, Args)]
pub(crate) struct CacheModelArgs {
    /// Model of fetches
    #[arg(long, value_enum, default_value_t = CacheModel::Both)]
    pub(crate) model: CacheModel,
    /// Space that an object takes: one entry, or its bytes
    #[arg(long, value_enum, default_value_t = Sizes::Unit)]
    pub(crate) sizes: Sizes,
    /// With --sizes bytes: outcome of a request that finds its object with another size [default: hit]
    #[arg(long, value_enum)]
    pub(crate) size_change: Option<SizeChanges>,
    /// Divide the cache into sets of this many entries [default: one set]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ways)]
    pub(crate) ways: Option<u64>,
    /// Play only this many requests, from the start of the trace [default: all]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=i64::MAX as u64))]
    pub(crate) requests: Option<u64>,
    /// Play this many requests at the start without counting them
    #[arg(long, value_name = "REQUESTS", default_value_t = 0, allow_negative_numbers = true, value_parser = requests)]
    pub(crate) warmup: u64,
    /// Play only a share of the objects, chosen by a hash, in caches that shrink by the same factor. 5% takes a twentieth of
    /// the time and is not exact (docs/caches.md) [default: 100%; less for `forebay cache`, if a trace has more than 5 million
    /// requests]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    pub(crate) sample: Option<f64>,
}

/// How a scenario of caches is run and printed.
#[derive(Debug, Args)]
pub(crate) struct CacheRunArgs {
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = seed())]
    pub(crate) seed: u64,
    /// Run everything this many times, with other traces from a recipe, other samples of keys and other random numbers; results
    /// then have confidence intervals [default: once]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=100_000))]
    pub(crate) repeat: Option<u64>,
    /// Print this command as a scenario in TOML, for `forebay run`, and run nothing
    #[arg(long)]
    pub(crate) print_scenario: bool,
    /// Write result.json, result.csv, summary.csv, manifest.json, plots (SVG) and every finished run into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write a report as one self-contained HTML page: scenario, table, interactive plots, warnings (docs/report.md)
    #[arg(long, value_name = "FILE.html", conflicts_with = "print_scenario")]
    pub(crate) report: Option<PathBuf>,
    /// Compare the other policies with this one, repetition by repetition: in the table, in summary.csv and in the report
    #[arg(long, value_name = "POLICY")]
    pub(crate) baseline: Option<String>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}

/// How fetches are modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheModel {
    /// Both models, side by side
    Both,
    /// A fetch takes time; requests for an object in flight wait for the rest of it
    Delayed,
    /// A fetch takes no time: a missed object is in the cache at once
    Classical,
}

/// The outcome of a request that finds its object with another size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeChanges {
    /// A hit; the object keeps its size
    Hit,
    /// A miss that replaces the object
    Miss,
    /// A hit that updates the size of the object
    Update,
}

/// The space that an object takes in a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sizes {
    /// One entry
    Unit,
    /// Its bytes
    Bytes,
}
