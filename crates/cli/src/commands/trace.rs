//! `forebay trace info|convert|gen`.

use crate::args::{FlowArgs, Format, TraceArgs, TraceCommand, TraceConvertArgs, TraceGenArgs, TraceInfoArgs};
use crate::commands::run::{read_scenario, read_text};
use crate::error::{Result, UserError};
use crate::output::{csv, folder, table};
use crate::scenario::read_trace_file;
use crate::{Done, warn};
use forebay_core::{Duration, Field, Fields, Packet, Rate};
use forebay_traces::packet_csv::write_packet_csv;
use forebay_traces::pcap_writer::write_pcap;
use forebay_traces::{ReadOptions, Summary, Trace, TraceError};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

pub(crate) fn run(args: &TraceArgs) -> Result<Done> {
    match &args.command {
        TraceCommand::Info(args) => info(args),
        TraceCommand::Convert(args) => convert(args),
        TraceCommand::Gen(args) => generate(args),
    }
}

fn read(path: &Path, flows: &FlowArgs) -> Result<Trace> {
    let file = File::open(path).map_err(|error| UserError::io(path, "opened", &error))?;
    let options = ReadOptions { packet_bytes: flows.packet_bytes, access_rate: flows.access_rate };
    read_trace_file(&path.display().to_string(), file, &options)
}

fn info(args: &TraceInfoArgs) -> Result<Done> {
    let summary = Summary::of(&read(&args.trace, &args.flows)?);
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
    line(
        "peak rate",
        format!("{} over {}", rate(summary.peak_rate_bps), Duration::from_secs_f64(summary.peak_window_s)),
    );
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
    let trace = read(&args.trace, &args.flows)?;
    for warning in &trace.warnings {
        warn(&format!("{}: {warning}", args.trace.display()));
    }
    if let (Ok(from), Ok(to)) = (args.trace.canonicalize(), args.output.canonicalize())
        && from == to
    {
        return Err(UserError::at(args.output.display(), "this is the trace itself; write to another file"));
    }
    write(&args.output, trace.fields, trace.packets.into_iter())
}

fn generate(args: &TraceGenArgs) -> Result<Done> {
    let text = read_text(&args.scenario)?;
    let scenario = read_scenario(&args.scenario, &text, &args.set, args.seed)?;
    let mut source = scenario.traffic.open(scenario.seed);
    let fields = source.fields();
    write(&args.output, fields, std::iter::from_fn(|| source.next_packet()))
}

/// Writes packets in the format that the file's name asks for.
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
    // What is cut short must not look whole: it gets its name when it is complete.
    let partial = path.with_added_extension("partial");
    let file = File::create(&partial).map_err(|error| UserError::io(path, "written", &error))?;
    let mut file = BufWriter::new(file);
    let written = match format {
        Output::Csv => write_packet_csv(packets, fields, file),
        Output::Pcap => {
            let lost: Vec<_> = Field::ALL
                .into_iter()
                .filter(|&field| fields.contains(field) && field != Field::RemainingBytes)
                .map(Field::name)
                .collect();
            if !lost.is_empty() {
                warn(&format!("{}: a pcap has no place for {}; they are left out", path.display(), lost.join(", ")));
            }
            write_pcap(packets, &mut file)
        }
    };
    let count = written.map_err(|error| {
        // If it cannot be removed, its name says what it is.
        let _still_there = std::fs::remove_file(&partial);
        match error {
            TraceError::Io(error) => UserError::io(path, "written", &error),
            other => UserError::at(path.display(), other.to_string()),
        }
    })?;
    std::fs::rename(&partial, path).map_err(|error| UserError::io(path, "written", &error))?;
    Ok(Done::ok(format!("{}: {count} packets\n", path.display())))
}
