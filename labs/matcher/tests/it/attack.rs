//! The search finds attacks, and schedulers are measured under them, on the CPU time of the thread.

use crate::support::{debian_stages, innocent, stages};
use forebay_clock::{nanoseconds, thread_cpu};
use forebay_core::{Duration, Seed};
use forebay_matcher::{Comparison, Job, MatcherPolicy, SearchLimits, Setup, process, search};

fn cpu_time() -> Duration {
    Duration::from_ns(nanoseconds(thread_cpu()))
}

#[test]
fn a_search_finds_what_is_slow() {
    // The look-ahead makes a prefilter of the pattern, so that it is a candidate without a match.
    let Some(mut stages) = stages(&["(?=a)a*a*a*[cd]", "zzz"]) else { return };
    let mut clock = cpu_time;
    let limits = SearchLimits { bytes: (60, 120), work: Duration::from_ms(1_500) };
    let found = search(&mut stages, &mut clock, Seed(1), limits);
    let worst = &found[0];
    assert_eq!(worst.rule, 0);
    assert!((60..=120).contains(&worst.payload.len()), "{worst:?}");
    let mut job = Job::new(vec![0]);
    let plain = [b'x'; 100];
    job.run(&mut stages, &plain, &mut clock);
    assert!(worst.ns_per_byte() > 20.0 * job.spent().as_ns_f64() / 100.0, "{worst:?} {}", job.spent());
}

#[test]
fn an_attack_displaces_much_under_fcfs_and_little_under_wsjf() {
    let mut shared = debian_stages();
    let Some(stages) = shared.as_mut() else { return };
    let setup = Setup {
        load: 0.7,
        attack_share: 0.01,
        queue: 4_096,
        learning: Duration::from_ms(500),
        counted: Duration::from_ms(300),
        grace: Duration::from_ms(200),
    };
    let innocent = innocent(1_000);
    let attack = vec![b'{'; 1_400];
    let mut clock = cpu_time;
    let capacity = setup.capacity(stages, &innocent, &mut clock, Seed(1)).unwrap();
    let mut compare = |policy| {
        let mut run = |attack: &[Vec<u8>]| {
            let traffic = setup.traffic(&innocent, capacity, attack);
            process(stages, &traffic, traffic.arrivals(Seed(1)), &mut clock, setup.run(policy)).unwrap()
        };
        Comparison { baseline: run(&[]), attacked: run(std::slice::from_ref(&attack)) }
    };
    let fcfs = compare(MatcherPolicy::Fcfs);
    assert!(fcfs.goodput() < 0.5, "{fcfs:?}");
    for policy in [MatcherPolicy::WsjfLearned, MatcherPolicy::WsjfBudget] {
        let comparison = compare(policy);
        assert!(comparison.displacement() <= 1.0, "{}: {comparison:?}", policy.name());
        assert!(comparison.attacked.attack > 0, "{comparison:?}");
    }
}
