//! `forebay bound TRACE`.

use super::cache_scenario::CacheScenario;
use crate::Done;
use crate::args::{BoundArgs, RecordedOfBounds};
use forebay::caching::List;
use forebay::document::Value;
use forebay::error::Result;

pub(crate) fn run(args: &BoundArgs) -> Result<Done> {
    let mut scenario = CacheScenario::new("bound", std::slice::from_ref(&args.trace), &args.reading);
    scenario.capacities(&List(vec![args.capacity.clone()]));
    scenario.latencies(std::slice::from_ref(&args.latency));
    scenario.sizes(args.sizes);
    scenario.put("gap", "gap", Value::Number(args.gap));
    scenario.put("iterations", "iterations", Value::whole(args.iterations.into()));
    if let Some(seconds) = args.seconds {
        scenario.put("seconds", "seconds", Value::Number(seconds));
    }
    if args.exact {
        scenario.put("exact", "exact", Value::Boolean(true));
    }
    if let Some(RecordedOfBounds::Schedule) = args.record {
        scenario.record("schedule");
    }
    if let Some(file) = &args.certificate {
        scenario.put("certificate", "certificate", Value::Text(file.display().to_string()));
    }
    scenario.run(&args.run)
}
