//! `forebay trace`: describes, converts and generates traces.

use super::{trace_cut, trace_requests, trace_worst};
use crate::args::{
    FilterArgs, FlowArgs, Format, TraceArgs, TraceCommand, TraceConvertArgs, TraceGenArgs, TraceInfoArgs, TraceKind,
    TraceKindArgs,
};
use crate::atomic_write::{is_special, write_whole};
use crate::{Done, warn};
use forebay::document::Node;
use forebay::error::{Result, UserError};
use forebay::output::{csv, folder, table};
use forebay::port::PortScenario;
use forebay::question::{read_document, read_text};
use forebay::requests::{self, RequestTrace};
use forebay::scenario::Beside;
use forebay::scenario::trace_error;
use forebay_core::{Duration, Field, Fields, Packet, Rate};
use forebay_traces::packet_csv::write_packet_csv;
use forebay_traces::pcap_writer::write_pcap;
use forebay_traces::requests::{RequestReader, is_request_trace, neither};
use forebay_traces::{Content, IpHeader, PacketFormat, ReadOptions, Summary, Trace, TraceError, read_content};
use std::path::Path;

pub(crate) fn run(args: &TraceArgs) -> Result<Done> {
    match &args.command {
        TraceCommand::Info(args) => info(args),
        TraceCommand::Convert(args) => convert(args),
        TraceCommand::Cut(args) => trace_cut::cut(args),
        TraceCommand::SplitDirections(args) => trace_cut::split(args),
        TraceCommand::Gen(args) => generate(args),
        TraceCommand::Worst(args) => trace_worst::run(args),
    }
}

/// A trace whose kind is known.
enum Opened {
    Packets(Content<'static>),
    Requests(RequestTrace, Box<dyn RequestReader>),
}

/// Opens a trace once, so that it may be a pipe. The output may also determine the kind.
fn open(path: &Path, kind: &TraceKindArgs, output_wants_requests: bool) -> Result<Opened> {
    let requests = RequestTrace::new(path, kind.format.format_in.as_ref())?;
    if requests.is_recipe() {
        if kind.kind == Some(TraceKind::Packets) {
            return Err(UserError::at(path.display(), "a recipe makes requests; leave out --as packets"));
        }
        let reader = requests.open()?;
        return Ok(Opened::Requests(requests, reader));
    }
    let content = requests.content()?;
    let is_known = PacketFormat::of_content(&content).is_some() || is_request_trace(&content, &requests.place());
    let is_said = kind.kind.is_some() || kind.format.format_in.is_some() || output_wants_requests;
    if !is_known && !is_said && !content.is_empty() {
        return Err(requests.error(neither(&content, &requests.place())));
    }
    let is_requests = kind.kind == Some(TraceKind::Requests)
        || kind.format.format_in.is_some()
        || output_wants_requests
        || is_request_trace(&content, &requests.place());
    if is_requests && kind.kind != Some(TraceKind::Packets) {
        let reader = requests.open_content(content)?;
        return Ok(Opened::Requests(requests, reader));
    }
    Ok(Opened::Packets(content))
}

fn read(path: &Path, content: Content<'static>, filter: &FilterArgs, flows: &FlowArgs) -> Result<Trace> {
    let (packet_bytes, access_rate) = (flows.packet_bytes, flows.access_rate);
    let options = ReadOptions { filter: filter.filter.clone(), ip_header: filter.ip_header, packet_bytes, access_rate };
    read_content(content, &options).map_err(|error| trace_error(&path.display().to_string(), error))
}

/// Rejects a filter for requests, which have no headers. A recording must be cut first.
fn refuse_filter(filter: &FilterArgs) -> Result<()> {
    if filter.filter.is_some() {
        return Err(UserError::argument(
            "filter",
            "is for the packets of a recording; for its requests, cut it first: forebay trace cut IN OUT --filter ...",
        ));
    }
    if filter.ip_header != IpHeader::Outer {
        return Err(UserError::argument(
            "ip-header",
            "is for the packets of a recording; for its requests, write --format-in pcap:ip-header=inner",
        ));
    }
    Ok(())
}

/// Rejects an output that is the trace itself.
pub(super) fn refuse_itself(from: &Path, to: &Path) -> Result<()> {
    match (from.canonicalize(), to.canonicalize()) {
        (Ok(own), Ok(other)) if own == other => {
            Err(UserError::at(to.display(), "this is the trace itself; write to another file"))
        }
        _ => Ok(()),
    }
}

fn info(args: &TraceInfoArgs) -> Result<Done> {
    let content = match open(&args.trace, &args.kind, false)? {
        Opened::Packets(content) => content,
        Opened::Requests(trace, reader) => {
            refuse_filter(&args.filter)?;
            return trace_requests::info(&trace, reader, args.format);
        }
    };
    let summary = Summary::of(&read(&args.trace, content, &args.filter, &args.flows)?);
    for warning in &summary.warnings {
        warn(&format!("{}: {warning}", args.trace.display()));
    }
    Ok(Done::ok(match args.format {
        Format::Json => folder::json(&summary)?,
        Format::Csv => csv::lines(
            &["class", "name", "packets", "bytes", "flows"],
            summary.classes.iter().map(|class| {
                let numbers = [class.packets, class.bytes, class.flows].map(|number| number.to_string());
                [vec![class.class.to_string(), class.name.clone()], numbers.to_vec()].concat()
            }),
        ),
        Format::Table => describe(&summary),
    }))
}

fn describe(summary: &Summary) -> String {
    let mut out = String::new();
    let mut line = |what: &str, value: String| out.push_str(&format!("{what:12}{value}\n"));
    line("packets", summary.packets.to_string());
    line("bytes", summary.bytes.to_string());
    line("duration", format!("{:.6} s", summary.duration_s));
    line("mean rate", summary.mean_rate_bps.map_or_else(|| "-".to_owned(), rate));
    // Packets that all arrive at one time have no rate.
    let peak = || format!("{} over {}", rate(summary.peak_rate_bps), Duration::from_secs_f64(summary.peak_window_s));
    line("peak rate", summary.mean_rate_bps.map_or_else(|| "-".to_owned(), |_| peak()));
    let share = summary.bytes_in_top_tenth_of_flows * 100.0;
    line("flows", format!("{}; the largest tenth has {share:.1} % of the bytes", summary.flows));
    let (min, mean, max) = (summary.min_packet_bytes, summary.mean_packet_bytes, summary.max_packet_bytes);
    line("packet size", format!("{min} to {max} bytes, mean {mean:.1}"));
    let header = ["class", "DSCP", "packets", "bytes", "flows"].map(str::to_owned).to_vec();
    let rows = summary.classes.iter().map(|class| {
        let numbers = [class.packets, class.bytes, class.flows].map(|number| number.to_string());
        [vec![class.name.clone(), class.class.to_string()], numbers.to_vec()].concat()
    });
    out + "\n" + &table::plain_table(header, rows.collect())
}

/// Three digits are enough for people.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rates are positive")]
fn rate(bps: f64) -> String {
    let digits = 10_f64.powf(bps.max(1.0).log10().floor() - 2.0);
    Rate::from_bits_per_second(((bps / digits).round() * digits) as u64)
        .map_or_else(|| "0 bps".to_owned(), |rate| rate.to_string())
}

fn convert(args: &TraceConvertArgs) -> Result<Done> {
    let wants_requests = args.to.is_some() || trace_requests::is_only_for_requests(&args.output);
    let opened = open(&args.trace, &args.kind, wants_requests)?;
    refuse_itself(&args.trace, &args.output)?;
    let content = match opened {
        Opened::Packets(content) => content,
        Opened::Requests(trace, reader) => {
            refuse_filter(&args.filter)?;
            return trace_requests::write(&trace, reader, &args.output, args.to.as_deref());
        }
    };
    let trace = read(&args.trace, content, &args.filter, &args.flows)?;
    for warning in &trace.warnings {
        warn(&format!("{}: {warning}", args.trace.display()));
    }
    write(&args.output, trace.fields, trace.packets.into_iter())
}

fn generate(args: &TraceGenArgs) -> Result<Done> {
    let recipe = if is_scenario(&args.scenario) { None } else { Some(RequestTrace::new(&args.scenario, None)?) };
    if let Some(recipe) = recipe.filter(RequestTrace::is_recipe) {
        if !args.set.is_empty() {
            return Err(UserError::new("--set is for scenarios; a recipe has its parameters after the colon"));
        }
        let recipe = match args.seed {
            Some(seed) => recipe.with_seed(seed),
            None => recipe,
        };
        return trace_requests::write(&recipe, recipe.open()?, &args.output, args.to.as_deref());
    }
    if args.to.is_some() {
        return Err(UserError::new("--to is for requests; the packets of a scenario are written as .csv or .pcap"));
    }
    let text = read_text(&args.scenario)?;
    let (document, name) = read_document(&args.scenario, &text, &args.set)?;
    let scenario = PortScenario::read(&document, &name, args.seed, &Beside(&args.scenario))?;
    let mut source = scenario.only_setting()?.traffic.open(scenario.seed_of(0));
    let fields = source.fields();
    write(&args.output, fields, std::iter::from_fn(|| source.next_packet()))
}

/// Whether the path is a file in TOML that is not a recipe.
fn is_scenario(path: &Path) -> bool {
    let is_recipe = |text: &str| Node::parse("", text).is_ok_and(|document| requests::is_recipe(&document));
    path.extension().is_some_and(|extension| extension == "toml") && read_text(path).is_ok_and(|text| !is_recipe(&text))
}

/// Writes packets in the format of the file's extension.
fn write(path: &Path, fields: Fields, packets: impl Iterator<Item = Packet>) -> Result<Done> {
    enum Output {
        Csv,
        Pcap,
    }
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Output::Csv,
        Some("pcap") => Output::Pcap,
        _ => return Err(UserError::at(path.display(), "the name must end in .csv (packet CSV) or .pcap")),
    };
    let count = write_whole(path, |mut file| {
        let written = match format {
            Output::Csv => write_packet_csv(packets, fields, file),
            Output::Pcap => {
                let lost: Vec<_> = Field::ALL
                    .into_iter()
                    .filter(|&field| fields.contains(field) && field != Field::RemainingBytes)
                    .map(Field::name)
                    .collect();
                if !lost.is_empty() {
                    let lost = lost.join(", ");
                    warn(&format!("{}: a pcap has no field for {lost}; the copy is without", path.display()));
                }
                write_pcap(packets, &mut file)
            }
        };
        written.map_err(|error| write_error(path, error))
    })?;
    Ok(said(path, count, "packets"))
}

/// The error of a trace that is written, or of writing it.
pub(super) fn write_error(path: &Path, error: TraceError) -> UserError {
    match error {
        TraceError::Io(error) => UserError::io(path, "written", &error),
        other => UserError::at(path.display(), other.to_string()),
    }
}

/// The message after a trace is written. It is empty if the output may be standard output.
pub(super) fn said(path: &Path, count: u64, what: &str) -> Done {
    Done::ok(if is_special(path) { String::new() } else { format!("{}: {count} {what}\n", path.display()) })
}
