//! Statistics agree with what their definitions say, word for word.

use forebay_core::{Clock, Request, Seed};
use forebay_traces::requests::{Collector, Facts, Recipe, Requests, Statistics};
use rand::RngExt as _;

const FACTS: Facts = Facts { format: "keys", clock: Clock::Nanoseconds, sizes: true };

fn of(requests: &[Request]) -> Statistics {
    let mut collector = Collector::default();
    for part in requests.chunks(7) {
        collector.add(part);
    }
    collector.finish(FACTS)
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{value} {expected}");
}

/// (sigma - mu) / (sigma + mu) of the gaps between `times`.
fn burstiness(times: &[u64]) -> Option<f64> {
    let gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64).collect();
    let mu = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let sigma = (gaps.iter().map(|gap| (gap - mu).powi(2)).sum::<f64>() / gaps.len() as f64).sqrt();
    (times.len() >= 3 && sigma + mu > 0.0).then(|| (sigma - mu) / (sigma + mu))
}

fn compare(requests: &[Request]) {
    let statistics = of(requests);
    let mut keys: Vec<u64> = requests.iter().map(|request| request.key).collect();
    keys.sort_unstable();
    keys.dedup();
    let times = |key: u64| requests.iter().filter(|r| r.key == key).map(|r| r.time).collect::<Vec<_>>();
    let all: Vec<Vec<u64>> = keys.iter().map(|&key| times(key)).collect();

    assert_eq!(statistics.requests, requests.len() as u64);
    assert_eq!(statistics.objects, keys.len() as u64);
    assert_eq!(statistics.one_hit_wonders, all.iter().filter(|times| times.len() == 1).count() as u64);
    let most_active = requests
        .iter()
        .map(|r| all.iter().filter(|times| times[0] <= r.time && r.time <= times[times.len() - 1]).count())
        .max();
    assert_eq!(statistics.most_active_objects, most_active.unwrap() as u64);

    let mut counts: Vec<usize> = all.iter().map(Vec::len).collect();
    counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
    for (part, share) in [(100, statistics.share_of_top_1_percent), (10, statistics.share_of_top_10_percent)] {
        let top: usize = counts[..counts.len().div_ceil(part)].iter().sum();
        near(share, top as f64 / requests.len() as f64);
    }
    let bursty: Vec<f64> = all.iter().filter_map(|times| burstiness(times)).collect();
    assert_eq!(statistics.objects_with_burstiness, bursty.len() as u64);
    assert_eq!(statistics.burstiness.is_some(), !bursty.is_empty());
    if let Some(mean) = statistics.burstiness {
        near(mean, bursty.iter().sum::<f64>() / bursty.len() as f64);
    }

    let span = requests[requests.len() - 1].time - requests[0].time;
    assert_eq!(statistics.span_ticks, span);
    near(statistics.mean_gap_ticks, if requests.len() > 1 { span as f64 / (requests.len() - 1) as f64 } else { 0.0 });
    let sizes = statistics.size_bytes.unwrap();
    assert_eq!(Some(sizes.min), requests.iter().map(|r| r.size).min());
    assert_eq!(Some(sizes.max), requests.iter().map(|r| r.size).max());
    near(sizes.mean, requests.iter().map(|r| r.size as f64).sum::<f64>() / requests.len() as f64);
    let last_size = |key: u64| requests.iter().rfind(|r| r.key == key).unwrap().size;
    assert_eq!(sizes.all_objects, keys.iter().map(|&key| last_size(key)).sum::<u64>());
}

#[test]
fn statistics_are_what_their_definitions_say() {
    let mut rng = Seed(1).stream("statistics");
    for _ in 0..300 {
        let (count, keys, widest) = (rng.random_range(1..60), rng.random_range(1..30), rng.random_range(0..9));
        let mut time = rng.random_range(0..100);
        let requests: Vec<Request> = (0..count)
            .map(|_| {
                time += rng.random_range(0..=widest);
                Request { time, key: rng.random_range(0..keys), size: rng.random_range(1..9) }
            })
            .collect();
        compare(&requests);
    }
}

#[test]
fn burstiness_tells_loops_from_poisson_from_trains() {
    let burstiness = |recipe: &str| {
        let requests = Requests::new(Recipe::parse(recipe).unwrap().open().unwrap()).map(Result::unwrap);
        of(&requests.collect::<Vec<_>>()).burstiness.unwrap()
    };
    let few = "objects=50,requests=50_000,rate=1e6";
    assert!(burstiness(&format!("loop:{few}")) < -0.7);
    assert!(burstiness(&format!("zipf:{few},skew=0")).abs() < 0.02);
    assert!(burstiness(&format!("trains:{few},skew=0,gap=2,length=20")) > 0.5);
}
