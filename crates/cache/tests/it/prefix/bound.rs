//! The bounds against all ways to use a cache, and with the feature `exact` against the linear programme.

use super::{random_prompts, trace};
use forebay_cache::prefix::bound::{PrefixBound, PrefixProblem, bound, most_saved, sweep};
use forebay_cache::prefix::{Costs, PREFIX_POLICIES, Prefill, PrefixChoice, PromptTrace, Service, serve};

/// Costs with attention that weighs much.
const COSTS: Costs = Costs { prefill: Prefill { token_ps: 100, pair_fs: 100_000 }, fetch_token_ps: None };

type Weight<'a> = &'a dyn Fn(usize, usize) -> u64;

fn problem(trace: &PromptTrace, capacity: u64, weight: Weight<'_>) -> PrefixProblem {
    let total = (0..trace.len()).flat_map(|prompt| (0..trace.blocks(prompt).len()).map(move |depth| (prompt, depth)));
    let total = total.map(|(prompt, depth)| u128::from(weight(prompt, depth))).sum();
    PrefixProblem::new(trace, capacity, total, weight)
}

/// The most that a cache of `capacity` blocks saves: the best way to every set of blocks, prompt by prompt. After a
/// prompt, the cache may hold any blocks that it held before or that the prompt has. At most 10 blocks.
fn brute_force(trace: &PromptTrace, capacity: u32, weight: Weight<'_>) -> u64 {
    let sets = 1_usize << trace.distinct_blocks();
    let mut best = vec![None; sets];
    best[0] = Some(0_u64);
    for prompt in 0..trace.len() {
        let blocks = trace.blocks(prompt);
        let own: usize = blocks.iter().map(|block| 1 << block).sum();
        let mut after = vec![None; sets];
        for (held, saved) in best.iter().enumerate().filter_map(|(held, saved)| Some((held, (*saved)?))) {
            let hits = blocks.iter().take_while(|&&block| held >> block & 1 == 1).count();
            let saved = saved + (0..hits).map(|depth| weight(prompt, depth)).sum::<u64>();
            // All subsets of what may be held.
            let may = held | own;
            let mut subset = may;
            loop {
                if subset.count_ones() <= capacity {
                    after[subset] = after[subset].max(Some(saved));
                }
                if subset == 0 {
                    break;
                }
                subset = (subset - 1) & may;
            }
        }
        best = after;
    }
    best.into_iter().flatten().max().unwrap()
}

fn saved(bound: &PrefixBound) -> (u64, u64) {
    let saved = |cost: u128| u64::try_from(bound.total - cost).unwrap();
    (saved(bound.upper), saved(bound.lower))
}

#[test]
fn bounds_of_200_tiny_traces_enclose_the_best_of_all_ways() {
    let (mut closed, mut all) = (0, 0);
    for seed in 0..200 {
        let prompts = random_prompts(seed, 12, 8, 6);
        let trace = trace(&prompts);
        let capacity = 1 + seed % 5;
        let small = u32::try_from(capacity).unwrap();
        let equal: Weight<'_> = &|_, _| 1;
        let found = bound(&problem(&trace, capacity, equal), 200);
        let optimum = brute_force(&trace, small, equal);
        assert_eq!(saved(&found), (optimum, optimum), "seed {seed}: blocks");
        let tokens: Weight<'_> = &|prompt, depth| trace.tokens_of(prompt, depth + 1) - trace.tokens_of(prompt, depth);
        let time: Weight<'_> = &|prompt, depth| COSTS.block(&trace, prompt, depth);
        for weight in [tokens, time] {
            let problem = problem(&trace, capacity, weight);
            let found = bound(&problem, 200);
            let (reached, most) = saved(&found);
            let optimum = brute_force(&trace, small, weight);
            assert!(reached <= optimum && optimum <= most, "seed {seed}: {reached} {optimum} {most}");
            assert!(u128::from(optimum) <= most_saved(&problem, &found.prices), "seed {seed}");
            closed += u32::from(reached == optimum);
            all += 1;
        }
    }
    assert!(closed * 100 >= all * 95, "schedules are the best ones in {closed} of {all} cases");
}

#[test]
fn any_prices_certify() {
    let prompts = random_prompts(3, 12, 8, 6);
    let trace = trace(&prompts);
    let time: Weight<'_> = &|prompt, depth| COSTS.block(&trace, prompt, depth);
    let problem = problem(&trace, 2, time);
    let optimum = u128::from(brute_force(&trace, 2, time));
    for factor in [0, 1, 1000, 1 << 30, 1 << 50] {
        let prices: Vec<u64> = (0..12).map(|gap| gap % 5 * factor).collect();
        assert!(most_saved(&problem, &prices) >= optimum);
        assert!(sweep(&problem, &prices).saved <= optimum);
    }
}

#[test]
fn no_policy_of_any_server_is_below_the_bound() {
    for seed in 0..40 {
        let prompts = random_prompts(seed, 60, 40, 9);
        let trace = trace(&prompts);
        for (capacity, workers) in [(3, 1), (8, 3), (15, 6)] {
            let most = saved(&bound(&problem(&trace, capacity, &|_, _| 1), 20)).1;
            let flat = ["lru", "lirs", "sieve", "belady"].map(str::to_owned);
            for name in PREFIX_POLICIES.iter().map(|entry| entry.about.name.to_owned()).chain(flat) {
                let mut store = name.parse::<PrefixChoice>().unwrap().store(&trace, capacity, &COSTS).unwrap();
                let service = Service { workers, costs: COSTS, speed_thousandths: 1000 };
                let hits = serve(&trace, &mut *store, &service).hit_blocks;
                assert!(hits <= most, "seed {seed}, {name}: {hits} > {most}");
            }
        }
    }
}

#[cfg(feature = "exact")]
#[test]
fn bounds_of_20_small_traces_agree_with_the_linear_programme() {
    use forebay_cache::prefix::bound::exact;
    for seed in 0..20 {
        let prompts = random_prompts(1000 + seed, 150, 200, 12);
        let trace = trace(&prompts);
        let time: Weight<'_> = &|prompt, depth| COSTS.block(&trace, prompt, depth);
        for (weight, is_equal) in [(&(|_, _| 1u64) as Weight<'_>, true), (time, false)] {
            let problem = problem(&trace, 10 + 2 * seed, weight);
            let found = bound(&problem, 2000);
            let (reached, most) = saved(&found);
            let fractional = exact(&problem, false).unwrap();
            let whole = exact(&problem, true).unwrap();
            let (reached, most) = (reached as f64, most as f64);
            // HiGHS rounds: a millionth of the optimum.
            let slack = 1e-6 * fractional.max(1.0);
            assert!(reached <= whole + slack && whole <= fractional + slack, "seed {seed}");
            if is_equal {
                assert!((most - whole).abs() <= slack && (most - fractional).abs() <= slack, "seed {seed}");
            }
            assert!(most >= whole - slack, "seed {seed}");
            let cost = found.total as f64;
            assert!(most - fractional <= 0.005 * (cost - fractional), "seed {seed}: the dual reaches the programme");
        }
    }
}
