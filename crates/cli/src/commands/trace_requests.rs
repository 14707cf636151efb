//! `forebay trace` for traces of requests.

use super::trace::{said, write_error};
use crate::args::Format;
use crate::atomic_write::write_whole;
use crate::{Done, warn};
use forebay::error::{Result, UserError};
use forebay::output::{csv, folder};
use forebay::requests::RequestTrace;
use forebay_traces::TraceError;
use forebay_traces::pack::Packed;
use forebay_traces::requests::{self, Collector, NotWritten, RequestReader, Statistics, format_for};
use serde_json::Value;
use std::io::BufWriter;
use std::path::Path;

/// Number of requests that are read at once.
const CHUNK: usize = 1 << 14;
/// Number of bytes that are written at once.
const BUFFER_BYTES: usize = 1 << 16;

/// Whether a file of this name has requests, and never packets.
pub(super) fn is_only_for_requests(output: &Path) -> bool {
    let name = output.to_string_lossy();
    let may_have_packets = [".csv", ".pcap"].iter().any(|ending| name.ends_with(ending));
    !may_have_packets && format_for(&name, None).is_ok()
}

/// Writes a trace in the format `to`, or as the name of the file asks.
pub(super) fn write(
    trace: &RequestTrace,
    mut reader: Box<dyn RequestReader>,
    output: &Path,
    to: Option<&str>,
) -> Result<Done> {
    let count = write_from(&mut *reader, output, to, &|error| trace.error(error))?;
    for warning in reader.warnings() {
        warn(&format!("{}: {warning}", trace.place()));
    }
    Ok(said(output, count, "requests"))
}

/// Writes the requests of a reader and warns of lost information. Returns the number of requests.
pub(super) fn write_from(
    reader: &mut dyn RequestReader,
    output: &Path,
    to: Option<&str>,
    wrong: &dyn Fn(TraceError) -> UserError,
) -> Result<u64> {
    let place = output.display();
    let (format, packing) =
        format_for(&output.to_string_lossy(), to).map_err(|error| UserError::at(&place, error.to_string()))?;
    let (count, lost) = write_whole(output, |file| {
        let failed = |error| UserError::io(output, "written", &error);
        // Compression is faster with large pieces.
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, Packed::new(file, packing).map_err(failed)?);
        let written = requests::write(reader, format, &mut file).map_err(|error| match error {
            NotWritten::Read(error) => wrong(error),
            NotWritten::Write(error) => write_error(output, error),
        })?;
        let packed = file.into_inner().map_err(|error| failed(error.into_error()))?;
        packed.finish().map_err(failed)?;
        Ok(written)
    })?;
    for lost in lost {
        warn(&format!("{place}: {lost} ({} cannot hold them)", format.about.name));
    }
    Ok(count)
}

/// Describes a trace.
pub(super) fn info(trace: &RequestTrace, mut reader: Box<dyn RequestReader>, format: Format) -> Result<Done> {
    let mut collector = Collector::default();
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        let more = reader.fill(&mut chunk, CHUNK).map_err(|error| trace.error(error))?;
        collector.add(&chunk);
        if !more {
            break;
        }
    }
    for warning in reader.warnings() {
        warn(&format!("{}: {warning}", trace.place()));
    }
    let statistics = collector.finish(reader.facts());
    Ok(Done::ok(match format {
        Format::Json => folder::json(&statistics)?,
        Format::Csv => csv::lines(&["quantity", "value"], quantities(&statistics)?.into_iter()),
        Format::Table => describe(&statistics),
    }))
}

/// Names and values, by the names of the JSON.
fn quantities(statistics: &Statistics) -> Result<Vec<Vec<String>>> {
    let value = serde_json::to_value(statistics)
        .map_err(|error| UserError::new(format!("the result cannot be written: {error}")))?;
    let mut rows = Vec::new();
    flatten("", &value, &mut rows);
    Ok(rows)
}

fn flatten(name: &str, value: &Value, rows: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(&name, value, rows);
            }
        }
        Value::Null => rows.push(vec![name.to_owned(), String::new()]),
        Value::String(text) => rows.push(vec![name.to_owned(), text.clone()]),
        other => rows.push(vec![name.to_owned(), other.to_string()]),
    }
}

fn describe(all: &Statistics) -> String {
    let mut out = String::new();
    let mut line = |what: &str, value: String| out.push_str(&format!("{what:17}{value}\n"));
    let slots = all.clock == "slots";
    line("format", all.format.to_owned());
    line("requests", all.requests.to_string());
    let once = 100.0 * all.one_hit_wonders as f64 / all.objects.max(1) as f64;
    line("objects", format!("{}; {} of them ({once:.1} %) are requested once", all.objects, all.one_hit_wonders));
    if slots {
        line("span", format!("{} slots", all.span_ticks.saturating_add(1)));
        if let Some(share) = all.requests_per_tick {
            line("occupancy", format!("{:.1} % of the slots", 100.0 * share));
        }
        line("mean gap", format!("{:.3} slots between requests", all.mean_gap_ticks));
    } else {
        line("span", format!("{:.6} s", all.span_ticks as f64 / 1e9));
        if let Some(rate) = all.requests_per_second {
            line("request rate", format!("{rate:.1} per second"));
        }
        line("mean gap", format!("{:.3} us between requests", all.mean_gap_ticks / 1e3));
    }
    if let Some(sizes) = &all.size_bytes {
        let (min, mean, max) = (sizes.min, sizes.mean, sizes.max);
        line("size", format!("{min} to {max} bytes, mean {mean:.1}; all objects {} bytes", sizes.all_objects));
        if sizes.changes > 0 {
            line("size changes", format!("{} requests give their object another size than it had", sizes.changes));
        }
    }
    let (one, ten) = (100.0 * all.share_of_top_1_percent, 100.0 * all.share_of_top_10_percent);
    line("popularity", format!("the top 1 % of objects have {one:.1} % of the requests, the top 10 % {ten:.1} %"));
    line("active objects", format!("at most {} between their first and last request", all.most_active_objects));
    let burstiness = all.burstiness.map_or_else(
        || "no object is requested three times".to_owned(),
        |mean| {
            let of = all.objects_with_burstiness;
            format!("{mean:.3} in the mean of {of} objects (-1 regular, 0 Poisson, 1 bursts)")
        },
    );
    line("burstiness", burstiness);
    out
}
