//! Finds out which format a request trace has, and opens it.

use super::advice::refusal;
use super::foreign::foreign;
use super::format::{FORMATS, FormatEntry, Likeness, Start};
use super::{RequestReader, Spec};
use crate::error::TraceError;
use crate::pack::Packing;
use crate::read::{PACKET_FORMATS, PacketFormat};
use crate::unpack::Content;
use forebay_core::Params;
use forebay_core::registry::find;

/// What is known of a trace from outside.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The format and its options, like `twitter-csv:operations=all`; `None`: content and name decide.
    pub format: Option<Spec>,
}

/// Opens the request trace in a file called `name`.
///
/// # Errors
/// If it is of no known format, or its first bytes are wrong already.
pub fn open(
    content: Content<'static>,
    name: &str,
    options: &OpenOptions,
) -> Result<Box<dyn RequestReader>, TraceError> {
    let (entry, params) = match &options.format {
        Some(spec) => {
            let entry = find("format", FORMATS, &spec.name.to_lowercase())?;
            (entry, spec.params(entry.about.params).map_err(|error| TraceError::File(error.to_string()))?)
        }
        None => {
            let entry = recognise(&content, name)?;
            (entry, Params::defaults(entry.about.params))
        }
    };
    if content.start.is_empty() {
        return Err(TraceError::File("the file is empty".to_owned()));
    }
    (entry.open)(content.input, &params)
}

/// Whether a file that has been opened is a request trace and cannot be a packet trace.
#[must_use]
pub fn is_request_trace(content: &Content<'_>, name: &str) -> bool {
    PacketFormat::of_content(content).is_none() && recognise(content, name).is_ok()
}

/// Why a file is refused that is neither a packet trace nor a request trace.
#[must_use]
pub fn neither(content: &Content<'_>) -> TraceError {
    let start = Start::new(&content.start, content.is_whole());
    let refusal = refusal(&start);
    TraceError::File(match foreign(start.bytes()) {
        Some(_) => refusal,
        None => format!("{refusal}; as a trace of packets it is {PACKET_FORMATS}"),
    })
}

/// The format by content; where that cannot decide, by the name.
fn recognise(content: &Content<'_>, name: &str) -> Result<&'static FormatEntry, TraceError> {
    if content.start.is_empty() {
        return Err(TraceError::File("the file is empty".to_owned()));
    }
    if let Some(PacketFormat::PacketCsv | PacketFormat::FlowCsv) = PacketFormat::of_content(content) {
        let why = "this is a trace of packets or flows, not of requests; make a recording of it first, of which flows \
                   are the keys: forebay trace convert FILE FILE.pcap";
        return Err(TraceError::File(why.to_owned()));
    }
    let start = Start::new(&content.start, content.is_whole());
    let like = |wanted: Likeness| FORMATS.iter().find(|entry| (entry.recognise)(&start) == wanted);
    if let Some(entry) = like(Likeness::Yes) {
        return Ok(entry);
    }
    if foreign(start.bytes()).is_some() {
        return Err(TraceError::File(refusal(&start)));
    }
    // Binary formats without a mark: the name is all there is.
    if !start.is_text()
        && let Some(entry) = by_ending(name)
    {
        return Ok(entry);
    }
    like(Likeness::Maybe).ok_or_else(|| TraceError::File(refusal(&start)))
}

/// The binary format in whose manner a file is called.
fn by_ending(name: &str) -> Option<&'static FormatEntry> {
    let entry = super::write::by_ending(Packing::of_name(name).1)?;
    matches!(entry.about.name, "u32be" | "oracle-general").then_some(entry)
}
