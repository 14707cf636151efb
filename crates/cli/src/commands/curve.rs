//! `forebay curve TRACE`.

use super::cache::plan;
use crate::args::{CurveArgs, Format};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::threads;
use crate::{Done, interrupt};
use forebay::caching::{self, List};
use forebay::error::Result;
use forebay::output::folder;
use forebay::requests::RequestTrace;
use forebay_cache::curve::KeySample;
use forebay_core::Seed;
use std::time::Instant;

pub(crate) fn run(args: &CurveArgs) -> Result<Done> {
    let empty = List(Vec::new());
    let mut plan = plan(&args.policy, args.capacity.as_ref().unwrap_or(&empty), &args.latency, &args.model)?;
    plan.sample = (args.sample < 1.0).then(|| KeySample::new(args.sample, Seed(args.model.seed)));
    let trace = RequestTrace::new(&args.trace, args.reading.format_in.as_ref())?;
    trace.refuse_pipe("forebay curve")?;
    threads::start(args.threads)?;
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let report = caching::curves(&plan, &trace, args.points, &TERMINAL)?;
    if let Some(folder) = &args.out {
        let manifest = manifest(&trace.place(), args.model.seed, start);
        folder::write_result(folder, &report, &manifest, &caching::curve_pictures(&report)?)?;
    }
    let text = match args.format {
        Format::Table => caching::curve_table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => caching::curve_csv(&report),
    };
    Ok(Done { text, status: if report.complete { 0 } else { interrupt::EXIT_STATUS } })
}
