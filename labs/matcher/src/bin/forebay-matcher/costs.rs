//! What innocent payloads cost.

use forebay_core::Duration;
use forebay_matcher::{Job, TwoStage, Verdict, mean_bytes};

/// Runs each twice, alone.
pub(crate) fn of_innocents(
    stages: &mut TwoStage,
    innocent: &[Vec<u8>],
    clock: &mut impl FnMut() -> Duration,
) -> String {
    let (mut filter, mut confirm, mut matched, mut candidates) = (0.0, 0.0, 0, 0);
    let mut per_byte = Vec::new();
    for payload in innocent.iter().chain(innocent) {
        let (found, cost) = stages.filter_cost(payload, clock);
        candidates += found.len();
        let mut job = Job::new(found);
        matched += usize::from(job.run(stages, payload, clock) != Verdict::Pass);
        filter += cost.as_ns_f64();
        confirm += job.spent().as_ns_f64();
        per_byte.push((cost + job.spent()).as_ns_f64() / payload.len() as f64);
    }
    let count = per_byte.len() as f64;
    per_byte.sort_by(f64::total_cmp);
    let at = |percent: usize| per_byte[(per_byte.len() - 1) * percent / 100];
    format!(
        "innocent: {:.0} B, filter {:.1} us, confirmation {:.1} us, {:.1} candidates in the mean; {:.1} % match a rule; \
         ns/B: 1 % {:.0}, median {:.0}, 99 % {:.0}, most {:.0}",
        mean_bytes(innocent),
        filter / count / 1e3,
        confirm / count / 1e3,
        candidates as f64 / count,
        100.0 * matched as f64 / count,
        at(1),
        at(50),
        at(99),
        at(100)
    )
}
