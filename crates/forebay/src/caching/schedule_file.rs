//! A schedule in a file, as `record = ["schedule"]` writes it: for each request whether its object stays.

use crate::error::WrongValue;
use crate::run::hex;
use crate::scenario::Files;
use csv::{ReaderBuilder, StringRecord, Trim};
use forebay_cache::belatedly::Schedule;
use forebay_core::Request;

/// Says what a file must be.
const EXAMPLE: &str = "write one with `forebay bound TRACE ... --record schedule --out DIR`, which is DIR/schedule.csv";

/// A schedule of one trace.
#[derive(Debug, Clone)]
pub(super) struct ScheduleFile {
    path: String,
    /// Which object each request asks for.
    keys: Vec<u64>,
    schedule: Schedule,
    /// The checksum of the content.
    pub(super) sum: String,
}

/// Where the columns are that say all there is.
struct Columns {
    request: usize,
    object: usize,
    stays: usize,
}

impl Columns {
    fn of(header: &StringRecord) -> Result<Self, String> {
        let place = |name: &str| {
            let found = header.iter().position(|own| own == name);
            found.ok_or_else(|| format!("column `{name}` is missing; {EXAMPLE}"))
        };
        Ok(Self { request: place("request")?, object: place("object")?, stays: place("stays")? })
    }
}

impl ScheduleFile {
    /// Reads a file of comma-separated values with the columns `request`, `object` and `stays`; other columns are ignored.
    pub(super) fn read(path: &str, files: &dyn Files) -> Result<Self, WrongValue> {
        let (_, input) = files.open(path).map_err(|error| error.to_string())?;
        let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(input);
        let no_text = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            format!("{path}:{line}: {error}. {EXAMPLE}")
        };
        let header = reader.headers().map_err(no_text)?;
        if header.is_empty() {
            return Err(format!("{path}: the file is empty; {EXAMPLE}").into());
        }
        let columns = Columns::of(header).map_err(|message| format!("{path}:1: {message}"))?;
        let (mut keys, mut stays) = (Vec::new(), Vec::new());
        let mut content = String::new();
        for record in reader.records() {
            let record = record.map_err(no_text)?;
            let line = record.position().map_or(1, csv::Position::line);
            let at = |message: String| format!("{path}:{line}: {message}");
            let field = |place: usize| record.get(place).unwrap_or_default();
            let wanted = keys.len().to_string();
            if field(columns.request) != wanted {
                let found = field(columns.request);
                let advice = "a file holds one schedule, of one cell and one repetition";
                return Err(at(format!("`request` must be {wanted}, not `{found}`; {advice}")).into());
            }
            let (key, stay) = (field(columns.object), field(columns.stays));
            keys.push(key.parse().map_err(|_| at(format!("`object` must be the key of an object, not `{key}`")))?);
            stays.push(match stay {
                "true" => true,
                "false" => false,
                other => return Err(at(format!("`stays` must be true or false, not `{other}`")).into()),
            });
            content.push_str(key);
            content.push_str(stay);
        }
        let sum = hex(content.as_bytes());
        Ok(Self { path: path.to_owned(), keys, schedule: Schedule { stays }, sum })
    }

    /// Returns the schedule, if it belongs to this trace.
    pub(super) fn of(&self, requests: &[Request]) -> Result<&Schedule, String> {
        let Self { path, keys, .. } = self;
        if keys.len() != requests.len() {
            let (own, all) = (keys.len(), requests.len());
            return Err(format!(
                "{path}: the schedule has {own} requests, but the trace has {all}; give the schedule of this trace"
            ));
        }
        match keys.iter().zip(requests).position(|(key, request)| *key != request.key) {
            None => Ok(&self.schedule),
            Some(at) => {
                let (own, other) = (keys[at], requests[at].key);
                let advice = "give the schedule of this trace, with the same seed";
                Err(format!(
                    // prose: allow private-word: not "except for"
                    "{path}: request {at} is for object {own} in the schedule, but for {other} in the trace; {advice}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    struct One(&'static str);

    impl Files for One {
        fn open(&self, name: &str) -> crate::error::Result<(String, Box<dyn std::io::Read + Send>)> {
            Ok((name.to_owned(), Box::new(Cursor::new(self.0))))
        }
    }

    fn read(content: &'static str) -> Result<ScheduleFile, String> {
        ScheduleFile::read("s.csv", &One(content)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_schedule_is_that_of_its_trace() {
        let file = read("policy,request,object,stays\n\"a,b\",0,7,true\n\"a,b\",1,9,false\n").unwrap();
        let requests = |keys: &[u64]| -> Vec<Request> {
            (0..).zip(keys).map(|(time, &key)| Request { time, key, size: 1 }).collect()
        };
        assert_eq!(file.of(&requests(&[7, 9])).unwrap().stays, [true, false]);
        assert!(file.of(&requests(&[7])).unwrap_err().contains("has 2 requests, but the trace has 1"));
        assert!(
            file.of(&requests(&[7, 8]))
                .unwrap_err()
                .contains("request 1 is for object 9 in the schedule, but for 8 in the trace")
        );
    }

    #[test]
    fn files_that_are_no_schedules_are_refused() {
        for (content, message) in [
            ("", "the file is empty"),
            ("request,object\n0,7\n", "column `stays` is missing"),
            ("request,object,stays\n1,7,true\n", "s.csv:2: `request` must be 0, not `1`"),
            ("request,object,stays\n0,a,true\n", "`object` must be the key of an object, not `a`"),
            ("request,object,stays\n0,7,perhaps\n", "`stays` must be true or false, not `perhaps`"),
            ("request,object,stays\n0,7\n", "`stays` must be true or false, not ``"),
        ] {
            let error = read(content).unwrap_err();
            assert!(error.starts_with("s.csv:") && error.contains(message), "{error}");
        }
    }
}
