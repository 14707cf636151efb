//! `forebay cache TRACE`.

use super::cache_scenario::{CacheScenario, share_text};
use crate::args::{CacheArgs, RecordedOfCaches, Sizes};
use crate::{Done, warn};
use forebay::caching::{default_policies, default_sample};
use forebay::document::{Node, Value};
use forebay::error::Result;
use forebay::requests::RequestTrace;
use forebay_cache::Choice;

pub(crate) fn run(args: &CacheArgs) -> Result<Done> {
    let mut scenario = CacheScenario::new("cache", &args.traces, &args.reading);
    match &args.policy {
        Some(policies) => scenario.policies(&policies.0),
        None => {
            let policies = default_policies(args.model.sizes == Sizes::Bytes);
            let is_chained =
                traces(args)?.iter().any(|trace| trace.refuse_pipe("").is_ok() && trace.is_chained().unwrap_or(false));
            // If requests depend on earlier ones, no policy knows the future.
            scenario.policies(policies.iter().filter(|policy| !(is_chained && policy.offline())));
        }
    }
    if let Some(capacities) = &args.capacity {
        scenario.capacities(capacities);
    }
    scenario.latencies(&args.latency.0);
    scenario.model(&args.model);
    scenario.service(&args.service);
    if args.bound {
        scenario.put("bound_seconds", "bound", Value::Number(args.bound_seconds));
    }
    for (field, is_asked) in [("estimates", args.estimates), ("pairwise", args.pairwise)] {
        if is_asked {
            scenario.put(field, field, Value::Boolean(true));
        }
    }
    if let Some(format) = &args.users {
        scenario.put("users", "users", Value::Text(format.clone()));
    }
    if let Some(pair) = &args.attribute {
        let names = [&pair.before, &pair.after];
        scenario.policies(&names.into_iter().filter_map(|name| name.parse().ok()).collect::<Vec<Choice>>());
        let names = names.map(|name| Node::given_text("attribute", name));
        scenario.put("attribute", "attribute", Value::Array(names.to_vec()));
    }
    for table in &args.record {
        scenario.record(match table {
            RecordedOfCaches::Requests => "requests",
            RecordedOfCaches::Schedule => "schedule",
        });
    }
    if let Some(file) = &args.schedule {
        scenario.put("schedule", "schedule", Value::Text(file.clone()));
    }
    let needs_all = args.bound || args.schedule.is_some() || args.users.is_some() || args.service.refuses_samples();
    if args.model.sample.is_none() && args.model.ways.is_none() && !needs_all {
        sample_if_long(&mut scenario, args)?;
    }
    scenario.run(&args.run)
}

/// The traces, as far as they are read.
fn traces(args: &CacheArgs) -> Result<Vec<RequestTrace>> {
    let format = args.reading.format_in.as_ref();
    let first = |trace: RequestTrace| match args.model.requests {
        Some(requests) => trace.first(requests),
        None => trace,
    };
    args.traces.iter().map(|trace| RequestTrace::new(trace, format).map(first)).collect()
}

/// Samples a long trace, so that a first answer does not take an hour.
fn sample_if_long(scenario: &mut CacheScenario, args: &CacheArgs) -> Result<()> {
    if let Some((share, requests)) = default_sample(&traces(args)?) {
        let (share_text, millions) = (share_text(share), (requests / 1e6).round());
        warn(&format!(
            "the trace has about {millions} million requests, so a sample of {share_text} of its objects is played; \
             --sample 100% plays all of them"
        ));
        scenario.sample(share);
    }
    Ok(())
}
