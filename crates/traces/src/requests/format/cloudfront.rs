//! Logs in the W3C extended format, in which lines of the log name its columns: CloudFront and IIS.

use super::{FormatEntry, Likeness, about};
use crate::requests::key::nanoseconds;
use crate::requests::log::{
    CacheStatus, Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, NS_PER_S, Said, Size, Stamp, Status, date,
    recognise, start_params,
};

const NAME: &str = "cloudfront";

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "The W3C extended format: `#Fields:` names the columns, between which tabs or spaces stand; the time is that of the end",
        "CloudFront's standard logs; W3C's Extended Log File Format, as IIS writes it",
        start_params![],
    ),
    also_known_as: &["w3c", "iis"],
    endings: &[],
    recognise: |start| {
        let mut log = W3c::default();
        match recognise(start, |line| log.read(line).is_ok()) {
            // Many other files have lines that begin with `#`.
            _ if log.columns.is_empty() => Likeness::No,
            likeness => likeness,
        }
    },
    open: |input, params| {
        Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::with_start(params), W3c::default())))
    },
    writer: None,
};

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Other,
    Date,
    Time,
    Elapsed,
    Method,
    Path,
    Query,
    Host,
    /// The name under which CloudFront has a site, where the client's own name for it is not logged.
    Domain,
    Status,
    Size,
    Cache,
}

impl Column {
    fn named(name: &[u8]) -> Self {
        match name {
            b"date" => Self::Date,
            b"time" => Self::Time,
            b"time-taken" => Self::Elapsed,
            b"cs-method" => Self::Method,
            b"cs-uri-stem" | b"cs-uri" => Self::Path,
            b"cs-uri-query" => Self::Query,
            b"x-host-header" | b"cs-host" => Self::Host,
            b"cs(Host)" => Self::Domain,
            b"sc-status" => Self::Status,
            b"sc-bytes" | b"bytes" => Self::Size,
            b"x-edge-result-type" | b"x-cache" => Self::Cache,
            _ => Self::Other,
        }
    }
}

/// A log as far as it has been read.
#[derive(Default)]
struct W3c {
    /// The columns of the last `#Fields:` line.
    columns: Vec<Column>,
    /// IIS counts milliseconds; others count seconds.
    is_iis: bool,
}

impl W3c {
    fn directive(&mut self, line: &[u8]) -> Result<(), Misfit> {
        if line.starts_with(b"#Software:") {
            self.is_iis = memchr::memmem::find(line, b"Internet Information").is_some();
        }
        let Some(names) = line.strip_prefix(b"#Fields:") else { return Ok(()) };
        let names = names.split(|byte| matches!(byte, b' ' | b'\t')).filter(|name| !name.is_empty());
        self.columns = names.map(Column::named).collect();
        for (needed, part) in [
            (Column::Date, "`#Fields:`, which needs `date`,"),
            (Column::Time, "`#Fields:`, which needs `time`,"),
            (Column::Path, "`#Fields:`, which needs `cs-uri-stem` or `cs-uri`,"),
        ] {
            if !self.columns.contains(&needed) {
                self.columns.clear();
                return Err(Misfit(part));
            }
        }
        Ok(())
    }
}

impl LogFormat for W3c {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        if line.starts_with(b"#") {
            return self.directive(line).map(|()| Said::Directive);
        }
        if self.columns.is_empty() {
            return Err(Misfit("the place before any line `#Fields:`"));
        }
        let tab = if memchr::memchr(b'\t', line).is_some() { b'\t' } else { b' ' };
        let mut values = line.split(|&byte| byte == tab);
        let mut entry = Entry { stamp: Stamp::End, ..Entry::default() };
        let (mut day, mut time, mut domain): (&[u8], &[u8], &[u8]) = (b"", b"", b"");
        for column in &self.columns {
            let value = values.next().ok_or(Misfit("the number of columns, which `#Fields:` says,"))?;
            let is_given = value != b"-";
            match column {
                Column::Date => day = value,
                Column::Time => time = value,
                Column::Elapsed if is_given => {
                    let unit = if self.is_iis { NS_PER_MS } else { NS_PER_S };
                    entry.elapsed = Some(nanoseconds(value, unit).map_err(|_| Misfit("`time-taken`"))?);
                }
                Column::Method if is_given => entry.method = Some(value),
                Column::Path if is_given => entry.url = Some(value),
                Column::Query => entry.query = value,
                Column::Host if is_given => entry.host = value,
                Column::Domain if is_given => domain = value,
                Column::Status => entry.status = Status::read(value).ok_or(Misfit("`sc-status`"))?,
                Column::Size => entry.size = Size::read(value).ok_or(Misfit("`sc-bytes`"))?,
                Column::Cache => entry.cache = CacheStatus::read(value),
                _ => {}
            }
        }
        entry.time = date::day_and_time(day, time).ok_or(Misfit("`date` or `time`"))?;
        if entry.host.is_empty() {
            entry.host = domain;
        }
        Ok(entry.into())
    }

    fn example(&self) -> &'static str {
        "2024-10-10 13:55:36 GET /a 200 2326, below #Fields: date time cs-method cs-uri-stem sc-status sc-bytes"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_that_the_log_names() {
        let mut log = W3c::default();
        assert_eq!(log.read(b"a b"), Err(Misfit("the place before any line `#Fields:`")));
        assert_eq!(log.read(b"#Version: 1.0"), Ok(Said::Directive));
        let names = b"#Fields: date time sc-bytes cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-edge-result-type time-taken";
        assert_eq!(log.read(names), Ok(Said::Directive));
        let line = b"2019-12-04\t21:02:31\t392\tGET\td111.cloudfront.net\t/a%20b\t200\tx=1\tHit\t0.001";
        let expected = Entry {
            time: 1_575_493_351_000_000_000,
            stamp: Stamp::End,
            elapsed: Some(1_000_000),
            method: Some(b"GET"),
            host: b"d111.cloudfront.net",
            url: Some(b"/a%20b"),
            query: b"x=1",
            status: Status::Code(200),
            size: Size::Bytes(392),
            cache: CacheStatus::Hit,
            ..Entry::default()
        };
        assert_eq!(log.read(line), Ok(expected.into()));
        let few = b"2019-12-04\t21:02:31\t392";
        assert_eq!(log.read(few), Err(Misfit("the number of columns, which `#Fields:` says,")));
        assert_eq!(log.read(b"#Fields: date time"), Err(Misfit("`#Fields:`, which needs `cs-uri-stem` or `cs-uri`,")));
        assert!(log.read(line).is_err());
    }

    #[test]
    fn iis_counts_milliseconds() {
        let mut log = W3c::default();
        for line in [
            &b"#Software: Microsoft Internet Information Services 10.0"[..],
            b"#Fields: date time cs-uri-stem sc-bytes time-taken",
        ] {
            assert_eq!(log.read(line), Ok(Said::Directive));
        }
        let Ok(Said::Answer(entry)) = log.read(b"2019-12-04 21:02:31 /a 5 46") else { unreachable!() };
        assert_eq!((entry.elapsed, entry.method), (Some(46_000_000), None));
    }
}
