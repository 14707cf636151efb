//! Logs with a JSON object per line, with the fields of Fastly's example or others.

use super::{FormatEntry, about};
use crate::requests::iso_time;
use crate::requests::json::text;
use crate::requests::key::nanoseconds;
use crate::requests::log::json::pick;
use crate::requests::log::{
    CacheStatus, Entry, LogFormat, LogOptions, LogReader, Misfit, NS_PER_MS, NS_PER_S, NS_PER_US, Said, Size, Stamp,
    Status, date, recognise, start_params,
};
use forebay_core::{ParamSpec, Params};

const NAME: &str = "fastly";
const FIELDS: usize = 8;
const WRONG_SIZE: Misfit = Misfit("the size, in the field that `size-field` names,");
/// The options that name the fields, in the order in which they are picked.
const OPTIONS: [ParamSpec; FIELDS] = [
    ParamSpec::text(
        "time-field",
        "timestamp",
        "the field of the time: a date, or a number since 1970 in s, ms, us or ns",
    ),
    ParamSpec::text("url-field", "url", "the field of the URL or path"),
    ParamSpec::text("host-field", "host", "the field of the host, which is part of the key"),
    ParamSpec::text("method-field", "request_method", "the field of the method"),
    ParamSpec::text("status-field", "response_status", "the field of the status"),
    ParamSpec::text("size-field", "response_body_size", "the field of the size in bytes"),
    ParamSpec::text("cache-field", "response_state", "the field of the cache status, hit or miss"),
    ParamSpec::text("elapsed-field", "time_elapsed", "the field of the duration of a request"),
];

/// The registry's entry.
pub const ENTRY: FormatEntry = FormatEntry {
    about: about(
        NAME,
        "A JSON object per line, with fields for time, URL, host, method, status and size, whose names are options",
        "Fastly's example of a log format in JSON",
        start_params![
            OPTIONS[0],
            OPTIONS[1],
            OPTIONS[2],
            OPTIONS[3],
            OPTIONS[4],
            OPTIONS[5],
            OPTIONS[6],
            OPTIONS[7],
            ParamSpec::choice("elapsed-unit", &["us", "ns", "ms", "s"], "us", "the unit of the duration"),
            ParamSpec::choice(
                "stamp",
                &["start", "end"],
                "start",
                "whether the time is that of the start of a request or of its end"
            ),
        ],
    ),
    also_known_as: &["json-log"],
    endings: &[],
    recognise: |start| {
        let mut log = JsonLog::new(&Params::defaults(ENTRY.about.params));
        recognise(start, |line| match log.read(line) {
            Ok(Said::Answer(entry)) => entry.url.is_some() && entry.size != Size::NotLogged,
            // With a URL and the other fields, it is told what is wrong with the size.
            Err(misfit) => misfit == WRONG_SIZE,
            _ => false,
        })
    },
    open: |input, params| {
        Ok(Box::new(LogReader::new(input, NAME, true, LogOptions::with_start(params), JsonLog::new(params))))
    },
    writer: None,
};

struct JsonLog {
    names: [String; FIELDS],
    /// Values that had escapes.
    unescaped: [String; FIELDS],
    elapsed_unit: u64,
    stamp: Stamp,
}

impl JsonLog {
    fn new(params: &Params) -> Self {
        let elapsed_unit = match params.text("elapsed-unit") {
            "ns" => 1,
            "ms" => NS_PER_MS,
            "s" => NS_PER_S,
            _ => NS_PER_US,
        };
        let stamp = if params.text("stamp") == "end" { Stamp::End } else { Stamp::Start };
        let names = OPTIONS.map(|option| params.text(option.name).to_owned());
        Self { names, unescaped: Default::default(), elapsed_unit, stamp }
    }
}

impl LogFormat for JsonLog {
    fn read<'a>(&'a mut self, line: &'a [u8]) -> Result<Said<'a>, Misfit> {
        // Syslog writes something before it.
        let brace = memchr::memchr(b'{', line).ok_or(Misfit("the object in braces"))?;
        let picked = pick(&line[brace..], &self.names).ok_or(Misfit("the object in braces"))?;
        let mut values: [Option<&[u8]>; FIELDS] = [None; FIELDS];
        for ((value, raw), unescaped) in values.iter_mut().zip(picked).zip(&mut self.unescaped) {
            *value = raw.and_then(|raw| text(raw, unescaped)).map(str::as_bytes);
        }
        let [time, url, host, method, status, size, cache, elapsed] = values;
        let time = time.and_then(moment).ok_or(Misfit("the time, in the field that `time-field` names,"))?;
        if picked[1].is_none() {
            return Err(Misfit("the URL, in the field that `url-field` names,"));
        }
        let status = match status {
            Some(status) => {
                Status::read(status).ok_or(Misfit("the status, in the field that `status-field` names,"))?
            }
            None => Status::NotLogged,
        };
        let size = match size {
            Some(size) => Size::read(size).ok_or(WRONG_SIZE)?,
            None => Size::NotLogged,
        };
        Ok(Entry {
            time,
            stamp: self.stamp,
            elapsed: elapsed.and_then(|elapsed| nanoseconds(elapsed, self.elapsed_unit).ok()),
            upstream: None,
            method,
            host: host.unwrap_or_default(),
            url: url.filter(|url| !url.is_empty()),
            query: b"",
            status,
            size,
            cache: cache.map(CacheStatus::read).unwrap_or_default(),
        }
        .into())
    }

    fn example(&self) -> &'static str {
        "{\"timestamp\":\"2024-10-10T13:55:36+0000\",\"host\":\"a.example\",\"url\":\"/b\",\"request_method\":\"GET\",\
         \"response_state\":\"HIT\",\"response_status\":200,\"response_body_size\":2326}"
    }
}

/// A date of either kind, or a number since 1970, whose size tells its unit.
fn moment(text: &[u8]) -> Option<u64> {
    iso_time::nanoseconds(text)
        .or_else(|| since_1970(text))
        .or_else(|| date::common(text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).unwrap_or(text)))
}

/// Seconds, or the smaller unit in which the number is a date from 1973 on.
fn since_1970(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unit = match digits {
        0..=11 => NS_PER_S,
        12..=14 => NS_PER_MS,
        15..=17 => NS_PER_US,
        _ => 1,
    };
    nanoseconds(text, unit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<(u64, String, Size, CacheStatus), Misfit> {
        let mut log = JsonLog::new(&Params::defaults(ENTRY.about.params));
        match log.read(line.as_bytes())? {
            Said::Answer(entry) => {
                let url = [entry.host, entry.url.unwrap_or(b"none")].concat();
                Ok((entry.time, String::from_utf8(url).unwrap(), entry.size, entry.cache))
            }
            Said::Directive => unreachable!(),
        }
    }

    #[test]
    fn objects_of_fastly() {
        let line = r#"<134>2024-10-10T13:55:37Z cache-x[1]: {"timestamp":"2024-10-10T13:55:36+0000","host":"a.example","url":"\/b?c=\"d\"","response_state":"HIT-CLUSTER","response_status":200,"response_body_size":2326}"#;
        let expected =
            (1_728_568_536_000_000_000, "a.example/b?c=\"d\"".to_owned(), Size::Bytes(2_326), CacheStatus::Hit);
        assert_eq!(read(line), Ok(expected.clone()));
        for time in [
            "1728568536",
            "\"1728568536.0\"",
            "\"[10/Oct/2024:13:55:36 +0000]\"",
            "\"2024-10-10 13:55:36\"",
            "1728568536000",
            "\"1728568536000000\"",
            "1728568536000000000",
        ] {
            assert_eq!(read(&line.replace("\"2024-10-10T13:55:36+0000\"", time)), Ok(expected.clone()), "{time}");
        }
        for (from, to, part) in [
            ("}", "", "the object in braces"),
            ("\"url\"", "\"uri\"", "the URL, in the field that `url-field` names,"),
            ("2024-10-10T13", "Thu", "the time, in the field that `time-field` names,"),
            (":200", ":\"OK\"", "the status, in the field that `status-field` names,"),
            (":2326", ":23.5", "the size, in the field that `size-field` names,"),
        ] {
            assert_eq!(read(&line.replace(from, to)).unwrap_err(), Misfit(part), "{from}");
        }
        assert_eq!(read(&line.replace(":2326", ":null")).unwrap().2, Size::NotLogged);
        assert_eq!(read(&line.replace(":2326", ":2326.0")), Ok(expected));
    }
}
