//! Every format of request traces: one file and one line for each.

use super::reader_checks::Arrival;
use super::request_writer::RequestWriter;
use super::{Facts, RequestReader};
use crate::error::TraceError;
use crate::unpack::without_mark;
use forebay_core::{About, Exactness, Named, ParamSpec, Params};
use std::io::Read;

forebay_core::registry! {
    /// Every format, in the order in which formats are tried.
    pub static FORMATS: [FormatEntry] = {
        mod pcap;
        mod request_csv;
        mod chain_csv;
        mod slot_csv;
        mod twitter_csv;
        mod mooncake;
        mod cachelib;
        mod wikipedia_cdn;
        mod spc;
        mod msr;
        mod alibaba_block;
        mod tencent_block;
        mod libcachesim_csv;
        mod ibm_object_store;
        mod arc;
        mod webcachesim;
        mod access_log;
        mod squid;
        mod haproxy;
        mod cloudfront;
        mod fastly;
        mod envoy;
        mod s3;
        mod tencent_photo;
        mod json_lines;
        mod lirs;
        mod keys;
        mod parquet;
        mod arrow;
        mod lcs;
        mod vscsi;
        mod oracle_general;
        mod u32be;
        mod u64be;
        mod u64le;
    }
}

/// One format in the registry.
pub struct FormatEntry {
    /// The description of the format.
    pub about: About,
    /// Other names by which people know the format.
    pub also_known_as: &'static [&'static str],
    /// The endings of the names of such files, without that of the compression.
    pub endings: &'static [&'static str],
    /// Returns how well the start of a file fits the format.
    pub(crate) recognise: fn(&Start<'_>) -> Likeness,
    /// Reads a trace, unpacked.
    pub(crate) open: fn(Box<dyn Read + Send>, &Params) -> Opened,
    /// The writer of the format, if it can be written.
    pub(crate) writer: Option<WriterEntry>,
}

/// A trace that has been opened, or why it cannot be.
type Opened = Result<Box<dyn RequestReader>, TraceError>;

impl Named for FormatEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}

/// The writer of a format, and the facts that the format keeps.
pub(crate) struct WriterEntry {
    /// The way in which the format keeps slots.
    pub(crate) slots: Kept,
    /// The way in which the format keeps nanoseconds.
    pub(crate) nanoseconds: Kept,
    /// Whether the format has sizes.
    pub(crate) sizes: bool,
    /// Begins to write a trace.
    pub(crate) open: fn(Facts) -> Box<dyn RequestWriter>,
}

/// The way in which a format keeps the times of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Exactly,
    /// Keeps whole seconds; a slot becomes one second.
    Seconds,
    /// Which request follows which.
    Order,
}

/// The degree to which the start of a file looks like a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    No,
    /// If the name does not say otherwise.
    Maybe,
    /// The file fits the format if the user names it: files of other formats look the same.
    Fits,
    Yes,
}

impl From<bool> for Likeness {
    fn from(certain: bool) -> Self {
        if certain { Self::Yes } else { Self::No }
    }
}

/// Lines that decide on a format.
const LINES: usize = 1_000;

/// The start of an unpacked file.
pub(crate) struct Start<'a> {
    bytes: &'a [u8],
    /// Whether `bytes` is the whole file.
    whole: bool,
    text: bool,
}

impl<'a> Start<'a> {
    pub(crate) fn new(bytes: &'a [u8], whole: bool) -> Self {
        Self { bytes, whole, text: is_text(bytes) }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn is_text(&self) -> bool {
        self.text
    }

    /// Returns the first line that is not empty, if the file is text.
    pub(crate) fn line(&self) -> Option<&'a [u8]> {
        let text = without_mark(self.bytes);
        let first = text.iter().position(|byte| !matches!(byte, b'\n' | b'\r'))?;
        let rest = &text[first..];
        let line = match memchr::memchr(b'\n', rest) {
            Some(length) => &rest[..length],
            None if self.whole => rest,
            None => return None,
        };
        self.text.then(|| line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns all complete lines that are not empty, if the file is text.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.line().into_iter().flat_map(|first| std::iter::once(first).chain(self.lines_after_first()))
    }

    /// Returns the number of lines, of at most a thousand, and the number of them that `is_like` accepts; [`None`] if it accepts none of
    /// the `first` lines.
    pub(crate) fn counted(&self, first: usize, mut is_like: impl FnMut(&'a [u8]) -> bool) -> Option<(usize, usize)> {
        let (mut all, mut like) = (0, 0);
        for line in self.lines().take(LINES) {
            if all == first && like == 0 {
                return None;
            }
            all += 1;
            like += usize::from(is_like(line));
        }
        (like > 0).then_some((all, like))
    }

    /// Returns the complete lines after the first that are not empty.
    pub(crate) fn lines_after_first(&self) -> impl Iterator<Item = &'a [u8]> {
        let whole = if self.whole { self.bytes.len() } else { memchr::memrchr(b'\n', self.bytes).unwrap_or(0) };
        self.bytes[..whole]
            .split(|&byte| byte == b'\n')
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .filter(|line| !without_mark(line).is_empty())
            .skip(1)
    }
}

/// Returns whether the bytes are text, possibly damaged: hardly any control characters, and a first line in UTF-8, whose last character may
/// be cut.
fn is_text(bytes: &[u8]) -> bool {
    let control = bytes.iter().filter(|byte| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t'));
    let first_line = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let is_utf8 = match std::str::from_utf8(first_line.unwrap_or_default()) {
        Ok(line) => !line.contains(|c: char| c.is_control() && !matches!(c, '\r' | '\t')),
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && control.count() * 20 <= bytes.len()
}

/// Returns the description of a format, with the parts that all formats share.
const fn about(name: &'static str, title: &'static str, source: &'static str, params: &'static [ParamSpec]) -> About {
    let cost = "constant memory";
    About { name, title, exactness: Exactness::NotApplicable, hardware: "none", cost, source, params }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_formats_have_a_name_in_common() {
        let mut names: Vec<&str> = FORMATS
            .iter()
            .flat_map(|entry| [entry.about.name].into_iter().chain(entry.also_known_as.iter().copied()))
            .collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
        assert_eq!(twice, None);
    }

    #[test]
    fn text_may_be_cut_within_a_character() {
        assert!(is_text(b"a;b\r\nc"));
        assert!(is_text("a;ü".as_bytes()) && is_text(b"a;\xc3"));
        assert!(!is_text(b"a\0") && !is_text(b"a\n\0\0"));
        assert!(!is_text(b"a\xff\xff\xff"));
    }

    #[test]
    fn the_first_line_is_whole() {
        assert_eq!(Start::new(b"\r\n\nab\r\nc", false).line(), Some(&b"ab"[..]));
        assert_eq!(Start::new(b"ab", false).line(), None);
        assert_eq!(Start::new(b"ab", true).line(), Some(&b"ab"[..]));
        assert_eq!(Start::new(b"\n\n", true).line(), None);
        assert_eq!(Start::new(b"\xef\xbb\xbfab\nc", true).line(), Some(&b"ab"[..]));
    }
}
