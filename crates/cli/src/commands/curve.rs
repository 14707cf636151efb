//! `forebay curve TRACE`.

use super::cache::plan;
use crate::args::{CurveArgs, Format};
use crate::caching::{self, List};
use crate::error::Result;
use crate::output::folder::{self, Manifest};
use crate::requests::RequestTrace;
use crate::{Done, interrupt, threads};
use forebay_cache::curve::KeySample;
use forebay_core::Seed;
use std::time::Instant;

pub(crate) fn run(args: &CurveArgs) -> Result<Done> {
    let empty = List(Vec::new());
    let mut plan = plan(&args.policy, args.capacity.as_ref().unwrap_or(&empty), &args.latency, &args.model)?;
    plan.sample = (args.sample < 1.0).then(|| KeySample::new(args.sample, Seed(args.model.seed)));
    let trace = RequestTrace::new(&args.trace, &args.reading)?;
    trace.refuse_pipe("forebay curve")?;
    threads::start(args.threads)?;
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let report = caching::curves(&plan, &trace, args.points)?;
    if let Some(folder) = &args.out {
        let manifest = Manifest::new(&trace.place(), args.model.seed, start.elapsed());
        folder::write_result(folder, &report, &manifest, &caching::curve_pictures(&report)?)?;
    }
    let text = match args.format {
        Format::Table => caching::curve_table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => caching::curve_csv(&report),
    };
    Ok(Done { text, status: if report.complete { 0 } else { interrupt::EXIT_STATUS } })
}
