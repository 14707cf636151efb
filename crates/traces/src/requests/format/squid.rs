//! Squid's own `access.log`.

use super::{FormatEntry, about};
use crate::requests::key::{digits, nanoseconds};
use crate::requests::lines::words;
use crate::requests::log::{
    CacheStatus, Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, NS_PER_S, Said, Size, Stamp, Status,
    recognise, start_params,
};

const NAME: &str = "squid";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Squid's access.log: time, milliseconds, client, CODE/STATUS, bytes, method and URL; the time is that of the end",
        "Squid's native log format, `logformat squid`",
        start_params![],
    ),
    also_known_as: &[],
    endings: &[],
    recognise: |start| recognise(start, |line| Squid.read(line).is_ok()),
    open: |input, params| Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::with_start(params), Squid))),
    writer: None,
};

struct Squid;

impl LogFormat for Squid {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        let mut words = words(line);
        let mut word = |part| words.next().ok_or(Misfit(part));
        let time = word("the time")?;
        // It stands near the end.
        if !time.iter().rev().any(|byte| *byte == b'.') {
            return Err(Misfit("the time, which needs a point,"));
        }
        let time = nanoseconds(time, NS_PER_S).map_err(|_| Misfit("the time"))?;
        let elapsed = word("the duration")?;
        // A clock that was set back makes it negative.
        let elapsed = digits(elapsed.strip_prefix(b"-").unwrap_or(elapsed)).ok_or(Misfit("the duration"))?;
        word("the client")?;
        let code = word("the code")?;
        let slash = memchr::memrchr(b'/', code).ok_or(Misfit("the code, which is like TCP_MISS/200,"))?;
        let status = Status::read(&code[slash + 1..]).ok_or(Misfit("the status"))?;
        let size = Size::read(word("the size")?).ok_or(Misfit("the size"))?;
        let (method, url) = (word("the method")?, word("the URL")?);
        // What Squid could not read as a request.
        let url = Some(url).filter(|url| method != b"-" && !url.starts_with(b"error:"));
        Ok(Entry {
            time,
            stamp: Stamp::End,
            elapsed: Some(elapsed.saturating_mul(NS_PER_MS)),
            method: Some(method),
            url,
            status,
            size,
            cache: CacheStatus::read(&code[..slash]),
            ..Entry::default()
        }
        .into())
    }

    fn example(&self) -> &'static str {
        "1728568536.123    180 192.0.2.1 TCP_MISS/200 411 GET http://a.example/b - HIER_DIRECT/192.0.2.2 text/html"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squid() {
        let read = |line: &str| match Squid.read(line.as_bytes())? {
            Said::Answer(entry) => Ok((entry.time, entry.url.map(<[u8]>::to_vec), entry.status, entry.cache)),
            Said::Directive => unreachable!(),
        };
        let line = "1286536308.779    180 ::1 TCP_MEM_HIT/200 411 GET http://a/ - HIER_NONE/- text/html";
        let url = Some(b"http://a/".to_vec());
        assert_eq!(read(line), Ok((1_286_536_308_779_000_000, url, Status::Code(200), CacheStatus::Hit)));
        let line = "1286536308.779      0 ::1 NONE_NONE/000 0 - error:transaction-end-before-headers - HIER_NONE/- -";
        assert_eq!(read(line), Ok((1_286_536_308_779_000_000, None, Status::NoAnswer, CacheStatus::NotHit)));
        for (line, part) in [
            ("", "the time"),
            ("12 3", "the time, which needs a point,"),
            ("1.5 x", "the duration"),
            ("1.5 3 c 200", "the code, which is like TCP_MISS/200,"),
            ("1.5 3 c A/2000", "the status"),
            ("1.5 3 c A/200 x", "the size"),
            ("1.5 3 c A/200 7 GET", "the URL"),
        ] {
            assert_eq!(read(line), Err(Misfit(part)), "{line}");
        }
    }
}
