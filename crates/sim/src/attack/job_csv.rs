//! Measured jobs as CSV: packet sizes, their work, and the estimates of this work.
//!
//! ```text
//! size_bytes,job_ns,estimate_ns
//! 1200,64000,60000
//! 400,2300000,61000.5
//! ```
//!
//! Columns are found by their names in the first line, and other columns are ignored; `estimate_ns` is optional.
//!
//! A trace has two columns more: `time_ns`, which never decreases, and `flow`, any name.
//!
//! ```text
//! time_ns,flow,size_bytes,job_ns
//! 0,10.0.0.1:4711,1200,64000
//! 1500.5,10.0.0.2:80,400,2300000
//! ```

use crate::attack::jobs::Job;
use crate::attack::traffic::Arrival;
use forebay_core::{Duration, Packet, Time};
use forebay_traces::TraceError;
use rustc_hash::FxHashMap;
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// The most jobs in a file.
pub const MAX_JOBS: usize = 1 << 24;
/// The longest job in nanoseconds: a thousand seconds.
const MAX_NS: f64 = 1e12;

/// Reads one or more jobs.
///
/// # Errors
/// Names the line and what is expected there.
pub fn read_job_csv(input: impl Read) -> Result<Vec<Job>, TraceError> {
    let mut jobs = Vec::new();
    each_line(input, JOBS, &mut |columns, line, fields| {
        jobs.push(columns.job(line, fields)?);
        Ok(())
    })?;
    check(jobs.iter(), JOBS)?;
    Ok(jobs)
}

/// Reads a trace: packets in order of time, with their flows, numbered from 0 in order of first appearance; at least one packet.
///
/// # Errors
/// Names the line and what is expected there.
pub fn read_arrival_csv(input: impl Read) -> Result<Vec<Arrival>, TraceError> {
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut flows: FxHashMap<String, u32> = FxHashMap::default();
    each_line(input, TRACE, &mut |columns, line, fields| {
        let [time_ns, flow] = ["time_ns", "flow"].map(|name| columns.place(name).map_or("", |place| fields[place]));
        let time = Time::ZERO + ns(line, "time_ns", time_ns)?;
        if arrivals.last().is_some_and(|last| last.at > time) {
            let message = format!("`time_ns` must be at least that of the line before, and {time_ns} is not");
            return Err(at(line, message));
        }
        let next = u32::try_from(flows.len()).expect("fewer flows than jobs");
        let flow = *flows.entry(flow.to_owned()).or_insert(next);
        arrivals.push(Arrival { at: time, flow, job: columns.job(line, fields)? });
        Ok(())
    })?;
    check(arrivals.iter().map(|arrival| &arrival.job), TRACE)?;
    Ok(arrivals)
}

/// Columns that must be there.
const JOBS: &str = "size_bytes,job_ns";
const TRACE: &str = "time_ns,flow,size_bytes,job_ns";

/// A function for each line; its arguments are the columns, the number of the line, and its fields.
type EachLine<'a> = dyn FnMut(&Columns, u64, &[&str]) -> Result<(), TraceError> + 'a;

/// Calls `each` for every line behind the first, with its fields: as many as the first line has.
fn each_line(input: impl Read, needed: &'static str, each: &mut EachLine<'_>) -> Result<(), TraceError> {
    let mut columns: Option<Columns> = None;
    let mut count = 0;
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
            None => columns = Some(Columns::of(line, text, needed)?),
            Some(_) if count == MAX_JOBS => return Err(at(line, format!("a file has at most {MAX_JOBS} jobs"))),
            Some(columns) => {
                count += 1;
                let fields: Vec<&str> = fields(text).collect();
                if fields.len() != columns.names.len() {
                    let message = format!("{} fields where the first line has {}", fields.len(), columns.names.len());
                    return Err(at(line, message));
                }
                each(columns, line, &fields)?;
            }
        }
    }
    Ok(())
}

/// Checks that there is a job, and a job with work above zero.
fn check<'a>(mut jobs: impl Iterator<Item = &'a Job> + Clone, needed: &str) -> Result<(), TraceError> {
    if jobs.clone().next().is_none() {
        let message =
            format!("there are no jobs in this file; write {needed} in the first line and a job in each further line");
        return Err(TraceError::File(message));
    }
    if jobs.all(|job| job.work == Duration::ZERO) {
        return Err(TraceError::File("every job takes 0 ns; at least one must take longer".to_owned()));
    }
    Ok(())
}

/// The columns of the numbers.
struct Columns {
    names: Vec<String>,
    size_bytes: usize,
    job_ns: usize,
    estimate_ns: Option<usize>,
}

impl Columns {
    fn of(line: u64, text: &str, needed: &str) -> Result<Self, TraceError> {
        let names: Vec<String> = fields(text).map(str::to_owned).collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let missing = needed.split(',').find(|wanted| place(wanted).is_none());
        let (Some(size_bytes), Some(job_ns), None) = (place("size_bytes"), place("job_ns"), missing) else {
            let missing = missing.unwrap_or_default();
            return Err(at(line, format!("no column is called `{missing}`; the first line must have {needed}")));
        };
        let estimate_ns = place("estimate_ns");
        Ok(Self { names, size_bytes, job_ns, estimate_ns })
    }

    fn place(&self, wanted: &str) -> Option<usize> {
        self.names.iter().position(|name| name == wanted)
    }

    fn job(&self, line: u64, fields: &[&str]) -> Result<Job, TraceError> {
        let size_bytes = fields[self.size_bytes];
        let size_bytes =
            size_bytes.parse().ok().filter(|size| (1..=Packet::MAX_BYTES).contains(size)).ok_or_else(|| {
                let most = Packet::MAX_BYTES;
                at(line, format!("`size_bytes` must be a whole number from 1 to {most}, not `{size_bytes}`"))
            })?;
        let work = ns(line, "job_ns", fields[self.job_ns])?;
        let estimate = self.estimate_ns.map_or(Ok(work), |place| ns(line, "estimate_ns", fields[place]))?;
        Ok(Job { size_bytes, work, estimate })
    }
}

fn ns(line: u64, what: &str, text: &str) -> Result<Duration, TraceError> {
    let number = text.parse::<f64>().ok().filter(|ns| (0.0..=MAX_NS).contains(ns));
    number
        .map(|ns| Duration::from_secs_f64(ns * 1e-9))
        .ok_or_else(|| at(line, format!("`{what}` must be a number of nanoseconds from 0 to {MAX_NS:e}, not `{text}`")))
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
    fn a_trace_has_times_and_flows() {
        let read = |text: &str| read_arrival_csv(text.as_bytes());
        let text = "flow,time_ns,size_bytes,job_ns,estimate_ns\nb,0,64,5,6\na,1.5,100,7,7\nb,1.5,64,9,9\n";
        let arrivals = read(text).unwrap();
        let seen: Vec<_> = arrivals.iter().map(|one| (one.at.as_ps(), one.flow, one.job.work.as_ns())).collect();
        assert_eq!(seen, [(0, 0, 5), (1_500, 1, 7), (1_500, 0, 9)]);
        assert_eq!(arrivals[0].job.estimate, Duration::from_ns(6));
        for (text, line, part) in [
            ("size_bytes,job_ns\n64,1\n", 1, "no column is called `time_ns`; the first line must have time_ns,flow"),
            ("time_ns,size_bytes,job_ns\n0,64,1\n", 1, "no column is called `flow`"),
            (
                "time_ns,flow,size_bytes,job_ns\n5,a,64,1\n4,a,64,1\n",
                3,
                "at least that of the line before, and 4 is not",
            ),
            ("time_ns,flow,size_bytes,job_ns\n-5,a,64,1\n", 2, "`time_ns` must be a number"),
        ] {
            match read(text) {
                Err(TraceError::Line { line: at, message }) => {
                    assert!(at == line && message.contains(part), "{text}: {at} {message}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(matches!(read("time_ns,flow,size_bytes,job_ns\n"), Err(TraceError::File(_))));
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
