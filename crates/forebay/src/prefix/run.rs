//! Plays the policies and searches for the bounds.

use super::report::{Bounds, Gap, PrefixReport, Row, Trace};
use super::{Setting, prompts};
use crate::error::{Result, UserError};
use crate::result_schema::SCHEMA_VERSION;
use forebay_cache::prefix::bound::{PrefixBound, PrefixProblem, bound};
use forebay_cache::prefix::{Outcome, PrefixChoice, PromptTrace, Service, serve};
use forebay_core::convert;
use rayon::prelude::*;

const PS: f64 = 1e12;

/// Answers a question.
///
/// # Errors
/// If the trace cannot be read, or a number of the question is out of its range.
pub fn run(setting: &Setting) -> Result<PrefixReport> {
    let service = setting.service()?;
    let (trace, format, warnings) = prompts::open(setting)?;
    let policies = setting.policies.iter();
    let cells: Vec<(u64, &PrefixChoice)> =
        setting.blocks.iter().flat_map(|&blocks| policies.clone().map(move |policy| (blocks, policy))).collect();
    let results = cells.into_par_iter().map(|(blocks, policy)| row(&trace, blocks, policy, &service));
    let results = results.collect::<Result<_>>()?;
    let bounds = match setting.bound_steps {
        None => Vec::new(),
        Some(steps) => setting.blocks.par_iter().map(|&blocks| bounds(&trace, blocks, &service, steps)).collect(),
    };
    let last = trace.arrival(trace.len() - 1) as f64 / 1e9;
    let speed = service.speed_thousandths as f64 / 1000.0;
    Ok(PrefixReport {
        schema_version: SCHEMA_VERSION,
        kind: "prefix",
        forebay: env!("CARGO_PKG_VERSION"),
        seed: setting.seed.0,
        warnings,
        trace: Trace {
            name: setting.trace.clone(),
            format,
            block_tokens: trace.block_tokens(),
            prompts: trace.len(),
            blocks: trace.all_blocks().len() as u64,
            distinct_blocks: trace.distinct_blocks() as u64,
            repeated_blocks: (0..trace.len()).map(|prompt| trace.seen(prompt) as u64).sum(),
            tokens: tokens(&trace),
            seconds: last / speed,
        },
        workers: service.workers,
        token_ps: service.costs.prefill.token_ps,
        pair_fs: service.costs.prefill.pair_fs,
        fetch_token_ps: service.costs.fetch_token_ps,
        speed,
        results,
        bounds,
    })
}

fn tokens(trace: &PromptTrace) -> u64 {
    (0..trace.len()).map(|prompt| trace.input_tokens(prompt)).fold(0, u64::saturating_add)
}

fn row(trace: &PromptTrace, blocks: u64, policy: &PrefixChoice, service: &Service) -> Result<Row> {
    let wrong = |error: forebay_core::ParamError| UserError::argument("policy", format!("`{policy}`: {error}"));
    let mut store = policy.store(trace, blocks, &service.costs).map_err(wrong)?;
    let outcome = serve(trace, &mut *store, service);
    let share = |part: u64, all: u64| part as f64 / all.max(1) as f64;
    let percentile = |percent| outcome.first_token_percentile(percent) as f64 / PS;
    let mean = |outcome: &Outcome| {
        let sum: u128 = outcome.first_token_ps.iter().map(|&ps| u128::from(ps)).sum();
        sum as f64 / outcome.first_token_ps.len().max(1) as f64 / PS
    };
    Ok(Row {
        policy: policy.to_string(),
        capacity_blocks: blocks,
        offline: policy.offline(),
        hit_blocks: outcome.hit_blocks,
        hit_block_share: share(outcome.hit_blocks, outcome.blocks),
        hit_tokens: outcome.hit_tokens,
        hit_token_share: share(outcome.hit_tokens, outcome.tokens),
        delayed_blocks: outcome.delayed_blocks,
        delayed_block_share: share(outcome.delayed_blocks, outcome.blocks),
        evictions: outcome.evictions,
        work_seconds: outcome.busy_ps as f64 / PS,
        load: outcome.busy_ps as f64 / (outcome.span_ps.max(1) as f64 * service.workers as f64),
        ttft_p50_seconds: percentile(50),
        ttft_p90_seconds: percentile(90),
        ttft_p99_seconds: percentile(99),
        ttft_mean_seconds: mean(&outcome),
        ttft_max_seconds: percentile(100),
    })
}

fn bounds(trace: &PromptTrace, blocks: u64, service: &Service, steps: u32) -> Bounds {
    let of = |total: u128, weight: &(dyn Fn(usize, usize) -> u64 + Sync)| {
        bound(&PrefixProblem::new(trace, blocks, total, weight), steps)
    };
    let all = trace.all_blocks().len() as u128;
    let hits = of(all, &|_, _| 1);
    let token_total = u128::from(tokens(trace));
    let token_hits =
        of(token_total, &|prompt, depth| trace.tokens_of(prompt, depth + 1) - trace.tokens_of(prompt, depth));
    let work_total = (0..trace.len()).map(|prompt| u128::from(service.costs.prompt(trace, prompt, 0))).sum();
    let work = of(work_total, &|prompt, depth| service.costs.block(trace, prompt, depth));
    Bounds {
        capacity_blocks: blocks,
        hit_blocks_most: convert::saturate(hits.total - hits.lower),
        hit_tokens_most: convert::saturate(token_hits.total - token_hits.lower),
        work_seconds_least: work.lower as f64 / PS,
        blocks: gap(&hits),
        tokens: gap(&token_hits),
        work: gap(&work),
    }
}

fn gap(bound: &PrefixBound) -> Gap {
    let gap = bound.gap_millionths() as f64 / 1e6;
    Gap { least: bound.lower, found: bound.upper, gap, exact: bound.exact || bound.upper == bound.lower }
}
