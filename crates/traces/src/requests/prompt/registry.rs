//! Traces of prompts, for prefix caches of language models: one file and one line for each format.
//!
//! A trace has a JSON object per line. A prompt is a list of blocks; the number of a block names all blocks before it,
//! too. The whole trace is read into memory.

mod conversations;
mod line;

use super::key::{key, nanoseconds, shown};
use super::lines::Lines;
use crate::TraceError;
use crate::unpack::Content;
use forebay_core::registry::{Named, find};
use forebay_core::{About, Prompt};
use line::{Line, RawLine};

pub use conversations::Conversations;

forebay_core::registry! {
    /// Every format of traces of prompts, in the order in which they are tried.
    pub static PROMPT_FORMATS: [PromptFormatEntry] = {
        mod bailian;
        mod mooncake;
        mod token_ids;
    }
}

/// Reads the tokens and blocks of a prompt from a line, for blocks of so many tokens.
type ReadBlocks = fn(&Line<'_>, u64) -> Result<(u64, Vec<u64>), String>;

/// A format of traces of prompts.
pub struct PromptFormatEntry {
    /// What it is.
    pub about: About,
    /// The tokens of a block, unless the user says otherwise.
    pub block_tokens: u64,
    /// Nanoseconds in the unit of `timestamp`.
    unit_ns: u64,
    /// Whether a first line is of this format.
    fits: fn(&RawLine) -> bool,
    /// The tokens of the prompt and its blocks.
    blocks: ReadBlocks,
}

impl Named for PromptFormatEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// A trace of prompts that has been read.
#[derive(Debug, Clone)]
pub struct Prompts {
    /// The name of its format.
    pub format: &'static str,
    /// The tokens of a full block.
    pub block_tokens: u64,
    /// The prompts, as in the file. Times count from the first one.
    pub prompts: Vec<Prompt>,
    /// The line of each prompt.
    pub lines: Vec<u64>,
    /// What a user should know about the file.
    pub warnings: Vec<String>,
}

/// Longer lines are no lines of a trace. A list of tokens may be long.
const MAX_LINE_BYTES: usize = 1 << 25;

/// Reads a trace of prompts. `format` and `block_tokens` are [`None`] if the file decides.
///
/// # Errors
/// Names the line, the fault, and what the line should have.
pub fn read(content: Content<'static>, format: Option<&str>, block_tokens: Option<u64>) -> Result<Prompts, TraceError> {
    let mut lines = Lines::new(content.input, MAX_LINE_BYTES);
    let mut entry = format.map(|name| find("format of prompts", PROMPT_FORMATS, &name.to_lowercase())).transpose()?;
    let mut read =
        Prompts { format: "", block_tokens: 0, prompts: Vec::new(), lines: Vec::new(), warnings: Vec::new() };
    let mut first = None;
    while let Some((number, text)) = lines.next_line()? {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let wrong = |fault: String| TraceError::at(number, fault);
        let raw: RawLine = serde_json::from_slice(text)
            .map_err(|error| wrong(format!("the line must be a JSON object, not `{}`: {error}", shown(text))))?;
        let entry = match entry {
            Some(entry) => entry,
            None => entry.insert(recognise(&raw).map_err(wrong)?),
        };
        let block_tokens = block_tokens.unwrap_or(entry.block_tokens);
        let time = raw.timestamp.as_ref().ok_or_else(|| wrong(lacks("timestamp")))?;
        let time = nanoseconds(time.to_string().as_bytes(), entry.unit_ns).map_err(|fault| wrong(fault.to_string()))?;
        let start = *first.get_or_insert(time);
        let arrival =
            time.checked_sub(start).filter(|arrival| read.prompts.last().is_none_or(|last| last.arrival <= *arrival));
        let earlier = "`timestamp` is earlier than in the line before; sort the lines by `timestamp`";
        let arrival = arrival.ok_or_else(|| wrong(earlier.to_owned()))?;
        let (input_tokens, blocks) = (entry.blocks)(&Line { raw: &raw, block_tokens }, block_tokens).map_err(wrong)?;
        read.prompts.push(Prompt { arrival, input_tokens, output_tokens: raw.output_length.unwrap_or(0), blocks });
        read.lines.push(number);
        (read.format, read.block_tokens) = (entry.about.name, block_tokens);
    }
    if read.prompts.is_empty() {
        return Err(TraceError::File("the file has no prompts: a JSON object per line".to_owned()));
    }
    let without = read.prompts.iter().filter(|prompt| prompt.blocks.is_empty()).count();
    if without > 0 {
        read.warnings.push(format!("prompts without a full block, of which nothing can be cached: {without}"));
    }
    if lines.is_unfinished() {
        read.warnings.push("the last line has no line end; is the file complete?".to_owned());
    }
    Ok(read)
}

fn recognise(raw: &RawLine) -> Result<&'static PromptFormatEntry, String> {
    PROMPT_FORMATS.iter().find(|entry| (entry.fits)(raw)).ok_or_else(|| {
        let titles: Vec<&str> = PROMPT_FORMATS.iter().map(|entry| entry.about.title).collect();
        format!("this is no prompt of a known format: {}", titles.join("; "))
    })
}

fn lacks(field: &str) -> String {
    format!("`{field}` is missing")
}

/// The description of a format.
const fn about(name: &'static str, title: &'static str, source: &'static str) -> About {
    About {
        name,
        title,
        exactness: forebay_core::Exactness::NotApplicable,
        hardware: "-",
        cost: "-",
        source,
        params: &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &'static str) -> Result<Prompts, TraceError> {
        read(Content::unpack(text.as_bytes()).unwrap(), None, None)
    }

    #[test]
    fn formats_are_recognised_and_read() {
        let text = "{\"timestamp\": 5, \"input_length\": 600, \"output_length\": 7, \"hash_ids\": [3, 9]}\n\n\
                    {\"timestamp\": 8, \"input_length\": 512, \"output_length\": 1, \"hash_ids\": [3]}\n";
        let read = parse(text).unwrap();
        assert_eq!((read.format, read.block_tokens, &read.lines[..]), ("mooncake", 512, &[1, 3][..]));
        let expected = Prompt { arrival: 3_000_000, input_tokens: 512, output_tokens: 1, blocks: vec![3] };
        assert_eq!(read.prompts[1], expected);

        let text = "{\"chat_id\": 1, \"timestamp\": 0.25, \"input_length\": 20, \"output_length\": 1, \"hash_ids\": [1, 2]}\n\
                    {\"chat_id\": 2, \"timestamp\": 1.5, \"input_length\": 16, \"output_length\": 1, \"hash_ids\": [1]}";
        let read = parse(text).unwrap();
        assert_eq!((read.format, read.block_tokens, read.prompts[1].arrival), ("bailian", 16, 1_250_000_000));
        assert_eq!(read.warnings.len(), 1, "no line end");
    }

    #[test]
    fn token_ids_become_chained_full_blocks() {
        let line = |tokens: std::ops::Range<u32>, first: u32| {
            let tokens: Vec<u32> = std::iter::once(first).chain(tokens).collect();
            format!("{{\"timestamp\": 1, \"prompt_token_ids\": {tokens:?}}}\n")
        };
        let text = line(1..40, 0) + &line(1..40, 0) + &line(1..20, 0) + &line(1..40, 7) + &line(1..9, 0);
        let read = read(Content::unpack(std::io::Cursor::new(text)).unwrap(), None, None).unwrap();
        let blocks: Vec<&[u64]> = read.prompts.iter().map(|prompt| &prompt.blocks[..]).collect();
        assert_eq!((read.format, read.prompts[0].input_tokens, blocks[0].len()), ("token-ids", 40, 2));
        assert_eq!((blocks[0], &blocks[0][..1]), (blocks[1], blocks[2]));
        assert!(blocks[3].iter().all(|block| !blocks[0].contains(block)), "another first token changes all blocks");
        assert_eq!((blocks[4].len(), read.warnings.len()), (0, 1));
    }

    #[test]
    fn wrong_lines_are_named() {
        let good = "{\"timestamp\": 5, \"input_length\": 600, \"output_length\": 7, \"hash_ids\": [3, 9]}\n";
        for (line, word) in [
            ("{\"timestamp\": 4, \"input_length\": 600, \"hash_ids\": [3, 9]}", "earlier than in the line before"),
            ("{\"input_length\": 600, \"hash_ids\": [3, 9]}", "`timestamp` is missing"),
            ("{\"timestamp\": 6, \"hash_ids\": [3, 9]}", "`input_length` is missing"),
            ("{\"timestamp\": 6, \"input_length\": 600}", "`hash_ids` is missing"),
            ("{\"timestamp\": 6, \"input_length\": 600, \"hash_ids\": []}", "`hash_ids` is empty"),
            ("{\"timestamp\": 6, \"input_length\": 600, \"hash_ids\": [1]}x", "must be a JSON object"),
            (
                "{\"timestamp\": 6, \"input_length\": 1025, \"hash_ids\": [1]}",
                "fill 3 blocks of 512 tokens, the last in part",
            ),
            ("{\"timestamp\": 6, \"input_length\": 100, \"hash_ids\": [1, 2]}", "--block-tokens"),
            ("{\"timestamp\": -6, \"input_length\": 100, \"hash_ids\": [1]}", "-6"),
            ("{\"timestamp\": 6, \"input_length\": -1, \"hash_ids\": [1]}", "must be a JSON object"),
        ] {
            let text = format!("{good}{line}\n");
            let error = read(Content::unpack(std::io::Cursor::new(text)).unwrap(), None, None).unwrap_err();
            let TraceError::Line { line: 2, message } = error else { panic!("{line}: {error:?}") };
            assert!(message.contains(word), "{line}: {message}");
        }
        assert!(parse("\n").unwrap_err().to_string().contains("no prompts"));
        assert!(parse("{}\n").unwrap_err().to_string().contains("no prompt of a known format"));
        let unknown = read(Content::unpack(good.as_bytes()).unwrap(), Some("moncake"), None).unwrap_err().to_string();
        assert!(unknown.contains("did you mean `mooncake`"), "{unknown}");
    }
}
