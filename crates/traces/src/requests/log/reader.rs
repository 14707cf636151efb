//! Reads a log line by line, and sorts its requests by time within a window.

use super::line_tally::Tally;
use super::{Entry, LogFormat, LogOptions, Misfit, Said};
use crate::error::TraceError;
use crate::requests::key::{key, shown_up_to};
use crate::requests::lines::{Lines, MAX_LINE_BYTES};
use crate::requests::order::Window;
use crate::requests::reader_checks::{Arrival, Intake};
use crate::requests::{Facts, Measured, RequestReader};
use forebay_core::{Clock, Request};
use std::io::Read;

/// The number of lines after which a file is rejected if more than half do not fit.
const JUDGED_LINES: u64 = 1_000;

/// The maximum number of characters of a line in a message. Syslog writes about 50 before the program's text.
const SHOWN: usize = 160;

/// Reads a log.
pub(crate) struct LogReader<F> {
    format: F,
    name: &'static str,
    sizes: bool,
    options: LogOptions,
    lines: Lines,
    at_end: bool,
    /// Requests that wait until later lines cannot be earlier.
    window: Window,
    intake: Intake,
    /// The host and URL of a line.
    text: Vec<u8>,
    tally: Tally,
    order: Order,
    fit: Fit,
    measured: Measured,
}

/// The deviation of the lines from the order of time.
#[derive(Debug, Default)]
struct Order {
    latest: u64,
    earlier: u64,
    too_late: u64,
}

/// The number of lines that are of the format.
#[derive(Debug, Default)]
struct Fit {
    lines: u64,
    misfits: u64,
    /// The first line that is not, and its fault.
    first: Option<(u64, String)>,
}

impl Fit {
    /// # Errors
    /// If more than half of the lines do not fit.
    fn judge(&self, name: &str) -> Result<(), TraceError> {
        match &self.first {
            Some((number, why)) if self.misfits * 2 > self.lines => Err(TraceError::at(
                *number,
                format!(
                    "{why}; {} of the first {} lines are not in the format `{name}`. Name their format with --format-in",
                    self.misfits, self.lines
                ),
            )),
            _ => Ok(()),
        }
    }

    fn warning(&self) -> Option<String> {
        let (number, why) = self.first.as_ref()?;
        Some(format!("lines of another form were left out: {}; the first is line {number}: {why}", self.misfits))
    }
}

impl<F: LogFormat> LogReader<F> {
    pub(crate) fn new(
        input: Box<dyn Read + Send>,
        name: &'static str,
        sizes: bool,
        options: LogOptions,
        format: F,
    ) -> Self {
        Self {
            format,
            name,
            sizes,
            window: Window::new(options.window - 1),
            options,
            lines: Lines::new(input, MAX_LINE_BYTES).cut_long_lines(),
            at_end: false,
            intake: Intake::new(Clock::Nanoseconds),
            text: Vec::new(),
            tally: Tally::default(),
            order: Order::default(),
            fit: Fit::default(),
            measured: Measured::default(),
        }
    }

    fn next_request(&mut self) -> Result<Option<Request>, TraceError> {
        while !self.at_end && !self.window.is_full() {
            self.read_line()?;
        }
        let Some(arrival) = self.window.pop() else {
            return self.finish();
        };
        self.intake.take(arrival).map(Some).map_err(|fault| TraceError::at(self.lines.number(), fault))
    }

    /// At the end of the log.
    fn finish(&self) -> Result<Option<Request>, TraceError> {
        let Err(error) = self.intake.finish() else { return Ok(None) };
        let why: Vec<String> = self.fit.warning().into_iter().chain(self.tally.warnings(self.sizes)).collect();
        if why.is_empty() { Err(error) } else { Err(TraceError::File(format!("{error}: {}", why.join("; ")))) }
    }

    fn read_line(&mut self) -> Result<(), TraceError> {
        let Some((number, line)) = self.lines.next_line()? else {
            self.at_end = true;
            return self.fit.judge(self.name);
        };
        if line.is_empty() {
            return Ok(());
        }
        let read = match self.format.read(line) {
            Ok(Said::Directive) => return Ok(()),
            Ok(Said::Answer(entry)) => {
                let taken = take(&entry, &self.options, &mut self.tally, &mut self.text);
                if self.measured.is_begun()
                    && let Ok(Some(arrival)) = &taken
                {
                    self.measured.add(arrival.key, entry.fetch());
                }
                taken
            }
            Err(misfit) => Err(misfit),
        };
        self.fit.lines += 1;
        match read {
            Ok(Some(arrival)) => {
                self.order.earlier += u64::from(arrival.time < self.order.latest);
                self.order.latest = self.order.latest.max(arrival.time);
                self.order.too_late += u64::from(self.window.push_in_time(arrival));
            }
            Ok(None) => {}
            Err(Misfit(part)) => {
                self.fit.misfits += 1;
                if self.fit.first.is_none() {
                    let example = self.format.example();
                    let why = format!(
                        "a line must be like `{example}`, not `{}` ({part} does not fit)",
                        shown_up_to(line, SHOWN)
                    );
                    self.fit.first = Some((number, why));
                }
            }
        }
        if self.fit.lines == JUDGED_LINES { self.fit.judge(self.name) } else { Ok(()) }
    }
}

/// The request in an answer; `None` if it is to be left out.
fn take(
    entry: &Entry<'_>,
    options: &LogOptions,
    tally: &mut Tally,
    text: &mut Vec<u8>,
) -> Result<Option<Arrival>, Misfit> {
    let Some((url, size)) = tally.choose(entry, options) else { return Ok(None) };
    // A URL that names its host does not begin with a slash.
    let host = if url.first() == Some(&b'/') { entry.host } else { b"" };
    let query = if entry.query == b"-" { b"" } else { entry.query };
    let object = if host.is_empty() && query.is_empty() {
        key(url)
    } else {
        text.clear();
        text.extend_from_slice(host);
        text.extend_from_slice(url);
        if !query.is_empty() {
            if query[0] != b'?' {
                text.push(b'?');
            }
            text.extend_from_slice(query);
        }
        key(text)
    };
    let key = object.map_err(|_| Misfit("the URL, which is not UTF-8 text,"))?;
    Ok(Some(Arrival { time: tally.time(entry, options), key, size }))
}

impl<F: LogFormat> RequestReader for LogReader<F> {
    fn facts(&self) -> Facts {
        Facts { format: self.name, clock: self.intake.clock(), sizes: self.sizes }
    }

    fn fill(&mut self, chunk: &mut Vec<Request>, limit: usize) -> Result<bool, TraceError> {
        for _ in 0..limit {
            match self.next_request()? {
                Some(request) => chunk.push(request),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn measured(&mut self) -> Option<&mut Measured> {
        Some(&mut self.measured)
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.intake.warnings();
        warnings.extend(self.fit.warning());
        warnings.extend(self.tally.warnings(self.sizes));
        let Order { earlier, too_late, .. } = self.order;
        if earlier > 0 {
            warnings
                .push(format!("lines that were earlier than a line before them, and were sorted by time: {earlier}"));
        }
        if too_late > 0 {
            warnings.push(format!(
                "lines that were earlier than a line more than {} lines before them, and were given the time of that line: {too_late}; \
                 `window=NUMBER` sorts more lines",
                self.options.window
            ));
        }
        if self.lines.is_unfinished() {
            let why = "the last line has no end; if the file was cut off, its last request may be wrong";
            warnings.push(why.to_owned());
        }
        warnings
    }
}
