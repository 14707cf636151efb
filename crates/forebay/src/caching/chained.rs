//! Traces in which requests follow others, in a closed loop: a request arrives after the answer to the request that it follows (thesis,
//! section 2.6.3).

use super::reading::Reading;
use super::scenario::{Capacities, Setting, Study};
use crate::document::Table;
use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use forebay_cache::chains::{Chains, Pages};
use forebay_cache::{Choice, PrefetchChoice};
use serde::{Deserialize, Serialize};

/// The latencies of pages. A page is a request that follows none, with all requests that follow it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PageNumbers {
    /// The number of pages with two or more requests.
    pub pages: u64,
    /// The mean time from a page's first request to its last answer, in ticks.
    pub mean_latency: f64,
    /// The median latency of pages, in ticks, with three significant digits (HDR histogram).
    pub latency_p50: u64,
    /// The 99th percentile of the latency of pages, in ticks.
    pub latency_p99: u64,
    /// The greatest latency of a page, exact, in ticks.
    pub latency_max: u64,
}

impl PageNumbers {
    /// Returns the numbers; [`None`] without pages.
    pub(super) fn new(pages: &Pages) -> Option<Self> {
        (pages.count() > 0).then(|| Self {
            pages: pages.count(),
            mean_latency: pages.total_latency() as f64 / pages.count() as f64,
            latency_p50: pages.quantile(0.5),
            latency_p99: pages.quantile(0.99),
            latency_max: pages.max(),
        })
    }
}

/// Returns the error of a study that needs to know beforehand when requests arrive.
pub(super) fn only_played(table: &Table<'_>, study: Study) -> UserError {
    let (word, what) = (study.word(), if study == Study::Bound { "bounds are" } else { "curves are" });
    table.error(format!(
        "requests of this trace follow others, so their times depend on the policy; {what} for requests whose times are known. Play it \
         with [cache] (forebay cache) in place of [{word}]"
    ))
}

/// Rejects settings that need the times of requests beforehand, or all requests of a page.
pub(super) fn check(table: &Table<'_>, choices: &[Choice], setting: &Setting) -> Result<()> {
    const WHY: &str = "requests of this trace follow others, so their times depend on the policy";
    for (field, advice) in [
        ("sample", "a sample of the objects would break chains of requests; leave `sample` out"),
        ("bound_seconds", "a bound is for requests whose times are known; leave it out"),
        ("bound_iterations", "a bound is for requests whose times are known; leave it out"),
        ("schedule", "a schedule is for requests whose times are known; leave it out"),
        ("estimates", "future delays are not known; leave `estimates` out"),
        ("attribute", "two policies share no windows of time; compare objects with `pairwise = true`"),
    ] {
        if let Some(node) = table.get(field) {
            return Err(node.error(format!("{WHY}; {advice}")));
        }
    }
    if setting.prefetch.as_ref().is_some_and(PrefetchChoice::offline) {
        return Err(setting
            .places
            .prefetch
            .error(format!("{WHY}; requests cannot be announced: use another prefetcher")));
    }
    if let Some(policy) = choices.iter().find(|choice| choice.offline()) {
        return Err(
            table.error(format!("{WHY}; `{policy}` needs the future requests, which are not known: leave it out"))
        );
    }
    if let Capacities::Given(specs) = &setting.capacities
        && specs.iter().any(super::CapacitySpec::is_of_active)
    {
        let advice = "write the capacity as entries, bytes, or a share of all objects like 5%";
        return Err(setting
            .places
            .capacity
            .error(format!("{WHY}; so does the number of objects active at one time: {advice}")));
    }
    Ok(())
}

/// Reads all requests with the requests that they follow, and the warnings.
pub(super) fn read(trace: &RequestTrace, sized: bool, goes_on: &dyn Fn() -> bool) -> Result<(Chains, Vec<String>)> {
    let mut reading = Reading::open(trace, sized)?;
    reading.begin_links();
    let requests = reading.rest(goes_on)?;
    let follows = reading.links().to_vec();
    Ok((Chains::new(requests, follows), reading.warnings()))
}
