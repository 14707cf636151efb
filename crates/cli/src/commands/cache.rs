//! `forebay cache TRACE`.

use super::cache_scenario::{CacheScenario, node};
use crate::Done;
use crate::args::CacheArgs;
use forebay::document::Value;
use forebay::error::Result;

pub(crate) fn run(args: &CacheArgs) -> Result<Done> {
    let mut scenario = CacheScenario::new("cache", &args.traces, &args.reading);
    scenario.policies(&args.policy.0);
    if let Some(capacities) = &args.capacity {
        scenario.capacities(capacities);
    }
    scenario.latencies(&args.latency.0);
    scenario.model(&args.model);
    if args.bound {
        scenario.put("bound_seconds", "bound", Value::Number(args.bound_seconds));
    }
    if let Some(pair) = &args.attribute {
        scenario.policies([&pair.before, &pair.after]);
        let names = [&pair.before, &pair.after].map(|policy| node(Value::Text(policy.to_string()), "attribute"));
        scenario.put("attribute", "attribute", Value::Array(names.to_vec()));
    }
    scenario.run(&args.run)
}
