//! forebay's own CSV of requests that follow others: `time_ns,key,size_bytes,after,think_ns` or `slot,key,after,think`.

use super::{FormatEntry, about};
use crate::TraceError;
use crate::requests::key::{digits, key, shown};
use crate::requests::lines::{Lines, MAX_LINE_BYTES};
use crate::requests::{Facts, Links, RequestReader};
use forebay_core::convert::index;
use forebay_core::{Clock, Follows, Request};

const NAME: &str = "chain-csv";
/// The first lines that there are.
const HEADERS: [(&str, Clock, bool); 4] = [
    ("time_ns,key,size_bytes,after,think_ns", Clock::Nanoseconds, true),
    ("time_ns,key,after,think_ns", Clock::Nanoseconds, false),
    ("slot,key,size_bytes,after,think", Clock::Slots, true),
    ("slot,key,after,think", Clock::Slots, false),
];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "forebay's own: requests that are sent when the answer to an earlier one has come; first line `slot,key,after,think` or \
         `time_ns,key,after,think_ns`, with `size_bytes` behind the key or not",
        "ours; thesis, section 2.6.3 (chains of serialised requests)",
        &[],
    ),
    also_known_as: &[],
    endings: &[],
    recognise: |start| start.line().is_some_and(|line| header(line).is_some()).into(),
    open: |input, _| Ok(Box::new(ChainCsv::new(Lines::new(input, MAX_LINE_BYTES))?)),
    writer: None,
};

fn header(line: &[u8]) -> Option<(Clock, bool)> {
    let found = HEADERS.iter().find(|(header, ..)| header.as_bytes() == line.trim_ascii());
    found.map(|&(_, clock, sizes)| (clock, sizes))
}

/// Reads all of a trace at once, since requests that follow others have their places in time only then.
struct ChainCsv {
    lines: Lines,
    facts: Facts,
    /// The requests in order of time, each with the request that it follows.
    requests: Vec<(Request, Option<Follows>)>,
    given: usize,
    is_read: bool,
    links: Links,
}

impl ChainCsv {
    fn new(mut lines: Lines) -> Result<Self, TraceError> {
        let first = lines.next_line()?.map(|(_, line)| line.to_vec()).unwrap_or_default();
        let Some((clock, sizes)) = header(&first) else {
            let known = HEADERS.map(|(header, ..)| header).join("` or `");
            return Err(TraceError::at(1, format!("the first line must be `{known}`, not `{}`", shown(&first))));
        };
        let facts = Facts { format: NAME, clock, sizes };
        Ok(Self { lines, facts, requests: Vec::new(), given: 0, is_read: false, links: Links::default() })
    }

    fn read(&mut self) -> Result<(), TraceError> {
        while let Some((line, text)) = self.lines.next_line()? {
            if !text.is_empty() {
                let row = row(text, self.facts, &self.requests).map_err(|message| TraceError::at(line, message))?;
                self.requests.push(row);
            }
        }
        let Some(start) = self.requests.iter().map(|(request, _)| request.time).min() else {
            return Err(TraceError::File("the trace has no requests".to_owned()));
        };
        let mut order: Vec<usize> = (0..self.requests.len()).collect();
        // Requests of one time stay in the order of their lines, so that each comes behind the one that it follows.
        order.sort_by_key(|&row| self.requests[row].0.time);
        let mut numbers = vec![0; order.len()];
        for (number, &row) in (0_u64..).zip(&order) {
            numbers[row] = number;
        }
        let start = if self.facts.clock == Clock::Slots { 0 } else { start };
        let in_order = order.iter().map(|&row| {
            let (request, follows) = self.requests[row];
            let follows = follows.map(|own| Follows { request: numbers[index(own.request)], ..own });
            (Request { time: request.time - start, ..request }, follows)
        });
        self.requests = in_order.collect();
        self.is_read = true;
        Ok(())
    }
}

/// The request of a line behind these others.
fn row(line: &[u8], facts: Facts, before: &[(Request, Option<Follows>)]) -> Result<(Request, Option<Follows>), String> {
    let is_slots = facts.clock == Clock::Slots;
    let (when, think_name) = if is_slots { ("slot", "think") } else { ("time_ns", "think_ns") };
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    let number = |text: &[u8], what: &str| {
        digits(text).ok_or_else(|| format!("`{what}` must be a whole number, zero or above, not `{}`", shown(text)))
    };
    let (time, object, size, after, think) = match (facts.sizes, &fields[..]) {
        (true, &[time, object, size, after, think]) => (time, object, number(size, "size_bytes")?.max(1), after, think),
        (false, &[time, object, after, think]) => (time, object, 1, after, think),
        _ => {
            let wanted = if facts.sizes { 5 } else { 4 };
            return Err(format!("this line has {} columns, but the first line has {wanted}", fields.len()));
        }
    };
    let key = key(object).map_err(|fault| fault.to_string())?;
    if after.is_empty() {
        if !think.is_empty() {
            return Err(format!(
                "`{think_name}` needs `after`; leave it empty, or say in `after` which request this one follows"
            ));
        }
        return Ok((Request { time: number(time, when)?, key, size }, None));
    }
    if !time.is_empty() {
        return Err(format!(
            "a request that follows another has no time of its own; leave `{when}` empty, and write the time from the answer to this \
             request as `{think_name}`"
        ));
    }
    let earlier = number(after, "after")?;
    let parent = earlier.checked_sub(1).and_then(|earlier| before.get(usize::try_from(earlier).ok()?));
    let Some((parent, _)) = parent else {
        return Err(format!(
            "`after` must be the number of an earlier request, from 1 to {}, not {earlier}",
            before.len()
        ));
    };
    let think = if think.is_empty() { 0 } else { number(think, think_name)? };
    let time = parent.time.checked_add(think).ok_or("the time is too large; the clock ends after 584 years")?;
    Ok((Request { time, key, size }, Some(Follows { request: earlier - 1, think })))
}

impl RequestReader for ChainCsv {
    fn facts(&self) -> Facts {
        self.facts
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        if !self.is_read {
            self.read()?;
        }
        let rest = &self.requests[self.given..];
        for &(request, follows) in &rest[..rest.len().min(limit)] {
            chunk.push(request);
            if self.links.is_begun() {
                self.links.push(follows);
            }
            self.given += 1;
        }
        Ok(self.given < self.requests.len())
    }

    fn warnings(&self) -> Vec<String> {
        let unfinished = "the last line has no end; if the file was cut off, its last request is wrong";
        self.lines.is_unfinished().then(|| unfinished.to_owned()).into_iter().collect()
    }

    fn links(&mut self) -> Option<&mut Links> {
        Some(&mut self.links)
    }
}
