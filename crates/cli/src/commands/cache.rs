//! `forebay cache TRACE`.

use crate::args::{CacheArgs, CacheModel, CacheModelArgs, Format, Sizes};
use crate::manifest::manifest;
use crate::terminal::TERMINAL;
use crate::threads;
use crate::{Done, interrupt};
use forebay::caching::{self, CapacitySpec, LatencySpec, List, Plan};
use forebay::error::{Result, UserError};
use forebay::output::folder;
use forebay::requests::RequestTrace;
use forebay_cache::Choice;
use forebay_core::Seed;
use std::time::Instant;

pub(crate) fn run(args: &CacheArgs) -> Result<Done> {
    let mut plan = plan(&args.policy, &args.capacity, &args.latency, &args.model)?;
    if let Some(pair) = &args.attribute {
        for policy in [&pair.before, &pair.after] {
            if plan.policies.iter().all(|own| own.to_string() != policy.to_string()) {
                plan.policies.push(policy.clone());
            }
        }
        plan.attribute = Some(pair.clone());
    }
    let traces = args
        .traces
        .iter()
        .map(|trace| RequestTrace::new(trace, args.reading.format_in.as_ref()))
        .collect::<Result<Vec<_>>>()?;
    traces.iter().try_for_each(|trace| trace.refuse_pipe("forebay cache"))?;
    plan.bound_seconds = args.bound.then_some(args.bound_seconds);
    threads::start(args.threads)?;
    interrupt::watch();
    if let Some(folder) = &args.out {
        folder::create(folder)?;
    }
    let start = Instant::now();
    let report = caching::compare(&plan, &traces, &TERMINAL)?;
    if let Some(folder) = &args.out {
        let places: Vec<_> = traces.iter().map(RequestTrace::place).collect();
        let manifest = manifest(&places.join("\n"), args.model.seed, start);
        let mut files = vec![("plot.svg".to_owned(), caching::plot(&report)?)];
        if !report.attributions.is_empty() {
            files.push(("objects.csv".to_owned(), caching::objects_csv(&report.attributions)));
        }
        folder::write_result(folder, &report, &manifest, &files)?;
    }
    let text = match args.format {
        Format::Table => caching::table(&report),
        Format::Json => folder::json(&report)?,
        Format::Csv => caching::rows_csv(&report),
    };
    Ok(Done { text, status: if report.complete { 0 } else { interrupt::EXIT_STATUS } })
}

/// What was asked for.
pub(super) fn plan(
    policy: &List<Choice>,
    capacity: &List<CapacitySpec>,
    latency: &List<LatencySpec>,
    model: &CacheModelArgs,
) -> Result<Plan> {
    if model.ways.is_some() && model.sizes == Sizes::Bytes {
        return Err(UserError::argument("ways", "sets are of so many entries; with --sizes bytes leave it out"));
    }
    Ok(Plan {
        policies: policy.0.clone(),
        capacities: capacity.0.clone(),
        latencies: latency.0.clone(),
        delayed: model.model != CacheModel::Classical,
        classical: model.model != CacheModel::Delayed,
        sized: model.sizes == Sizes::Bytes,
        ways: model.ways,
        warmup: model.warmup,
        seed: Seed(model.seed),
        attribute: None,
        sample: None,
        bound_seconds: None,
    })
}
