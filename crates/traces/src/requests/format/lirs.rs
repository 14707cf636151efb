//! The traces of the LIRS authors: a block number per line, and lines with an asterisk between parts.

use super::{Arrival, FormatEntry, Likeness, Start, about};
use crate::requests::fault::RequestFault;
use crate::requests::key::lone_key;
use crate::requests::lines::{LineFormat, LineReader, slots};

const NAME: &str = "lirs";
const SEPARATOR: &[u8] = b"*";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A block number per line, one per slot; a line `*` stands between parts and is no request",
        "Jiang, Zhang, SIGMETRICS 2002, the traces that their simulator reads",
        &[],
    ),
    also_known_as: &[],
    endings: &["trc"],
    recognise,
    open: |input, _| Ok(Box::new(LineReader::new(input, slots(NAME), Lirs::default()))),
    writer: None,
};

/// Numbers and asterisks alone, of both at least one.
fn recognise(start: &Start<'_>) -> Likeness {
    let lines = || start.lines().map(<[u8]>::trim_ascii);
    let is_number = |line: &[u8]| !line.is_empty() && line.iter().all(u8::is_ascii_digit);
    let is_either = |line: &[u8]| line == SEPARATOR || is_number(line);
    (lines().all(is_either) && lines().any(is_number) && lines().any(|line| line == SEPARATOR)).into()
}

/// The numbers of requests and separators so far.
#[derive(Default)]
struct Lirs {
    requests: u64,
    separators: u64,
}

impl LineFormat for Lirs {
    fn arrival(&mut self, line: &[u8], _: u64) -> Result<Option<Arrival>, RequestFault> {
        let line = line.trim_ascii();
        if line.is_empty() {
            return Ok(None);
        }
        if line == SEPARATOR {
            self.separators += 1;
            return Ok(None);
        }
        let arrival = Arrival { time: self.requests, key: lone_key(line)?, size: 1 };
        self.requests += 1;
        Ok(Some(arrival))
    }

    fn warnings(&self) -> Vec<String> {
        let what = "lines `*` separate parts of the trace and are not requests";
        (self.separators > 0).then(|| format!("{} {what}", self.separators)).into_iter().collect()
    }
}
