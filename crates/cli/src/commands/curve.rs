//! `forebay curve TRACE`.

use super::cache_scenario::CacheScenario;
use crate::Done;
use crate::args::CurveArgs;
use forebay::document::Value;
use forebay::error::Result;

pub(crate) fn run(args: &CurveArgs) -> Result<Done> {
    let mut scenario = CacheScenario::new("curve", std::slice::from_ref(&args.trace), &args.reading);
    scenario.policies(&args.policy.0);
    match &args.capacity {
        Some(capacities) => scenario.curve_capacities(capacities),
        None => scenario.put("points", "points", Value::whole(args.points.into())),
    }
    scenario.latencies(&args.latency.0);
    scenario.model(&args.model);
    scenario.run(&args.run)
}
