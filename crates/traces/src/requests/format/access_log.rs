//! Logs of web servers in the common or combined format, as nginx and Apache write them.

use super::{Arrival, FormatEntry, Likeness, Start, about};
use crate::requests::Facts;
use crate::requests::fault::RequestFault;
use crate::requests::key::{digits, key, shown};
use crate::requests::lines::{LineFormat, LineReader, words};
use forebay_core::{Clock, ParamSpec};

const NAME: &str = "access-log";
const NS_PER_S: u64 = 1_000_000_000;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A line of a web server per request: `HOST - USER [DATE] \"METHOD URL PROTOCOL\" STATUS BYTES`, and more behind it",
        "Apache's common and combined log formats, nginx' combined",
        &[ParamSpec::choice(
            "methods",
            &["get", "get-head", "all"],
            "get",
            "which lines are requests: those with GET, with GET and HEAD, or with any method",
        )],
    ),
    also_known_as: &["combined", "clf", "nginx", "apache"],
    endings: &["log"],
    recognise: |start: &Start<'_>| match start.line().map(Line::read) {
        Some(Ok(_)) => Likeness::Yes,
        _ => Likeness::No,
    },
    open: |input, params| {
        let methods: &[&str] = match params.text("methods") {
            "get" => &["GET"],
            "get-head" => &["GET", "HEAD"],
            _ => &[],
        };
        let facts = Facts { format: NAME, clock: Clock::Nanoseconds, sizes: true };
        Ok(Box::new(LineReader::new(input, facts, AccessLog { methods, ..AccessLog::default() })))
    },
    writer: None,
};

/// What a line says.
struct Line<'a> {
    /// Seconds since 1970.
    seconds: u64,
    /// What the client sent in its first line, between quotes.
    request: &'a [u8],
    /// `None`: the server sent none, and wrote `-`.
    bytes: Option<u64>,
}

impl<'a> Line<'a> {
    fn read(line: &'a [u8]) -> Result<Self, RequestFault> {
        const WANTED: &str = "be like `192.0.2.1 - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326`";
        let wrong = || RequestFault::NotLike { wanted: WANTED, found: shown(line) };
        let begin = memchr::memmem::find(line, b" [").ok_or_else(wrong)? + 2;
        let end = begin + memchr::memmem::find(&line[begin..], b"] \"").ok_or_else(wrong)?;
        let seconds = date(&line[begin..end]).ok_or_else(wrong)?;
        let quoted = &line[end + 3..];
        let close = closing_quote(quoted).ok_or_else(wrong)?;
        let mut rest = words(&quoted[close + 1..]);
        let (status, bytes) = (rest.next().ok_or_else(wrong)?, rest.next().ok_or_else(wrong)?);
        if status.len() != 3 || digits(status).is_none() {
            return Err(wrong());
        }
        let bytes = if bytes == b"-" { None } else { Some(digits(bytes).ok_or_else(wrong)?) };
        Ok(Self { seconds, request: &quoted[..close], bytes })
    }

    /// Method and URL, which may have spaces; `None` of what is no HTTP.
    fn method_and_url(&self) -> Option<(&'a [u8], &'a [u8])> {
        let place = memchr::memchr(b' ', self.request)?;
        let (method, rest) = (&self.request[..place], &self.request[place + 1..]);
        let url = match memchr::memrchr(b' ', rest) {
            Some(place) if rest[place + 1..].starts_with(b"HTTP/") => &rest[..place],
            _ => rest,
        };
        let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_uppercase);
        (is_method && !url.is_empty()).then_some((method, url))
    }
}

/// Where the quote ends that a text begins within; a backslash stands before what does not end it.
fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    text.iter().position(|&byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })
}

/// A date like `10/Oct/2000:13:55:36 -0700` in seconds since 1970.
fn date(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let (date, zone) = text.split_once(' ')?;
    let mut parts = date.split(['/', ':']);
    let mut number = |most: u32| parts.next()?.parse::<u32>().ok().filter(|number| *number <= most);
    let day = number(31).filter(|day| *day > 0)?;
    let month = parts.next()?;
    let month = u32::try_from(MONTHS.iter().position(|known| *known == month)?).ok()? + 1;
    let mut number = |most: u32| parts.next()?.parse::<u32>().ok().filter(|number| *number <= most);
    let (year, hour, minute, second) = (number(9_999)?, number(23)?, number(59)?, number(60)?);
    let (sign, hours, minutes) =
        (zone.get(..1)?, zone.get(1..3)?.parse::<i64>().ok()?, zone.get(3..5)?.parse::<i64>().ok()?);
    let east = match sign {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let seconds = days(year.into(), month.into(), day.into()) * 86_400 + i64::from(hour * 3_600 + minute * 60 + second);
    u64::try_from(seconds - east * (hours * 3_600 + minutes * 60)).ok()
}

/// Days since 1970 of a date of the Gregorian calendar: years begin in March, so that a leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months_since_march = (month + 9) % 12;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * months_since_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The lines so far.
#[derive(Default)]
struct AccessLog {
    /// Those that are requests; none: all.
    methods: &'static [&'static str],
    last: u64,
    earlier: u64,
    other_methods: u64,
    without_url: u64,
    without_bytes: u64,
}

impl LineFormat for AccessLog {
    fn arrival(&mut self, line: &[u8], _: u64) -> Result<Option<Arrival>, RequestFault> {
        if line.is_empty() {
            return Ok(None);
        }
        let line = Line::read(line)?;
        let Some((method, url)) = line.method_and_url() else {
            self.without_url += 1;
            return Ok(None);
        };
        if !self.methods.is_empty() && !self.methods.iter().any(|known| known.as_bytes() == method) {
            self.other_methods += 1;
            return Ok(None);
        }
        let Some(size) = line.bytes else {
            self.without_bytes += 1;
            return Ok(None);
        };
        self.earlier += u64::from(line.seconds < self.last);
        self.last = self.last.max(line.seconds);
        let time = self.last.checked_mul(NS_PER_S);
        let time = time.ok_or_else(|| RequestFault::TimeTooLarge(self.last.to_string()))?;
        Ok(Some(Arrival { time, key: key(url)?, size }))
    }

    fn warnings(&self) -> Vec<String> {
        let left_out = [
            (self.other_methods, "with another method (`methods=all` takes them)"),
            (self.without_url, "without method and URL"),
            (self.without_bytes, "without a size, since their answers had no body"),
        ];
        let left_out = left_out.into_iter().filter(|(lines, _)| *lines > 0);
        let left_out = left_out.map(|(lines, why)| format!("lines {why} were left out: {lines}"));
        let earlier = (self.earlier > 0).then(|| {
            let why = "a line is written when its answer ends";
            format!("lines that are earlier than the one before, whose time they get ({why}): {}", self.earlier)
        });
        left_out.chain(earlier).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_seconds_since_1970() {
        for (text, seconds) in [
            ("01/Jan/1970:00:00:00 +0000", Some(0)),
            ("29/Feb/2000:12:00:00 +0000", Some(951_825_600)),
            ("10/Oct/2000:13:55:36 -0700", Some(971_211_336)),
            ("10/Oct/2024:13:55:36 +0530", Some(1_728_548_736)),
            ("10/Oct/2024:13:55:36", None),
            ("10/Okt/2024:13:55:36 +0000", None),
            ("10/Oct/2024:24:00:00 +0000", None),
        ] {
            assert_eq!(date(text.as_bytes()), seconds, "{text}");
        }
    }

    #[test]
    fn urls_may_have_spaces_and_quotes() {
        let line =
            |request: &str| format!("h - - [10/Oct/2024:13:55:36 +0000] \"{request}\" 200 12 \"-\" \"a \\\"b\\\"\"");
        for (request, method, url) in [
            ("GET /a HTTP/1.1", "GET", "/a"),
            ("GET /b c.png HTTP/1.1", "GET", "/b c.png"),
            ("GET /say\\\"hi\\\" HTTP/1.1", "GET", "/say\\\"hi\\\""),
            ("GET /old", "GET", "/old"),
        ] {
            let text = line(request);
            let read = Line::read(text.as_bytes()).unwrap();
            assert_eq!(read.method_and_url(), Some((method.as_bytes(), url.as_bytes())), "{request}");
            assert_eq!(read.bytes, Some(12));
        }
        for request in ["\\x16\\x03\\x01", "-", ""] {
            assert_eq!(Line::read(line(request).as_bytes()).unwrap().method_and_url(), None, "{request}");
        }
    }
}
