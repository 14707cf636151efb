//! Plain keys: one per line, one per slot.

use super::{Arrival, FormatEntry, Kept, Likeness, Start, WriterEntry, about};
use crate::TraceError;
use crate::requests::columns::lines_fit;
use crate::requests::fault::RequestFault;
use crate::requests::key::{key, lone_key};
use crate::requests::lines::{LineFormat, LineReader, slots};
use crate::requests::odd_values::OddKeys;
use crate::requests::request_writer::{EmptyLines, RequestWriter};
use forebay_core::{ParamSpec, Request};
use std::io::Write;

const NAME: &str = "keys";
/// First lines that are rather headers than keys.
const HEADERS: [&str; 9] = ["url", "uri", "key", "keys", "id", "object", "obj_id", "object_id", "path"];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A key per line; the line is the slot, an empty line a slot without request",
        "common practice",
        {
            &[ParamSpec::choice(
                "separators",
                &["refuse", "keep"],
                "refuse",
                "`keep` if keys have spaces, tabs, commas or semicolons; `refuse` takes them for another format",
            )]
        },
    ),
    also_known_as: &["text"],
    endings: &["txt", "keys"],
    recognise,
    open: |input, params| {
        let separators = params.text("separators") == "keep";
        Ok(Box::new(LineReader::new(input, slots(NAME), Keys { separators, header: None, odd: OddKeys::default() })))
    },
    writer: Some(WriterEntry {
        slots: Kept::Exactly,
        nanoseconds: Kept::Order,
        sizes: false,
        open: |facts| Box::new(Writer(EmptyLines::new(facts))),
    }),
};

/// Accepts any text without field separators or markup.
fn recognise(start: &Start<'_>) -> Likeness {
    let is_key = |line: &[u8]| !line.iter().any(|byte| b" \t,;|{}<>[]()\"'=".contains(byte));
    if lines_fit(start, is_key) { Likeness::Maybe } else { Likeness::No }
}

struct Keys {
    separators: bool,
    /// The first line, if it may be a header.
    header: Option<&'static str>,
    odd: OddKeys,
}

impl LineFormat for Keys {
    fn arrival(&mut self, line: &[u8], number: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.is_empty() {
            return Ok(None);
        }
        if number == 1 {
            self.header = HEADERS.into_iter().find(|word| line.eq_ignore_ascii_case(word.as_bytes()));
        }
        self.odd.look(line);
        let key = if self.separators { key(line) } else { lone_key(line) }?;
        Ok(Some(Arrival { time: number - 1, key, size: 1 }))
    }

    fn warnings(&self) -> Vec<String> {
        let why = |word: &str| {
            format!("the first line, `{word}`, is taken as a key; if it is a header, remove it (tail -n +2)")
        };
        self.header.map(why).into_iter().chain(self.odd.warning()).collect()
    }
}

struct Writer(EmptyLines);

impl RequestWriter for Writer {
    fn write(&mut self, requests: &[Request], out: &mut dyn Write) -> Result<(), TraceError> {
        for request in requests {
            self.0.up_to(request, out)?;
            writeln!(out, "{}", request.key)?;
        }
        Ok(())
    }
}
