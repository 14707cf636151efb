//! Determines the format of a request trace, and opens it.

use super::advice::refusal;
use super::foreign_files::foreign;
use super::format::{FORMATS, FormatEntry, Likeness, Start};
use super::key::shown;
use super::{RequestReader, Spec};
use crate::error::TraceError;
use crate::pack::Packing;
use crate::read::{PACKET_FORMATS, PacketFormat};
use crate::unpack::Content;
use forebay_core::Params;
use forebay_core::registry::find;
use std::collections::BTreeSet;

/// Options for opening a trace.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The format and its options, like `twitter-csv:operations=all`; `None` if content and name decide.
    pub format: Option<Spec>,
}

/// Opens the request trace in a file called `name`.
///
/// # Errors If the file has no known format, or its first bytes are already wrong.
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

/// Returns whether a file that has been opened is a request trace and cannot be a packet trace.
#[must_use]
pub fn is_request_trace(content: &Content<'_>, name: &str) -> bool {
    PacketFormat::of_content(content).is_none() && recognise(content, name).is_ok()
}

/// Returns the reason for rejecting a file called `name`, which is neither a packet trace nor a request trace.
#[must_use]
pub fn neither(content: &Content<'_>, name: &str) -> TraceError {
    let start = Start::new(&content.start, content.is_whole());
    let refusal = refusal(&start);
    match recognise(content, name) {
        Err(TraceError::File(message)) if message != refusal => TraceError::File(message),
        _ if foreign(start.bytes()).is_some() => TraceError::File(refusal),
        _ => TraceError::File(format!("{refusal}; as a trace of packets it is {PACKET_FORMATS}")),
    }
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
    let end = end_of(content, &start);
    let end = end.as_deref().map(|end| Start::new(end, true));
    let likenesses: Vec<(&FormatEntry, Likeness, Likeness)> = FORMATS
        .iter()
        .map(|entry| {
            let at_start = (entry.recognise)(&start);
            let at_end = end.as_ref().filter(|_| at_start != Likeness::No).map(|end| (entry.recognise)(end));
            (entry, at_start, at_end.map_or(at_start, |at_end| at_end.min(at_start)))
        })
        .collect();
    let alike =
        |wanted: Likeness| likenesses.iter().filter(move |(.., found)| *found == wanted).map(|(entry, ..)| *entry);
    let like = |wanted: Likeness| alike(wanted).next();
    let fitting: Vec<&FormatEntry> = alike(Likeness::Fits).collect();
    match (like(Likeness::Yes), &fitting[..]) {
        (Some(entry), []) => return Ok(entry),
        (Some(entry), _) => return Err(TraceError::File(say_which(std::iter::once(entry).chain(fitting)))),
        (None, [_, _, ..]) => return Err(TraceError::File(say_which(fitting.into_iter()))),
        (None, _) => {}
    }
    if foreign(start.bytes()).is_some() {
        return Err(TraceError::File(refusal(&start)));
    }
    // Binary formats without a mark: the name is all there is.
    if !start.is_text()
        && let Some(entry) = by_ending(name)
    {
        let is_said = Packing::of_name(name).1.to_lowercase().ends_with(".u32be");
        if let Some(longer) = longer_keys(&content.start).filter(|_| entry.about.name == "u32be" && !is_said) {
            let fits = "these may be keys of 32 bits, or half as many keys of 64: every other word hardly changes or is far below its \
                        neighbour, or words occur in pairs";
            let fix = format!("say --format-in u32be or --format-in {longer} (in a scenario: `format`)");
            return Err(TraceError::File(format!("{fits}; {fix}")));
        }
        return Ok(entry);
    }
    if let Some(entry) = like(Likeness::Maybe) {
        return Ok(entry);
    }
    let begins_so = likenesses.iter().find(|(_, at_start, found)| found < at_start && *found == Likeness::No);
    Err(TraceError::File(match begins_so {
        Some((entry, ..)) => ends_otherwise(entry, &content.end),
        None => refusal(&start),
    }))
}

/// The maximum number of bytes for the names of columns, and for other text at the start of a file.
const HEAD_BYTES: usize = 4_096;

/// The end of a text as a file of its own, with the first lines.
fn end_of(content: &Content<'_>, start: &Start<'_>) -> Option<Vec<u8>> {
    start.line().filter(|_| !content.end.is_empty())?;
    let head = &content.start[..content.start.len().min(HEAD_BYTES)];
    let whole = memchr::memrchr(b'\n', head).or_else(|| memchr::memchr(b'\n', &content.start))?;
    Some([&content.start[..=whole], &content.end].concat())
}

/// Why a file is rejected that begins in a format and does not end in it.
fn ends_otherwise(entry: &FormatEntry, end: &[u8]) -> String {
    let last = end.trim_ascii_end();
    let line = &last[memchr::memrchr(b'\n', last).map_or(0, |at| at + 1)..];
    format!(
        "the file begins as {0} but does not end so: its last line is `{1}`; if all of it is {0}, say --format-in {0} (in a \
         scenario: `format`); otherwise split it into one file for each format",
        entry.about.name,
        shown(line.trim_ascii_end())
    )
}

/// Why a file that fits several formats is rejected.
fn say_which<'a>(fitting: impl Iterator<Item = &'a FormatEntry>) -> String {
    let options: Vec<String> = fitting.map(|entry| format!("--format-in {}", entry.about.name)).collect();
    format!("this text fits several formats; say {} (in a scenario: `format`)", options.join(" or "))
}

/// The binary format in whose manner a file is called.
fn by_ending(name: &str) -> Option<&'static FormatEntry> {
    let entry = super::write::by_ending(Packing::of_name(name).1)?;
    matches!(entry.about.name, "u32be" | "u64be" | "u64le" | "oracle-general").then_some(entry)
}

/// Pairs of 32-bit words that are looked at.
const PAIRS: usize = 4_096;
/// Fewer say nothing.
const FEWEST_PAIRS: usize = 8;
/// Fewer say nothing of which word of a pair is the lesser one.
const FEWEST_COMPARED: usize = 32;

/// A number that is large for a count, and that the greatest of a few hashes exceeds, also without a sign bit.
const HASH: u32 = 1 << 30;

/// The format of 64-bit keys that a binary file may have. There are three signs. Every other word takes few values compared with the words
/// between, like the upper halves of numbers. Or the same one of two words is far below the other in most pairs, like that of numbers below
/// 2^60. Or large words occur in the same pairs again and again, like the halves of hashes.
fn longer_keys(bytes: &[u8]) -> Option<&'static str> {
    let (pairs, _) = bytes.as_chunks::<8>();
    let pairs = &pairs[..pairs.len().min(PAIRS)];
    let word =
        |pair: &[u8; 8], from: usize| u32::from_be_bytes([pair[from], pair[from + 1], pair[from + 2], pair[from + 3]]);
    let [first, second] = [0, 4].map(|from| pairs.iter().map(|pair| word(pair, from)).collect::<BTreeSet<_>>());
    let different = pairs.iter().collect::<BTreeSet<_>>().len();
    let are_upper =
        |upper: &BTreeSet<u32>, lower: &BTreeSet<u32>| upper.len() * 8 <= pairs.len() && upper.len() * 4 <= lower.len();
    // Independent words of any distribution differ so much in half of the pairs at most.
    let are_far_below = |upper: &dyn Fn(&[u8; 8]) -> u32, lower: &dyn Fn(&[u8; 8]) -> u32| {
        let below = pairs.iter().filter(|pair| upper(pair).saturating_mul(4) < lower(pair)).count();
        pairs.len() >= FEWEST_COMPARED && below * 4 >= pairs.len() * 3
    };
    let are_hashes = |words: &BTreeSet<u32>| words.last().is_some_and(|word| *word >= HASH);
    let are_repeated = different * 10 <= pairs.len() * 9 && different * 10 <= first.len().max(second.len()) * 11;
    if pairs.len() < FEWEST_PAIRS {
        None
    } else if are_upper(&first, &second) {
        Some("u64be")
    } else if are_upper(&second, &first) {
        Some("u64le")
    } else if are_far_below(&|pair| word(pair, 0), &|pair| word(pair, 4)) {
        Some("u64be")
    } else if are_far_below(&|pair| word(pair, 4).swap_bytes(), &|pair| word(pair, 0).swap_bytes()) {
        Some("u64le")
    } else {
        (are_repeated && are_hashes(&first) && are_hashes(&second)).then_some("u64be or u64le")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_long_keys_are_told_from_short_keys() {
        let long = |key: fn(u64) -> u64| (0..1_000).flat_map(|number| key(number).to_be_bytes()).collect::<Vec<u8>>();
        assert_eq!(longer_keys(&long(|number| number * 37 % 501)), Some("u64be"), "small numbers");
        assert_eq!(longer_keys(&long(|number| (number * 37 % 501).swap_bytes())), Some("u64le"), "small numbers");
        assert_eq!(longer_keys(&long(|number| number * 0x0123_4567 % 0x000f_0000_0000)), Some("u64be"), "addresses");
        for bits in [34, 40, 48, 56, 60] {
            let words: Vec<u64> =
                (1..=1_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)).collect();
            let (be, le): (Vec<_>, Vec<_>) = words.iter().map(|word| (word.to_be_bytes(), word.to_le_bytes())).unzip();
            assert_eq!(longer_keys(be.as_flattened()), Some("u64be"), "{bits} bits");
            assert_eq!(longer_keys(le.as_flattened()), Some("u64le"), "{bits} bits");
        }
        let hash = |number: u64| (number % 50 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        assert_eq!(longer_keys(&long(hash)), Some("u64be or u64le"), "hashes");
        let short = |key: fn(u32) -> u32| (0..2_000).flat_map(|number| key(number).to_be_bytes()).collect::<Vec<u8>>();
        assert_eq!(longer_keys(&short(|number| number * 37 % 501)), None, "small numbers");
        assert_eq!(longer_keys(&short(|number| number % 10)), None, "a loop");
        assert_eq!(longer_keys(&short(|number| (number * number % 83).wrapping_mul(0x9e37_79b9))), None, "hashes");
        assert_eq!(longer_keys(&short(|number| number)), None, "a scan");
        assert_eq!(
            longer_keys(&short(|number| number.wrapping_mul(0x9e37_79b9))),
            None,
            "hashes of which none is repeated"
        );
        let powers = |number: u32| 1 << (number.wrapping_mul(0x9e37_79b9) >> 27);
        assert_eq!(longer_keys(&short(powers)), None, "of all sizes");
        assert_eq!(longer_keys(&short(|_| 7)), None, "one object");
        assert_eq!(longer_keys(&[]), None);
    }
}
