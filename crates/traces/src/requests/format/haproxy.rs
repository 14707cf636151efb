//! HAProxy's log of HTTP, with or without the prefix that syslog adds to its lines.

use super::{FormatEntry, about};
use crate::requests::key::digits;
use crate::requests::log::{
    CacheStatus, Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, Said, Size, Stamp, Status, date,
    method_and_url, params, recognise,
};

const NAME: &str = "haproxy";
/// The length of a date like `06/Feb/2009:12:14:14.655`.
const DATE_BYTES: usize = 24;

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "HAProxy's log of HTTP: client, [date], frontend, backend/server, TR/Tw/Tc/Tr/Ta, status, bytes, ..., \"request\"",
        "HAProxy's HTTP and HTTPS log formats, `option httplog` and `option httpslog`",
        params![],
    ),
    also_known_as: &["httplog"],
    endings: &[],
    recognise: |start| recognise(start, |line| HaProxy.read(line).is_ok()),
    open: |input, params| Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::new(params), HaProxy))),
    writer: None,
};

struct HaProxy;

impl LogFormat for HaProxy {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        let (time, rest) = dated(line).ok_or(Misfit("the date in brackets"))?;
        let mut words = rest.split(|&byte| byte == b' ');
        let mut word = |part| words.next().ok_or(Misfit(part));
        word("the frontend")?;
        let server = word("the backend")?;
        let server = memchr::memchr(b'/', server).map(|slash| &server[slash + 1..]).ok_or(Misfit("the backend"))?;
        let elapsed = times(word("the times")?).ok_or(Misfit("the times, which are like 0/0/1/2/3,"))?;
        let status = Status::read(word("the status")?).ok_or(Misfit("the status"))?;
        let size = word("the size")?;
        // A plus says that the answer had not ended.
        let size = Size::read(size.strip_prefix(b"+").unwrap_or(size)).ok_or(Misfit("the size"))?;
        let open = memchr::memchr(b'"', rest).ok_or(Misfit("the request in quotes"))?;
        let close = memchr::memrchr(b'"', rest).filter(|close| *close > open);
        let close = close.ok_or(Misfit("the request, whose quote does not end,"))?;
        let request = method_and_url(&rest[open + 1..close]);
        let (method, url) = (request.map(|(method, _)| method), request.map(|(_, url)| url));
        // Its cache has the place of a server.
        let cache = if server == b"<CACHE>" { CacheStatus::Hit } else { CacheStatus::NotHit };
        Ok(Entry { time, stamp: Stamp::Start, elapsed, method, url, status, size, cache, ..Entry::default() }.into())
    }

    fn example(&self) -> &'static str {
        "192.0.2.1:33317 [10/Oct/2024:13:55:36.655] web app/server1 0/0/1/2/3 200 2750 - - ---- 1/1/1/1/0 0/0 \"GET /a HTTP/1.1\""
    }
}

/// Returns the first date in brackets, and the text after it.
fn dated(line: &[u8]) -> Option<(u64, &[u8])> {
    memchr::memmem::find_iter(line, b" [").find_map(|place| {
        let (date, rest) = line[place + 2..].split_at_checked(DATE_BYTES)?;
        Some((date::common(date)?, rest.strip_prefix(b"] ")?))
    })
}

/// The last of five times in milliseconds, which is that of the whole request; within, it is `None` if there is no such time.
fn times(word: &[u8]) -> Option<Option<u64>> {
    let mut times = word.split(|&byte| byte == b'/');
    for _ in 0..4 {
        let time = times.next()?;
        if time != b"-1" {
            digits(time)?;
        }
    }
    let all = times.next()?;
    let all = all.strip_prefix(b"+").unwrap_or(all);
    if times.next().is_some() {
        return None;
    }
    if all == b"-1" {
        return Some(None);
    }
    Some(Some(digits(all)?.saturating_mul(NS_PER_MS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_haproxy() {
        let line = "10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 \
                    {1wt.eu} {} \"GET /index.html HTTP/1.1\"";
        let expected = Entry {
            time: 1_233_922_454_655_000_000,
            elapsed: Some(109_000_000),
            method: Some(b"GET"),
            url: Some(b"/index.html"),
            status: Status::Code(200),
            size: Size::Bytes(2_750),
            cache: CacheStatus::NotHit,
            ..Entry::default()
        };
        let syslog = format!("<134>Feb  6 12:14:14 localhost haproxy[14389]: {line}");
        let meta = format!("<134>1 2009-02-06T12:14:14 h haproxy 1 - [a b=\"c\"] {line}");
        let tls = format!("{line} 0/0000000000000000/0/0/0 -/TLSv1.3/TLS_AES_256_GCM_SHA384");
        for line in [line, &syslog, &meta, &tls] {
            assert_eq!(HaProxy.read(line.as_bytes()), Ok(expected.clone().into()), "{line}");
        }
        for (from, to, part) in [
            ("10/0/30/69/109", "10/0/30", "the times, which are like 0/0/1/2/3,"),
            (" 200 ", " 2 ", "the status"),
            (" 2750 ", " +x ", "the size"),
            ("HTTP/1.1\"", "HTTP/1.1", "the request, whose quote does not end,"),
            ("Feb/2009", "Fev/2009", "the date in brackets"),
        ] {
            assert_eq!(HaProxy.read(line.replace(from, to).as_bytes()), Err(Misfit(part)));
        }
        let bad = line.replace("GET /index.html HTTP/1.1", "<BADREQ>").replace("/109 200", "/-1 -1");
        let mut log = HaProxy;
        let Ok(Said::Answer(bad)) = log.read(bad.as_bytes()) else { unreachable!() };
        assert_eq!((bad.url, bad.status, bad.elapsed), (None, Status::NoAnswer, None));
    }
}
