//! Reads innocent traffic and its jobs from `[innocent]`.

use super::application::Application;
use super::scenario::InnocentTraffic;
use crate::document::{Node, Table, Value};
use crate::error::Result;
use crate::scenario::{Files, distribution, quantity, trace_error};
use forebay_core::registry::suggest;
use forebay_core::{Duration, Packet};
use forebay_sim::attack::applications::Told;
use forebay_sim::attack::job_csv::{read_arrival_csv, read_job_csv};
use forebay_sim::attack::traffic::Gaps;
use forebay_sim::attack::{Estimator, Innocent, Job, Jobs, Quantity};

const DEFAULT_FLOWS: u64 = 100;
/// Jobs from which attacks are computed.
const SAMPLE: usize = 100_000;
const GAPS: [(&str, Gaps); 2] = [("constant", Gaps::Constant), ("poisson", Gaps::Poisson)];
const JOBS_EXAMPLE: &str =
    "job_ns = { distribution = \"normal\", min = 1, max = 10_000, mean = 1000, deviation = 100 }";
/// The longest job in nanoseconds: a thousand seconds.
const MAX_JOB_NS: u64 = 1_000_000_000_000;

/// The estimates of the work of packets that policies get.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Estimate {
    /// Policies know the work of jobs, or its measurement.
    Told,
    /// Their work, whatever was measured.
    Truth,
    /// An application makes the estimates.
    Application,
    /// Something else.
    By(Estimator),
}

impl Estimate {
    /// Returns the name in results.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Told | Self::Truth | Self::By(Estimator::Told) => "told",
            Self::Application => "application",
            Self::By(Estimator::LogNormal { .. }) => "log-normal",
            Self::By(Estimator::Constant(_)) => "constant",
        }
    }

    /// Returns the function that changes the stated work of jobs.
    pub(super) fn estimator(self) -> Estimator {
        match self {
            Self::By(estimator) => estimator,
            Self::Told | Self::Truth | Self::Application => Estimator::Told,
        }
    }
}

/// Reads `[innocent]` except for rate and numbers of packets, with the application that makes its jobs if they are not drawn. If the
/// scheduler is to know the true work, the estimates of measured jobs are left out.
pub(super) fn read(
    node: &Node,
    estimate: Estimate,
    files: &dyn Files,
) -> Result<(InnocentTraffic, Option<Application>)> {
    let table = node.table("[innocent]")?;
    // The caller reads these.
    for field in ["rate", "packets", "warmup"] {
        table.get(field);
    }
    let application = table.get("application").map(|node| Application::read(node, &table, files)).transpose()?;
    let (innocent, gaps, flows) = match (&application, table.get("replay")) {
        (Some(_), Some(node)) => {
            return Err(node
                .error("`replay` has packets with jobs, but `application` makes its own jobs; leave one of them out"));
        }
        (None, Some(node)) => replayed(node, &table, estimate == Estimate::Truth, files)?,
        (Some(application), None) => {
            let told = if estimate == Estimate::Application { Told::Estimate } else { Told::Truth };
            (Innocent::made_by(application.workload(), told), application.gaps, application.flows)
        }
        (None, None) => packets(&table, estimate == Estimate::Truth, files)?,
    };
    table.finish()?;
    if innocent.means().work_s <= 0.0 {
        return Err(node.error("innocent jobs take no time; give them a time above 0"));
    }
    let (sample, application_name) = (innocent.sample(SAMPLE), application.as_ref().map(Application::name));
    Ok((InnocentTraffic { innocent, application: application_name, gaps, flows, sample }, application))
}

/// Packets that are played as they were recorded.
fn replayed(
    node: &Node,
    table: &Table<'_>,
    is_truth_told: bool,
    files: &dyn Files,
) -> Result<(Innocent, &'static str, u32)> {
    for field in ["size_bytes", "job_ns", "jobs", "gaps", "flows"] {
        if let Some(node) = table.get(field) {
            return Err(
                node.error(format!("`replay` has packets with their times, flows and jobs; leave `{field}` out"))
            );
        }
    }
    let (file, input) = files.open(node.text("replay")?).map_err(|error| node.error(error.to_string()))?;
    let mut arrivals = read_arrival_csv(input).map_err(|error| trace_error(&file, error))?;
    if is_truth_told {
        arrivals.iter_mut().for_each(|arrival| arrival.job = Job::known(arrival.job.size_bytes, arrival.job.work));
    }
    let flows = arrivals.iter().map(|arrival| arrival.flow).max().map_or(0, |last| last.saturating_add(1));
    Ok((Innocent::replayed(arrivals.into()), "recorded", flows))
}

/// Packets whose jobs are drawn.
fn packets(table: &Table<'_>, is_truth_told: bool, files: &dyn Files) -> Result<(Innocent, &'static str, u32)> {
    let (gaps_name, gaps) = match table.get("gaps") {
        None => GAPS[0],
        Some(node) => {
            let name = node.text("gaps")?;
            GAPS.into_iter().find(|(known, _)| *known == name).ok_or_else(|| {
                let known = suggest(name, GAPS.map(|(known, _)| known));
                node.error(format!("`gaps` must be \"constant\" or \"poisson\", not `{name}`{known}"))
            })?
        }
    };
    let flows = table.get("flows").map_or(Ok(DEFAULT_FLOWS), |node| node.integer("flows", 1, 1 << 20))?;
    let jobs = match table.get("jobs") {
        Some(file) => {
            for field in ["size_bytes", "job_ns"] {
                if let Some(node) = table.get(field) {
                    return Err(node.error(format!("`jobs` has packets with their jobs; leave `{field}` out")));
                }
            }
            measured(file, is_truth_told, files)?
        }
        None => drawn(table)?,
    };
    let flows = u32::try_from(flows).expect("read as at most 2^20");
    Ok((Innocent::new(jobs, gaps, flows), gaps_name, flows))
}

fn measured(node: &Node, is_truth_told: bool, files: &dyn Files) -> Result<Jobs> {
    let (file, input) = files.open(node.text("jobs")?).map_err(|error| node.error(error.to_string()))?;
    let jobs = read_job_csv(input).map_err(|error| trace_error(&file, error))?;
    Ok(Jobs::Measured(match is_truth_told {
        true => jobs.into_iter().map(|job| Job::known(job.size_bytes, job.work)).collect(),
        false => jobs,
    }))
}

fn drawn(table: &Table<'_>) -> Result<Jobs> {
    let size_node = table.require("size_bytes", "size_bytes = 1250")?;
    let size_bytes = Quantity::Drawn(distribution(size_node, "size_bytes", 1, Packet::MAX_BYTES.into())?);
    let Some(job_node) = table.get("job_ns") else {
        return Err(table.error(format!(
            "[innocent] has no jobs; add for example `{JOBS_EXAMPLE}`, or jobs = \"FILE.csv\", or \
             application = \"tcp-reassembly\""
        )));
    };
    let job_ns = |node| Ok(Quantity::Drawn(distribution(node, "job_ns", 0, MAX_JOB_NS)?));
    if let Value::Table(fields) = &job_node.value
        && fields.iter().any(|(name, _)| name == "ns_per_byte")
    {
        let table = job_node.table("`job_ns`")?;
        let ns_per_byte = table.require("ns_per_byte", "ns_per_byte = 0.8")?.number("ns_per_byte", 0.0, 1e9)?;
        let more_ns = table.get("more_ns").map_or(Ok(Quantity::constant(0.0)), job_ns)?;
        table.finish()?;
        return Ok(Jobs::Linear { size_bytes, ns_per_byte, more_ns });
    }
    Ok(Jobs::Independent { size_bytes, work_ns: job_ns(job_node)? })
}

/// Reads the estimates of the work of packets that policies get.
pub(super) fn estimate(node: Option<&Node>) -> Result<Estimate> {
    let Some(node) = node else { return Ok(Estimate::Told) };
    let wrong = "`estimate` must be \"truth\", \"application\", { sigma = 0.5 } or { constant = \"1 us\" }";
    match &node.value {
        Value::Text(text) if text == "truth" => Ok(Estimate::Truth),
        Value::Text(text) if text == "application" => Ok(Estimate::Application),
        Value::Table(_) => {
            let table = node.table("`estimate`")?;
            let estimator = match (table.get("sigma"), table.get("constant")) {
                (Some(sigma), None) => Estimator::LogNormal { sigma: sigma.number("sigma", 0.0, 10.0)? },
                (None, Some(constant)) => Estimator::Constant(quantity(constant, "constant", Duration::parse)?),
                _ => return Err(node.error(wrong)),
            };
            table.finish()?;
            Ok(Estimate::By(estimator))
        }
        _ => Err(node.error(wrong)),
    }
}
