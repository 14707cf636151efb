//! The table of thesis 2.3.1: bursty or paced, no simple rule is always right.

use crate::conformance::setup;
use forebay_cache::{Choice, Counts, Model, Setup, toy};

const POLICIES: [&str; 3] = ["pin(key=1)", "pin(key=2)", "lru"];

fn play(policy: &str, latency: u64, warmup: u64, repetitions: u64) -> Counts {
    let requests: Vec<_> = toy::requests(warmup + repetitions).collect();
    let warmup = warmup * toy::REQUESTS;
    let setup = Setup { warmup, ..setup(Model::DelayedHits, 1, latency) };
    let mut simulation = policy.parse::<Choice>().unwrap().simulation(setup).unwrap();
    simulation.feed(&requests, &[]);
    simulation.counts()
}

/// In the long run, what 1, 5 and 17 ms give is printed in the thesis. With 22 ms, longer
/// than a repetition, a cycle takes four, three and three repetitions, and the exact means
/// are 5.9, 5.4 and 6.5; printed are 6.0, 5.5 and 6.6. Means that end within a cycle are
/// off in the second digit.
#[test]
fn steady_state() {
    let expected = [(1, [5, 5, 2]), (5, [19, 15, 22]), (17, [43, 75, 59]), (22, [59, 54, 65])];
    for (latency, tenths) in expected {
        for (policy, tenths) in POLICIES.into_iter().zip(tenths) {
            // 12 is a multiple of all cycles; two repetitions are the cold start.
            for cycles in 1..5 {
                let counts = play(policy, latency, 2, 12 * cycles);
                assert_eq!(counts.total_latency, 12 * cycles * tenths, "{policy}, {latency} ms");
            }
        }
    }
}

/// What is printed, in all twelve cells: the mean of the first 100 repetitions (1,000
/// requests) from a cold start, with digits after the first cut off. With 22 ms, the first
/// repetitions still add a tenth to each mean, with 17 ms they add 0.075 to the first.
///
/// Rounded means from a cold start fit only for some lengths between 151 and 214
/// repetitions, means without the cold start for none.
#[test]
fn as_printed() {
    let printed = [(1, [5, 5, 2]), (5, [19, 15, 22]), (17, [43, 75, 59]), (22, [60, 55, 66])];
    for (latency, tenths) in printed {
        for (policy, tenths) in POLICIES.into_iter().zip(tenths) {
            let counts = play(policy, latency, 0, 100);
            assert_eq!(counts.requests, 1_000);
            assert_eq!(counts.total_latency / 100, tenths, "{policy}, {latency} ms: {}", counts.total_latency);
        }
    }
    let first = |policy: &str, latency: u64| play(policy, latency, 0, 100).total_latency;
    assert_eq!(POLICIES.map(|policy| first(policy, 22)), [6_010, 5_518, 6_607]);
    assert_eq!(first("pin(key=1)", 17), 4_375);
}
