//! Sizes of the formulations of the linear programme.

use forebay_cache::belatedly::{Size, formulation_sizes};
use forebay_core::Request;

#[test]
fn a_small_trace_counted_by_hand() {
    // The example of section 2.4.1: ABAAB at a latency of 2.
    let requests: Vec<Request> =
        [0, 1, 0, 0, 1].into_iter().zip(0..).map(|(key, time)| Request { time, key, size: 1 }).collect();
    let sizes = formulation_sizes(&requests, 1, |_| 2).unwrap();
    assert_eq!(sizes.naive, Size { variables: 2 * 9 + 5, constraints: 10 + 5 + 2 + 4 });
    // A has vertices at 2, 4, 5 (admissions) and 3 (leaving at its request), B at 3 and 6 and 4.
    assert_eq!(sizes.merged, Size { variables: 5 + 7 + 5, constraints: 7 + 5 + 2 + 5 });
    assert_eq!(sizes.without_backing_store, Size { variables: 12, constraints: 14 });
    // A: missed at 0 (stays or not), found (stays or not) or missed at 2, found at 3, or missed there after a hit.
    // B: missed at 1 (stays or not), found or missed at 4. Both fetches can stay: checkpoints at 1 and 2.
    assert_eq!(sizes.chain, Size { variables: (2 + 2 + 1 + 1 + 1) + (2 + 1 + 1) + 2, constraints: 5 + 3 + 2 });
}

#[test]
fn merging_stays_within_the_bounds_of_the_thesis() {
    let requests: Vec<Request> =
        (0..5000u64).map(|time| Request { time, key: time * time % 211 + time % 3 * 1000, size: 1 }).collect();
    let sizes = formulation_sizes(&requests, 10, |_| 100).unwrap();
    let objects = requests.iter().map(|request| request.key).collect::<std::collections::BTreeSet<_>>().len() as u64;
    let (n, m) = (5000, objects);
    let vertices = (sizes.without_backing_store.variables + m) / 2;
    let intervals = vertices - m;
    assert!(n - m <= intervals && intervals <= 2 * (n - m), "{intervals}");
    assert!(sizes.chain.variables < sizes.naive.variables / 100);
}
