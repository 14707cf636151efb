//! Every prefix policy against the reference, and flat policies where they must agree with it.

use super::naive::{Measured, Naive};
use super::{random_prompts, trace};
use forebay_cache::prefix::{Costs, PREFIX_POLICIES, Prefill, PrefixChoice, PromptTrace, Service, serve};
use forebay_core::Prompt;

const COSTS: Costs = Costs { prefill: Prefill { token_ps: 2000, pair_fs: 200_000 }, fetch_token_ps: None };

fn measured(policy: &str, trace: &PromptTrace, capacity: u64, workers: usize) -> Measured {
    let policy: PrefixChoice = policy.parse().unwrap();
    let mut store = policy.store(trace, capacity, &COSTS).unwrap();
    let outcome = serve(trace, &mut *store, &Service { workers, costs: COSTS, speed_thousandths: 1000 });
    assert!(store.stored() <= capacity);
    Measured {
        hits: outcome.hit_blocks,
        delayed: outcome.delayed_blocks,
        evictions: outcome.evictions,
        first_token_ps: outcome.first_token_ps,
    }
}

fn reference(policy: &str, prompts: &[Prompt], capacity: usize, workers: usize) -> Measured {
    let token_ps = &|position: u64| COSTS.prefill.between(position, position + 1);
    Naive { prompts, policy, capacity, workers, token_ps }.run()
}

#[test]
fn policies_equal_the_reference() {
    let names = ["lru-leaf", "belady-leaf", "queue-informed", "cost-aware", "t-lru(threshold=9,turn=2)"];
    assert_eq!(names.len(), PREFIX_POLICIES.len(), "every policy has a reference");
    for seed in 0..150 {
        let prompts = random_prompts(seed, 40, 30, 9);
        let trace = trace(&prompts);
        for name in names {
            for (capacity, workers) in [(1, 1), (4, 1), (9, 3), (20, 2), (40, 5)] {
                let found = measured(name, &trace, capacity, workers);
                let expected = reference(name, &prompts, usize::try_from(capacity).unwrap(), workers);
                assert_eq!(found, expected, "seed {seed}, {name}, {capacity} blocks, {workers} workers");
            }
        }
    }
}

#[test]
fn with_room_for_all_every_policy_hits_all_that_came_before() {
    for seed in 0..20 {
        let prompts = random_prompts(seed, 60, 40, 9);
        let trace = trace(&prompts);
        let seen: u64 = (0..trace.len()).map(|prompt| trace.seen(prompt) as u64).sum();
        for name in ["lru-leaf", "belady-leaf", "queue-informed", "cost-aware", "t-lru", "lru", "sieve", "belady"] {
            let found = measured(name, &trace, 40, 1);
            assert_eq!((found.hits, found.evictions), (seen, 0), "{name}");
        }
    }
}

#[test]
fn a_queue_that_reaches_to_the_end_of_the_trace_makes_queue_informed_belady() {
    for seed in 0..20 {
        let mut prompts = random_prompts(seed, 60, 40, 9);
        prompts.iter_mut().for_each(|prompt| prompt.arrival = 0);
        let trace = trace(&prompts);
        assert_eq!(measured("queue-informed", &trace, 9, 1), measured("belady-leaf", &trace, 9, 1), "seed {seed}");
    }
}

#[test]
fn names_and_mistakes() {
    let parse = |text: &str| text.parse::<PrefixChoice>().map_err(|error| error.to_string());
    assert_eq!(parse("T-LRU(turn=5)").unwrap().to_string(), "t-lru(turn=5)");
    assert_eq!(parse("gdsf-leaf").unwrap().to_string(), "cost-aware");
    assert!(parse("belady-leaf").unwrap().offline() && !parse("queue-informed").unwrap().offline());
    assert!(parse("lirs").unwrap().is_flat() && !parse("lru-leaf").unwrap().is_flat());
    assert!(parse("lru-leav").unwrap_err().contains("did you mean `lru-leaf`"), "{}", parse("lru-leav").unwrap_err());
    assert!(parse("t-lru(tun=5)").unwrap_err().contains("`turn`"));
    assert!(parse("t-lru(turn").is_err());
}
