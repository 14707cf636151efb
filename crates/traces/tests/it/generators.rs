//! Generated traces are what their parameters say.

use forebay_core::{Clock, Request};
use forebay_traces::requests::{GENERATORS, Recipe, Requests};
use std::collections::BTreeMap;

#[track_caller]
fn make(recipe: &str) -> Vec<Request> {
    let recipe = Recipe::parse(recipe).unwrap();
    Requests::new(recipe.open().unwrap()).map(Result::unwrap).collect()
}

/// How often each key is requested.
fn counts(requests: &[Request]) -> BTreeMap<u64, u64> {
    let mut counts = BTreeMap::new();
    for request in requests {
        *counts.entry(request.key).or_insert(0) += 1;
    }
    counts
}

/// The times of each key.
fn times(requests: &[Request]) -> BTreeMap<u64, Vec<u64>> {
    let mut times: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for request in requests {
        times.entry(request.key).or_default().push(request.time);
    }
    times
}

#[test]
fn every_generator_keeps_its_rate_its_objects_and_its_seed() {
    for entry in GENERATORS {
        let name = entry.about.name;
        if name == "against-lru" {
            // It has times of its own.
            continue;
        }
        // Few objects, and no flow so long that it alone changes the rate.
        let own = match name {
            "scans" => ",cold=50",
            "tcp-trains" => ",longest=100",
            "pages" => ",pages=50",
            _ => "",
        };
        for (clock, gap) in [("occupancy=0.5", 2.0), ("occupancy=1", 1.0), ("rate=1e6", 1_000.0)] {
            let recipe = format!("{name}:objects=100,requests=50_000,{clock}{own}");
            let requests = make(&recipe);
            assert_eq!(requests.len(), 50_000, "{recipe}");
            let slots = clock.starts_with('o');
            assert!(requests.windows(2).all(|pair| pair[0].time + u64::from(slots) <= pair[1].time), "{recipe}");
            assert!(requests.iter().all(|request| request.key < 150 && request.size == 1), "{recipe}");
            let mean = requests[49_999].time as f64 / 50_000.0;
            assert!((mean / gap - 1.0).abs() < 0.05, "{recipe}: {mean}");
            assert!(requests == make(&recipe), "{recipe}");
            // A loop without free slots leaves nothing to chance.
            let is_fixed = name == "loop" && gap == 1.0;
            assert_eq!(requests == make(&format!("{recipe},seed=2")), is_fixed, "{recipe}");
        }
    }
}

#[test]
fn zipf_requests_objects_in_proportion_to_their_rank() {
    let requests = make("zipf:objects=50,requests=200_000,skew=0.7");
    let total: f64 = (1..=50).map(|n| f64::from(n).powf(-0.7)).sum();
    for (key, count) in counts(&requests) {
        let expected = 200_000.0 * (key as f64 + 1.0).powf(-0.7) / total;
        // Five standard deviations of a count that is about Poisson.
        assert!((count as f64 - expected).abs() < 5.0 * expected.sqrt(), "{key}: {count} {expected}");
    }
}

#[test]
fn a_loop_goes_round() {
    let keys: Vec<u64> = make("loop:objects=3,requests=8").iter().map(|request| request.key).collect();
    assert_eq!(keys, [0, 1, 2, 0, 1, 2, 0, 1]);
}

#[test]
fn bursts_against_lru_come_one_after_the_other() {
    let requests = make("against-lru:objects=3,latency=2,requests=16");
    let made: Vec<(u64, u64)> = requests.iter().map(|request| (request.time, request.key)).collect();
    // With two entries every second visit is announced by a single request, a fetch of two slots ahead.
    let expected = [
        (0, 0),
        (1, 0),
        (2, 1),
        (3, 1),
        (4, 2),
        (6, 2),
        (7, 2),
        (8, 0),
        (9, 0),
        (10, 1),
        (12, 1),
        (13, 1),
        (14, 2),
        (15, 2),
        (16, 0),
        (18, 0),
    ];
    assert_eq!(made, expected);
    let error = |recipe: &str| Recipe::parse(recipe).err().unwrap().to_string();
    assert!(error("against-lru:objects=1").contains("needs 2 objects or more"));
    assert!(error("against-lru:rate=5").contains("leave `occupancy` and `rate` out"));
    assert!(error("against-lru:occupancy=0.5").contains("leave `occupancy` and `rate` out"));
}

#[test]
fn trains_have_the_stated_length_and_gap_and_overlap() {
    // So many objects that each train has one of its own.
    let requests = make("trains:objects=1e15,skew=0,requests=100_000,length=8,gap=40,gaps=constant,rate=1e6");
    let trains = times(&requests);
    let mean = requests.len() as f64 / trains.len() as f64;
    assert!((mean - 8.0).abs() < 0.3, "{mean}");
    assert!(trains.values().all(|times| times.windows(2).all(|pair| pair[1] - pair[0] == 40_000)));
    let middle = requests[50_000].time;
    let running = trains.values().filter(|times| times[0] <= middle && times[times.len() - 1] >= middle).count();
    assert!((20..60).contains(&running), "{running}");

    let slots = make("trains:objects=1e15,skew=0,requests=100_000,length=8,gap=40,occupancy=0.5");
    let gaps: Vec<u64> = times(&slots)
        .values()
        .flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>())
        .collect();
    let mean = gaps.iter().sum::<u64>() as f64 / gaps.len() as f64;
    assert!((mean / 80.0 - 1.0).abs() < 0.05, "{mean}");
}

/// The times of a flow that begins at 0: each round trip a window, and each window twice the last.
fn slow_start(requests: usize, rtt: u64, gap: u64, initial: u64, largest: u64) -> Vec<u64> {
    let (mut times, mut window, mut began) = (Vec::new(), initial, 0);
    while times.len() < requests {
        times.extend((0..window).map(|place| began + place * gap));
        window = (2 * window).min(largest);
        began += rtt;
    }
    times.truncate(requests);
    times
}

#[test]
fn flows_of_tcp_double_their_window_each_round_trip() {
    assert_eq!(slow_start(8, 100, 10, 1, 3), [0, 100, 110, 200, 210, 220, 300, 310]);
    for (initial, largest) in [(1, 44), (1, 1_000), (10, 64)] {
        let requests = make(&format!(
            "tcp-trains:objects=1e15,skew=0,requests=200_000,rate=1e6,rtt=5e3,rtts=constant,gap=3,initial={initial},window={largest}"
        ));
        let mut long = 0;
        for (key, times) in times(&requests) {
            // A flow that runs when the trace begins has a request in its first round trip.
            if times[0] >= 5_000_000 {
                let since_begin: Vec<u64> = times.iter().map(|time| time - times[0]).collect();
                assert_eq!(since_begin, slow_start(times.len(), 5_000_000, 3_000, initial, largest), "{key}");
                long += usize::from(times.len() > 100);
            }
        }
        assert!(long > 50, "{long}");
    }
}

#[test]
fn a_window_that_does_not_fit_into_a_round_trip_is_spread_over_it() {
    let requests =
        make("tcp-trains:objects=1e15,skew=0,requests=100_000,rate=1e6,rtt=100,rtts=constant,gap=40,window=10");
    for times in times(&requests).values().filter(|times| times[0] >= 100_000 && times.len() >= 15) {
        let gaps: Vec<u64> = times.windows(2).take(14).map(|pair| pair[1] - pair[0]).collect();
        // Windows of 1, 2, 4 and 8: 40,000 ns apart, or a round trip over the window.
        assert_eq!(gaps, [&[100_000, 40_000, 60_000][..], &[25_000; 4], &[12_500; 7]].concat());
    }
}

#[test]
fn flows_of_tcp_run_in_equilibrium_from_the_first_request_on() {
    // Sizes whose sum varies little, since a trace with long flows has another rate each time.
    let recipe = "tcp-trains:objects=1e15,skew=0,requests=1e6,rate=1e6,rtt=20_000,shape=1.5,longest=500";
    let requests = make(recipe);
    let tenths: Vec<f64> = (0..9_u64)
        .map(|tenth| requests.iter().filter(|request| request.time / 100_000_000 == tenth).count() as f64 / 1e5)
        .collect();
    assert!(tenths.iter().all(|rate| (rate - 1.0).abs() < 0.05), "{tenths:?}");
    let mean = tenths.iter().sum::<f64>() / 9.0;
    assert!((mean - 1.0).abs() < 0.02, "{mean}");
    let flows = times(&requests);
    let running = |time: u64| flows.values().filter(|times| times[0] <= time && times[times.len() - 1] >= time).count();
    // Thousands of flows, and no fewer at first than later.
    let counts: Vec<usize> = [1, 3, 5, 7, 9].map(|tenth| running(tenth * 100_000_000)).to_vec();
    assert!(counts.iter().all(|&count| (2_000..5_000).contains(&count)), "{counts:?}");
}

#[test]
fn scans_have_their_share_and_go_over_cold_objects_in_turn() {
    let requests = make("scans:objects=100,requests=200_000,share=0.3,length=50");
    let cold: Vec<u64> = requests.iter().map(|request| request.key).filter(|&key| key >= 100).collect();
    assert!((cold.len() as f64 / 200_000.0 - 0.3).abs() < 0.02, "{}", cold.len());
    assert!((100..).zip(&cold).all(|(expected, key)| expected == *key), "each is requested once");
    assert!(make("scans:objects=100,share=0,requests=1_000").iter().all(|request| request.key < 100));
}

#[test]
fn popularity_drifts_through_the_objects() {
    let requests = make("drift:objects=100,requests=100_000,skew=1.5,period=1_000");
    let most_popular = |part: &[Request]| counts(part).into_iter().max_by_key(|&(_, count)| count).map(|(key, _)| key);
    for step in [0, 1, 50, 99] {
        assert_eq!(most_popular(&requests[step * 1_000..(step + 1) * 1_000]), Some(step as u64));
    }
}

#[test]
fn parts_of_a_mixture_have_objects_of_their_own_and_their_weight_everywhere() {
    for clock in ["", ",rate=700"] {
        let other = clock.replace("700", "300");
        let requests = make(&format!("zipf:objects=10,requests=70_000{clock} + loop:objects=5,requests=30_000{other}"));
        assert_eq!(requests.len(), 100_000);
        let strict = clock.is_empty();
        assert!(requests.windows(2).all(|pair| pair[0].time + u64::from(strict) <= pair[1].time));
        assert!(clock.is_empty() || requests[0].time == 0);
        for part in requests.chunks(20_000).take(4) {
            let of_loop = part.iter().filter(|request| request.key >= 10).count() as f64 / 20_000.0;
            assert!((of_loop - 0.3).abs() < 0.03, "{of_loop}");
        }
        assert_eq!(counts(&requests).len(), 15);
    }
    let (one, two) = (make("zipf:requests=100+zipf:requests=100"), make("zipf:requests=100,seed=2+zipf:requests=100"));
    assert!(one != two[..200]);
    assert_eq!(Recipe::parse("zipf+loop").unwrap().open().unwrap().facts().format, "mixture");
}

#[test]
fn an_object_keeps_its_size() {
    let requests = make("zipf:objects=200,requests=20_000,sizes=uniform,size-min=10,size-max=19");
    let mut sizes = BTreeMap::new();
    for request in &requests {
        assert_eq!(*sizes.entry(request.key).or_insert(request.size), request.size);
    }
    let mut different: Vec<u64> = sizes.into_values().collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different, (10..=19).collect::<Vec<u64>>());
    assert!(make("zipf:requests=10,size=7").iter().all(|request| request.size == 7));
}

#[test]
fn clocks_follow_from_the_recipe() {
    let facts = |recipe: &str| Recipe::parse(recipe).unwrap().open().unwrap().facts();
    assert_eq!((facts("zipf").clock, facts("zipf").sizes, facts("zipf").format), (Clock::Slots, false, "zipf"));
    assert_eq!((facts("loop:rate=1,size=4").clock, facts("loop:rate=1,size=4").sizes), (Clock::Nanoseconds, true));
}

#[test]
fn mistakes_in_recipes_are_named() {
    for (recipe, message) in [
        ("zpif", "unknown generator `zpif`; did you mean `zipf`?"),
        ("zipf:object=1", "`zipf` has no parameter `object`; did you mean `objects`?"),
        ("zipf:objects", "`objects` must be like PARAMETER=VALUE, as in `zipf:objects=1`"),
        ("zipf:skew=x", "`zipf`: `skew` must be a number from 0 to 8, not \"x\""),
        ("zipf:requests=0", "`zipf`: `requests` must be a whole number from 1 to"),
        ("zipf:rate=1,occupancy=1", "`zipf`: give either `occupancy`"),
        ("zipf:size=1,sizes=uniform", "`zipf`: give either `size` or `sizes`"),
        ("zipf:sizes=unifrom", "`zipf`: unknown distribution `unifrom`; did you mean `uniform`?"),
        ("zipf:sizes=uniform,size-min=9,size-max=2", "`zipf`: `size-max` must be at least `size-min`, which is 9"),
        ("trains:gaps=many", "`trains`: `gaps` must be \"exponential\" or \"constant\", not \"many\""),
        ("tcp-trains:rtts=many", "`tcp-trains`: `rtts` must be \"exponential\" or \"constant\", not \"many\""),
        ("tcp-trains:shape=0", "`tcp-trains`: `shape` must be a number from 0.1 to 10, not 0.0"),
        ("tcp-trains:longest=0", "`tcp-trains`: `longest` must be a whole number from 1 to 10000000"),
        ("zipf+loop:rate=5", "give a `rate` to all parts of a mixture, or to none"),
        ("zipf+", "unknown generator ``"),
    ] {
        let error = Recipe::parse(recipe).unwrap_err().to_string();
        assert!(error.starts_with(message), "{recipe}: {error}");
    }
    assert!(Recipe::is_meant("zipf") && Recipe::is_meant("scan:share=0") && Recipe::is_meant("loop+zpif"));
    assert!(!Recipe::is_meant("a.csv") && !Recipe::is_meant("zpif:objects=1"));
}
