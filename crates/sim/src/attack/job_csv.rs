//! Measured jobs as CSV: packet sizes, the work that they made, and what was expected of it.
//!
//! ```text
//! size_bytes,job_ns,estimate_ns
//! 1200,64000,60000
//! 400,2300000,61000.5
//! ```
//!
//! Columns are found by their names in the first line, and others may stand beside them; `estimate_ns` may be left out.

use crate::attack::jobs::Job;
use forebay_core::{Duration, Packet};
use forebay_traces::TraceError;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Most jobs of a file.
pub const MAX_JOBS: usize = 1 << 24;
/// The longest job in nanoseconds: a thousand seconds.
const MAX_NS: f64 = 1e12;

/// Reads jobs; at least one.
///
/// # Errors
/// Names the line and what should be there.
pub fn read_job_csv(input: impl Read) -> Result<Vec<Job>, TraceError> {
    let mut columns: Option<Columns> = None;
    let mut jobs = Vec::new();
    for (line, text) in (1..).zip(BufReader::new(input).lines()) {
        let text = text.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => at(line, "this is not text; is it really a CSV file?"),
            _ => TraceError::Io(error),
        })?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        match &columns {
            None => columns = Some(Columns::of(line, text)?),
            Some(_) if jobs.len() == MAX_JOBS => return Err(at(line, format!("a file has at most {MAX_JOBS} jobs"))),
            Some(columns) => jobs.push(columns.job(line, text)?),
        }
    }
    if jobs.is_empty() {
        let message =
            "there are no jobs in this file; write size_bytes,job_ns in the first line and a job in each other";
        return Err(TraceError::File(message.to_owned()));
    }
    if jobs.iter().all(|job| job.work == Duration::ZERO) {
        return Err(TraceError::File("all jobs take no time; one must take some".to_owned()));
    }
    Ok(jobs)
}

/// Where the numbers stand.
struct Columns {
    count: usize,
    size_bytes: usize,
    job_ns: usize,
    estimate_ns: Option<usize>,
}

impl Columns {
    fn of(line: u64, text: &str) -> Result<Self, TraceError> {
        let place = |wanted| fields(text).position(|name| name == wanted);
        let required = |wanted| {
            place(wanted).ok_or_else(|| {
                at(line, format!("no column is called `{wanted}`; the first line must have size_bytes,job_ns"))
            })
        };
        Ok(Self {
            count: fields(text).count(),
            size_bytes: required("size_bytes")?,
            job_ns: required("job_ns")?,
            estimate_ns: place("estimate_ns"),
        })
    }

    fn job(&self, line: u64, text: &str) -> Result<Job, TraceError> {
        let fields: Vec<&str> = fields(text).collect();
        if fields.len() != self.count {
            return Err(at(line, format!("{} fields where the first line has {}", fields.len(), self.count)));
        }
        let size_bytes = fields[self.size_bytes];
        let size_bytes =
            size_bytes.parse().ok().filter(|size| (1..=Packet::MAX_BYTES).contains(size)).ok_or_else(|| {
                let most = Packet::MAX_BYTES;
                at(line, format!("`size_bytes` must be a whole number from 1 to {most}, not `{size_bytes}`"))
            })?;
        let ns = |what: &str, text: &str| {
            let number = text.parse::<f64>().ok().filter(|ns| (0.0..=MAX_NS).contains(ns));
            number.map(|ns| Duration::from_secs_f64(ns * 1e-9)).ok_or_else(|| {
                at(line, format!("`{what}` must be a number of nanoseconds from 0 to {MAX_NS:e}, not `{text}`"))
            })
        };
        let work = ns("job_ns", fields[self.job_ns])?;
        let estimate = self.estimate_ns.map_or(Ok(work), |place| ns("estimate_ns", fields[place]))?;
        Ok(Job { size_bytes, work, estimate })
    }
}

fn fields(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(|field| field.trim().trim_matches('"'))
}

fn at(line: u64, message: impl Into<String>) -> TraceError {
    TraceError::Line { line, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Job>, TraceError> {
        read_job_csv(text.as_bytes())
    }

    #[test]
    fn columns_are_found_by_name() {
        let jobs = read("rule,job_ns,size_bytes\r\n\r\nx,1500.5,64\r\ny,0,1000\r\n").unwrap();
        assert_eq!(jobs, [Job::known(64, Duration::from_ps(1_500_500)), Job::known(1_000, Duration::ZERO)]);
        let jobs = read("size_bytes,job_ns,estimate_ns\n64,1000,2\n").unwrap();
        assert_eq!((jobs[0].work, jobs[0].estimate), (Duration::from_us(1), Duration::from_ns(2)));
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, line, part) in [
            ("64,1000\n", 1, "no column is called `size_bytes`"),
            ("size_bytes,work\n64,1000\n", 1, "no column is called `job_ns`"),
            ("size_bytes,job_ns\n64,1\n64\n", 3, "1 fields where the first line has 2"),
            ("size_bytes,job_ns\n0,1\n", 2, "`size_bytes` must be"),
            ("size_bytes,job_ns\n64,-1\n", 2, "`job_ns` must be"),
            ("size_bytes,job_ns,estimate_ns\n64,1,x\n", 2, "`estimate_ns` must be"),
        ] {
            match read(text) {
                Err(TraceError::Line { line: at, message }) => {
                    assert_eq!(at, line, "{text}");
                    assert!(message.contains(part), "{message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(read("size_bytes,job_ns\n"), Err(TraceError::File(_))));
        assert!(matches!(read("size_bytes,job_ns\n64,0\n"), Err(TraceError::File(_))));
    }
}
