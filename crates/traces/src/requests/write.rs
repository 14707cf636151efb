//! Writes request traces, and reports the facts that the format cannot keep.

use super::format::{FORMATS, FormatEntry, Kept, WriterEntry};
use super::{Facts, RequestReader};
use crate::error::TraceError;
use crate::pack::Packing;
use forebay_core::Clock;
use forebay_core::registry::{UnknownName, find};
use std::io::Write;

/// Written at once.
const CHUNK: usize = 1 << 14;

/// The reasons why a trace was not written.
#[derive(Debug)]
pub enum NotWritten {
    /// The trace that is read is wrong.
    Read(TraceError),
    /// The format has no place for a request, or writing failed.
    Write(TraceError),
}

/// Writes a whole trace; returns the number of requests and the facts that were lost.
///
/// # Errors
/// If the trace is wrong, the format has no place for a request, or writing fails.
pub fn write(
    reader: &mut dyn RequestReader,
    format: &FormatEntry,
    out: &mut dyn Write,
) -> Result<(u64, Vec<String>), NotWritten> {
    let facts = reader.facts();
    let entry = writer_of(format).map_err(|error| NotWritten::Write(TraceError::File(error.to_string())))?;
    let mut writer = (entry.open)(facts);
    let mut seen = Seen { requests: 0, sizes: false, gaps: false };
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        chunk.clear();
        let more = reader.fill(&mut chunk, CHUNK).map_err(NotWritten::Read)?;
        for request in &chunk {
            seen.gaps |= request.time != seen.requests;
            seen.sizes |= request.size != 1;
            seen.requests += 1;
        }
        writer.write(&chunk, out).map_err(NotWritten::Write)?;
        if !more {
            break;
        }
    }
    writer.finish(out).map_err(NotWritten::Write)?;
    let mut lost = lost(entry, facts, &seen);
    if reader.links().is_some() {
        lost.push(NO_CHAINS.to_owned());
    }
    Ok((seen.requests, lost))
}

/// No format that can be written says which request follows which.
const NO_CHAINS: &str = "this format cannot hold which request follows which: requests that follow others are written with the earliest \
                         times that they can have";

fn writer_of(format: &FormatEntry) -> Result<&WriterEntry, NoFormat> {
    format.writer.as_ref().ok_or_else(|| {
        let written = FORMATS.iter().filter(|entry| entry.writer.is_some()).map(|entry| entry.about.name);
        NoFormat::OnlyRead { name: format.about.name, written: written.collect::<Vec<_>>().join(", ") }
    })
}

/// The facts of a trace that a format may not be able to keep.
struct Seen {
    requests: u64,
    /// A size other than 1.
    sizes: bool,
    /// A slot without a request.
    gaps: bool,
}

fn lost(entry: &WriterEntry, facts: Facts, seen: &Seen) -> Vec<String> {
    let times = match facts.clock {
        Clock::Nanoseconds => match entry.nanoseconds {
            Kept::Exactly => None,
            Kept::Seconds => Some("times are cut to whole seconds"),
            Kept::Order => Some("times are left out: each request has the slot after the one before"),
        },
        Clock::Slots => match entry.slots {
            Kept::Exactly => None,
            Kept::Seconds => Some("slots are written as seconds"),
            Kept::Order => seen.gaps.then_some("this format leaves slots without a request out"),
        },
    };
    let sizes = (seen.sizes && !entry.sizes).then_some("sizes are left out");
    times.into_iter().chain(sizes).map(str::to_owned).collect()
}

/// The reasons why a trace cannot be written in the format that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFormat {
    /// There is no such format.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// No format is asked for, and the file's name does not say one.
    #[error("the name must end in one of {known}, perhaps followed by .xz, .zst or .gz; or name the format with --to")]
    Ending {
        /// The endings of all formats that can be written.
        known: String,
    },
    /// The format can be read only.
    #[error("{name} cannot be written; write one of {written}")]
    OnlyRead {
        /// The format.
        name: &'static str,
        /// The formats that can be written.
        written: String,
    },
}

/// Returns the format to write, by the name `wanted` or by the ending of the file's name, and the compression.
///
/// # Errors If there is no such format, or no format has this ending.
pub fn format_for(file: &str, wanted: Option<&str>) -> Result<(&'static FormatEntry, Packing), NoFormat> {
    let (packing, rest) = Packing::of_name(file);
    let entry = match wanted {
        Some(name) => find("format", FORMATS, &name.to_lowercase())?,
        None => by_ending(rest).filter(|entry| entry.writer.is_some()).ok_or_else(|| {
            let endings: Vec<String> = FORMATS
                .iter()
                .filter(|entry| entry.writer.is_some())
                .flat_map(|entry| entry.endings.iter().map(|ending| format!(".{ending} ({})", entry.about.name)))
                .collect();
            NoFormat::Ending { known: endings.join(", ") }
        })?,
    };
    writer_of(entry)?;
    Ok((entry, packing))
}

/// Returns the format that has the ending of a file's name.
pub(crate) fn by_ending(name: &str) -> Option<&'static FormatEntry> {
    let name = name.to_lowercase();
    let ends = |ending: &&str| name.strip_suffix(*ending).is_some_and(|rest| rest.ends_with('.'));
    FORMATS.iter().find(|entry| entry.endings.iter().any(ends))
}
