//! The processor, on a clock that counts how often it is read.

use crate::support::{innocent, stages, ticking};
use forebay_core::{Duration, Seed};
use forebay_matcher::{MatcherPolicy, ProcessorOutcome, Run, Traffic, TwoStage, process};

fn run(
    stages: &mut TwoStage,
    policy: MatcherPolicy,
    innocent_per_second: f64,
    attack_per_second: f64,
) -> ProcessorOutcome {
    let traffic =
        Traffic { innocent: innocent(50), attack: vec![vec![b'{'; 400]], innocent_per_second, attack_per_second };
    let run = Run {
        policy,
        queue: 64,
        learning: Duration::from_ms(10),
        counted: Duration::from_ms(50),
        grace: Duration::from_ms(10),
    };
    process(stages, &traffic, traffic.arrivals(Seed(5)), &mut ticking(), run).unwrap()
}

#[test]
fn what_arrives_at_low_load_is_served() {
    let Some(mut stages) = stages(&["foo", r"\w\d\d\d+x"]) else { return };
    for policy in MatcherPolicy::ALL {
        let outcome = run(&mut stages, policy, 2_000.0, 200.0);
        assert!(outcome.innocent > 50_000, "{outcome:?}");
        assert!(outcome.attack > 1_000, "{outcome:?}");
        assert_eq!(outcome.innocent_served, outcome.innocent, "{}", policy.name());
        assert_eq!(outcome.attack_served, outcome.attack, "{}", policy.name());
        assert!(outcome.load() < 0.5, "{outcome:?}");
    }
}

#[test]
fn overload_is_dropped_and_the_clock_does_not_stand_still() {
    let Some(mut stages) = stages(&["foo", r"\w\d\d\d+x"]) else { return };
    for policy in MatcherPolicy::ALL {
        let outcome = run(&mut stages, policy, 2_000_000.0, 0.0);
        assert!(outcome.innocent_served < outcome.innocent, "{}", policy.name());
        assert!(outcome.end >= Duration::from_ms(70), "{outcome:?}");
        assert!(outcome.load() > 0.99, "{outcome:?}");
    }
}

#[test]
fn the_same_seed_and_clock_give_the_same_outcome() {
    let Some(mut stages) = stages(&["foo", r"\w\d\d\d+x", "(?:a|b|ab)*c"]) else { return };
    for policy in MatcherPolicy::ALL {
        let first = run(&mut stages, policy, 100_000.0, 5_000.0);
        assert_eq!(run(&mut stages, policy, 100_000.0, 5_000.0), first, "{}", policy.name());
    }
}

#[test]
fn innocent_arrivals_do_not_depend_on_the_attack() {
    let traffic = |attack_per_second| Traffic {
        innocent: innocent(5),
        attack: vec![b"x".to_vec()],
        innocent_per_second: 1_000.0,
        attack_per_second,
    };
    let innocent = |traffic: &Traffic| -> Vec<_> {
        traffic.arrivals(Seed(1)).filter(|arrival| !arrival.is_attack).take(500).collect()
    };
    assert_eq!(innocent(&traffic(0.0)), innocent(&traffic(900.0)));
    let all: Vec<_> = traffic(900.0).arrivals(Seed(1)).take(2_000).collect();
    assert!(all.is_sorted_by_key(|arrival| arrival.at));
    let attacks = all.iter().filter(|arrival| arrival.is_attack).count();
    assert!((800..1_100).contains(&attacks), "{attacks}");
}
