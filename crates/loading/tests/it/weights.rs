//! Values whose weight is a large part of the capacity.

use forebay_loading::{Builder, LoadingCache};

const MB: u64 = 1_000_000;

fn weighed() -> Builder<u64, u64, String> {
    LoadingCache::<u64, u64, String>::builder(8 * MB).weigher(|_, weight| *weight)
}

#[test]
fn a_cache_keeps_as_many_heavy_values_as_fit() {
    for (weight, most) in [(3 * MB / 2, 5), (8 * MB, 1), (8 * MB + 1, 0), (u64::MAX, 0), (MB, 8)] {
        let cache = weighed().build().unwrap();
        for key in 0..100 {
            cache.insert(key, weight);
            assert!(cache.weight() <= 8 * MB);
        }
        assert_eq!(cache.len(), most, "values of {weight}");
        assert_eq!(cache.metrics().refused, if most == 0 { 100 } else { 0 });
    }
}

#[test]
fn a_weight_of_zero_counts_as_one() {
    let cache = weighed().build().unwrap();
    (0..100).for_each(|key| cache.insert(key, 0));
    assert_eq!((cache.len(), cache.weight()), (100, 100));
}

#[test]
fn shards_hold_the_heaviest_weight_or_the_cache_is_not_built() {
    let error = weighed().heaviest(3 * MB / 2).shards(8).build().unwrap_err().to_string();
    assert_eq!(error, "8 shards have 1000000 each, less than the heaviest weight 1500000; take 5 shards at most");
    let error = weighed().heaviest(9 * MB).build().unwrap_err().to_string();
    assert_eq!(error, "the heaviest weight 9000000 is above the capacity 8000000");
    for (heaviest, shards) in [(3 * MB / 2, 5), (1, 8), (8 * MB, 1), (0, 8)] {
        weighed().heaviest(heaviest).shards(shards).build().unwrap();
    }
    for heaviest in [3 * MB / 2, MB / 10, 1] {
        let cache = weighed().heaviest(heaviest).build().unwrap();
        (0..1_000).for_each(|key| cache.insert(key, heaviest));
        assert_eq!(cache.metrics().refused, 0);
        assert!(cache.weight() <= 8 * MB);
    }
}
