//! Logs of web servers: the common and combined formats of Apache, nginx and Varnish, and any other that a pattern describes.

use super::{FormatEntry, about};
use crate::TraceError;
use crate::requests::RequestReader;
use crate::requests::key::digits;
use crate::requests::log::pattern::{Lines, Pattern, pattern_in};
use crate::requests::log::{
    Entry, LogFormat, LogOptions, LogReader, Misfit, Said, Size, Status, closing_quote, date, method_and_url,
    recognise, start_params,
};
use forebay_core::{ParamSpec, Params};
use memchr::memchr_iter;
use std::io::Read;

const NAME: &str = "access-log";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A line of a web server per request: `HOST - USER [DATE] \"METHOD URL PROTOCOL\" STATUS BYTES`, and more behind it, or as \
         `log-format` says",
        "Apache's common and combined log formats, nginx' combined, varnishncsa; patterns of all three",
        start_params![ParamSpec::text(
            "log-format",
            "",
            "the server's log format, such as `$msec $request_uri $bytes_sent` or `%t %r %b`; `common`, `combined` or \
             `vhost-combined`; `@FILE` or `@FILE#NAME` for that in nginx.conf, in apache2.conf or alone in a file. By \
             default common or combined",
        )],
    ),
    also_known_as: &["combined", "clf", "nginx", "apache", "varnish", "varnishncsa"],
    endings: &["log"],
    recognise: |start| recognise(start, |line| CombinedLog.read(line).is_ok()),
    open,
    writer: None,
};

fn open(input: Box<dyn Read + Send>, params: &Params) -> Result<Box<dyn RequestReader>, TraceError> {
    let options = LogOptions::with_start(params);
    let option = params.text("log-format");
    if option.is_empty() {
        if params.text("time") == "start" {
            let why = "`time=start` needs the durations of requests, which the combined format does not have; give the format that has \
                       them with `log-format`";
            return Err(TraceError::File(why.to_owned()));
        }
        return Ok(Box::new(LogReader::new(input, NAME, true, options, CombinedLog)));
    }
    let wrong = |why: String| TraceError::File(format!("`log-format`: {why}"));
    let pattern = pattern_in(option).and_then(|text| Pattern::new(&text)).map_err(wrong)?;
    if params.text("time") == "start" && !pattern.has_start() {
        let why = "`time=start` needs the duration of a request, such as $request_time or %D";
        return Err(wrong(why.to_owned()));
    }
    Ok(Box::new(LogReader::new(input, NAME, pattern.has_sizes(), options, Lines(pattern))))
}

/// The common and combined formats, with any text before the date and after the size.
struct CombinedLog;

impl LogFormat for CombinedLog {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        let begin = memchr_iter(b'[', line).find(|&at| line[..at].ends_with(b" ")).ok_or(Misfit("the date"))? + 1;
        let after = &line[begin..];
        let length = memchr_iter(b']', after).find(|&at| after[at..].starts_with(b"] \""));
        let length = length.ok_or(Misfit("the date"))?;
        let time = date::common(&line[begin..begin + length]).ok_or(Misfit("the date"))?;
        let host = virtual_host(&line[..begin - 2]).unwrap_or_default();
        let quoted = &line[begin + length + 3..];
        let close = closing_quote(quoted).ok_or(Misfit("the request, whose quote does not end,"))?;
        let mut rest = quoted[close + 1..].strip_prefix(b" ").ok_or(Misfit("the status"))?.split(|&byte| byte == b' ');
        let status = rest.next().and_then(Status::read).ok_or(Misfit("the status"))?;
        let size = rest.next().and_then(Size::read).ok_or(Misfit("the size"))?;
        let request = method_and_url(&quoted[..close]);
        let (method, url) = (request.map(|(method, _)| method), request.map(|(_, url)| url));
        Ok(Entry { time, method, host, url, status, size, ..Entry::default() }.into())
    }

    fn example(&self) -> &'static str {
        "192.0.2.1 - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 2326"
    }
}

/// The host before `HOST:PORT CLIENT - USER`, which Debian's Apache writes for sites that share a log.
fn virtual_host(before_date: &[u8]) -> Option<&[u8]> {
    let mut words = before_date.split(|&byte| byte == b' ');
    let (first, client) = (words.next()?, words.next()?);
    // A user may have a space in the name, and a client an address of IPv6.
    if client == b"-" || words.count() != 2 {
        return None;
    }
    let colon = memchr::memrchr(b':', first)?;
    digits(&first[colon + 1..]).map(|_| &first[..colon])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_host_is_part_of_the_key() {
        for (before, host) in [
            ("a.example:443 192.0.2.1 - -", Some("a.example")),
            ("[::1]:80 ::1 - -", Some("[::1]")),
            ("192.0.2.1 - -", None),
            ("2001:db8::1 - -", None),
            ("2001:db8::1 - John Doe", None),
            ("a.example 192.0.2.1 - -", None),
            ("-", None),
        ] {
            assert_eq!(virtual_host(before.as_bytes()), host.map(str::as_bytes), "{before}");
        }
        let line = b"a.example:80 ::1 - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 7 \"-\" \"x\"";
        let mut log = CombinedLog;
        let Ok(Said::Answer(entry)) = log.read(line) else { unreachable!() };
        assert_eq!((entry.host, entry.url), (&b"a.example"[..], Some(&b"/a"[..])));
    }
}
