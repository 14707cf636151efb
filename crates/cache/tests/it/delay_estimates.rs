//! The estimates of aggregate delays against algorithm 1 of the thesis over whole histories, and against what comes.

use crate::conformance::requests;
use forebay_cache::future::futures;
use forebay_cache::{Choice, Correlation, Future};
use forebay_core::{Request, Seed};
use rand::RngExt as _;

const LATENCY: u64 = 30;

/// Algorithm 1: the delays of all windows of one latency, as if each began with a miss.
fn windows(requests: &[Request]) -> Vec<u64> {
    let (mut windows, mut start) = (Vec::new(), 0);
    for &Request { time, .. } in requests {
        match windows.last_mut() {
            Some(delay) if time - start < LATENCY => *delay += LATENCY - (time - start),
            _ => {
                windows.push(LATENCY);
                start = time;
            }
        }
    }
    windows
}

#[test]
fn an_estimate_is_the_mean_over_the_windows_up_to_the_request() {
    let requests = requests(95, 2_000, 50, false);
    for (name, is_open) in [("lru-mad", true), ("lru-mad(window=closed)", false), ("lhd-mad", false)] {
        let choice: Choice = name.parse().unwrap();
        let estimates = choice.delay_estimates(&requests, |_| LATENCY).unwrap().unwrap();
        for (at, estimate) in estimates.iter().enumerate() {
            let own: Vec<_> = requests[..=at].iter().filter(|other| other.key == requests[at].key).copied().collect();
            let mut windows = windows(&own);
            if !is_open {
                windows.pop();
            }
            let mean = windows.iter().sum::<u64>() as f64 / windows.len() as f64;
            let expected = if windows.is_empty() { LATENCY as f64 } else { mean };
            assert!((estimate - expected).abs() < 1e-9, "{name}: {estimate} {expected}");
        }
    }
}

/// Where each object comes in trains of its own length, its past says at the end of a train what comes; shuffled, it says nothing.
#[test]
fn between_trains_of_one_length_estimates_are_exact() {
    let train = |(at, key): (u64, u64)| (0..=key).map(move |step| Request { time: 1_000 * at + step, key, size: 1 });
    let requests: Vec<_> = (0..400).map(|at| (at, at * 7 % 10)).flat_map(train).collect();
    let choice: Choice = "lru-mad".parse().unwrap();
    let estimates = choice.delay_estimates(&requests, |_| LATENCY).unwrap().unwrap();
    let truth = futures(&requests, |_| LATENCY);
    let ends = requests.iter().zip(&truth).zip(&estimates);
    let ends =
        ends.filter(|((request, future), _)| future.next != Future::NEVER && future.next - request.time > LATENCY);
    let pairs: Vec<_> = ends.map(|((_, future), &estimate)| (estimate, future.delay as f64)).collect();
    let found = Correlation::of(&pairs);
    assert_eq!(pairs.len(), 390);
    assert!(found.pearson.unwrap() > 0.999 && found.rank.unwrap() > 0.999, "{found:?}");
    let mut rng = Seed(1).stream("test/shuffled");
    let shuffled: Vec<_> = pairs.iter().map(|own| (own.0, pairs[rng.random_range(0..pairs.len())].1)).collect();
    assert!(Correlation::of(&shuffled).pearson.unwrap().abs() < 0.2);
}

#[test]
fn what_depends_on_a_cache_is_refused() {
    let requests = requests(96, 10, 5, false);
    let error = |name: &str| {
        let choice: Choice = name.parse().unwrap();
        choice.delay_estimates(&requests, |_| LATENCY).unwrap_err().to_string()
    };
    assert!(error("lru-mad(counters=cached)").contains("counters=forever"));
    assert!(error("lru-mad(latency=measured)").contains("latency=given"));
    assert!(error("lru-mad(sample=1,first=1)").contains("either `sample` or `first`"));
    assert_eq!("lru".parse::<Choice>().unwrap().delay_estimates(&requests, |_| LATENCY), Ok(None));
}
