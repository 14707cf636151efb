//! Envoy's access log in its default format, and in that of Istio.

use super::{FormatEntry, about};
use crate::requests::iso_time;
use crate::requests::key::digits;
use crate::requests::log::{
    Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, Said, Size, Stamp, Status, closing_quote,
    method_and_url, params, recognise,
};

const NAME: &str = "envoy";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "Envoy's access log: [TIME] \"METHOD PATH PROTOCOL\" STATUS FLAGS RECEIVED SENT DURATION UPSTREAM, and the host in quotes",
        "Envoy's default format string, also with the three fields that Istio has behind the flags",
        params![],
    ),
    also_known_as: &["istio"],
    endings: &[],
    recognise: |start| recognise(start, |line| Envoy.read(line).is_ok()),
    open: |input, params| Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::new(params), Envoy))),
    writer: None,
};

struct Envoy;

impl LogFormat for Envoy {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        let rest = line.strip_prefix(b"[").ok_or(Misfit("the time in brackets"))?;
        let close = memchr::memchr(b']', rest).ok_or(Misfit("the time in brackets"))?;
        let time = iso_time::nanoseconds(&rest[..close]).ok_or(Misfit("the time in brackets"))?;
        let mut fields = Fields(&rest[close + 1..]);
        let request = fields.quoted("the request in quotes", b" ")?;
        let status = Status::read(fields.word("the status")?).ok_or(Misfit("the status"))?;
        fields.word("the flags")?;
        let received = match fields.word("the bytes received")? {
            bytes if digits(bytes).is_some() => bytes,
            // Istio: how the answer came about, why the connection ended, and what failed.
            _ => {
                fields.word("the reason for the end of the connection")?;
                fields.quoted("the reason of the failure", b" ")?;
                fields.word("the bytes received")?
            }
        };
        digits(received).ok_or(Misfit("the bytes received"))?;
        let size = Size::read(fields.word("the bytes sent")?).ok_or(Misfit("the bytes sent"))?;
        let elapsed = milliseconds(fields.word("the duration")?).ok_or(Misfit("the duration"))?;
        let upstream = milliseconds(fields.word("the time of the server behind")?);
        let upstream = upstream.ok_or(Misfit("the time of the server behind"))?;
        for part in ["the forwarded address", "the user agent", "the id of the request"] {
            fields.quoted(part, b" \"")?;
        }
        let host = fields.quoted("the host", b" \"")?;
        let request = method_and_url(request).filter(|(_, url)| *url != b"-");
        let (method, url) = (request.map(|(method, _)| method), request.map(|(_, url)| url));
        let host = if host == b"-" { b"" } else { host };
        let stamp = Stamp::Start;
        Ok(Entry { time, stamp, elapsed, upstream, method, host, url, status, size, ..Entry::default() }.into())
    }

    fn example(&self) -> &'static str {
        "[2024-10-10T13:55:36.310Z] \"GET /a HTTP/2\" 200 - 0 154 226 100 \"-\" \"curl\" \"id\" \"a.example\" \"192.0.2.1:80\""
    }
}

/// The fields of a line, each with a space before it.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn word(&mut self, part: &'static str) -> Result<&'a [u8], Misfit> {
        let rest = self.0.strip_prefix(b" ").ok_or(Misfit(part))?;
        let length = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        self.0 = &rest[length..];
        Ok(&rest[..length])
    }

    /// A text in quotes, which ends where `next` or nothing follows, since Envoy leaves quotes in a text as they are.
    fn quoted(&mut self, part: &'static str, next: &[u8]) -> Result<&'a [u8], Misfit> {
        let rest = self.0.strip_prefix(b" \"").ok_or(Misfit(part))?;
        let mut from = 0;
        loop {
            let close = from + closing_quote(&rest[from..]).ok_or(Misfit(part))?;
            let after = &rest[close + 1..];
            if after.is_empty() || after.starts_with(next) {
                self.0 = after;
                return Ok(&rest[..close]);
            }
            from = close + 1;
        }
    }
}

/// Within, it is `None` where there is a `-`.
fn milliseconds(word: &[u8]) -> Option<Option<u64>> {
    if word == b"-" { Some(None) } else { digits(word).map(|ms| Some(ms.saturating_mul(NS_PER_MS))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_envoy_and_istio() {
        let envoy = "[2016-04-15T20:17:00.310Z] \"GET /api/v1/locations HTTP/2\" 204 - 154 0 226 100 \"10.0.35.28\" \"a \"b\" c\" \
                     \"cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2\" \"locations\" \"tcp://10.0.2.1:80\"";
        let expected = Entry {
            time: 1_460_751_420_310_000_000,
            elapsed: Some(226_000_000),
            upstream: Some(100_000_000),
            method: Some(b"GET"),
            host: b"locations",
            url: Some(b"/api/v1/locations"),
            status: Status::Code(204),
            size: Size::Bytes(0),
            ..Entry::default()
        };
        let istio = envoy.replace(" - 154 ", " - via_upstream - \"-\" 154 ");
        for line in [envoy, &istio] {
            assert_eq!(Envoy.read(line.as_bytes()), Ok(expected.clone().into()), "{line}");
        }
        for (from, to, part) in [
            ("[2016", "[216", "the time in brackets"),
            (" 204 ", " OK ", "the status"),
            (" 0 226 ", " x 226 ", "the bytes sent"),
            (" 226 ", " x ", "the duration"),
            (" \"locations\" \"tcp://10.0.2.1:80\"", "", "the host"),
        ] {
            assert_eq!(Envoy.read(envoy.replace(from, to).as_bytes()), Err(Misfit(part)));
        }
        let bad = envoy.replace("GET /api/v1/locations HTTP/2", "- - HTTP/1.1").replace(" 204 ", " 0 ");
        let mut log = Envoy;
        let Ok(Said::Answer(bad)) = log.read(bad.as_bytes()) else { unreachable!() };
        assert_eq!((bad.url, bad.status), (None, Status::NoAnswer));
    }
}
