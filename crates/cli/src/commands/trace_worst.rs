//! `forebay trace worst`: requests on which a cache policy is far from the optimum.

use super::trace_requests::write_from;
use crate::Done;
use crate::args::TraceWorstArgs;
use crate::terminal::TERMINAL;
use forebay::Observer as _;
use forebay::error::{Result, UserError};
use forebay_cache::worst_case::{Worst, WorstError, WorstSpec, worst};
use forebay_core::{Clock, Seed};
use forebay_traces::requests::{Facts, Listed};

/// Maximum number of slots of a pattern if none are given.
const MOST_SLOTS: u64 = 400;

pub(crate) fn run(args: &TraceWorstArgs) -> Result<Done> {
    let slots = args.slots.unwrap_or_else(|| (args.capacity * args.latency).clamp(args.capacity + 1, MOST_SLOTS));
    let spec = WorstSpec {
        policy: args.policy.clone(),
        capacity: args.capacity,
        latency: args.latency,
        objects: args.objects.unwrap_or(args.capacity + 1),
        slots: usize::try_from(slots).unwrap_or(usize::MAX),
        repeats: args.repeats,
        tries: args.tries,
        seed: Seed(args.seed),
    };
    let found = worst(&spec, |_, _| TERMINAL.goes_on()).map_err(|error| wrong(&error))?;
    let facts = Facts { format: "worst", clock: Clock::Slots, sizes: false };
    let mut reader = Listed::new(facts, found.requests.clone());
    write_from(&mut reader, &args.output, args.to.as_deref(), &|error| UserError::new(error.to_string()))?;
    Ok(Done::ok(said(args, &found)))
}

fn wrong(error: &WorstError) -> UserError {
    match error {
        WorstError::Wrong(error) => match &error.param {
            Some(param) => UserError::at(format!("--{param}"), &error.message),
            None => UserError::new(error.message.clone()),
        },
        WorstError::Bound(error) => UserError::new(error.to_string()),
    }
}

/// The text about the requests that were found, and commands to examine them.
fn said(args: &TraceWorstArgs, found: &Worst) -> String {
    let (least, most) = found.ratio();
    let (policy, output) = (&args.policy, args.output.display());
    let times = if least == most { format!("{least:.2}") } else { format!("{least:.2} to {most:.2}") };
    let (requests, latency, bounds) = (found.requests.len(), found.latency, &found.bounds);
    let place = format!("--capacity {} --latency {}", args.capacity, args.latency);
    format!(
        "{policy} waits {latency} slots on {requests} requests, and the best schedule found {}: {times} times the optimum\n\n    \
         forebay cache {output} --policy {policy} {place} --bound\n    forebay bound {output} {place}\n",
        bounds.upper
    )
}
