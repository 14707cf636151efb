//! A random number for an event, without a generator.

use forebay_core::mix;

/// A number of the uniform distribution over 0 to 1 (1 excluded) for the event `number` of the object `key`. The same three
/// numbers always give the same result. So two policies that see the same event draw the same number for it, and a
/// comparison of them is paired.
#[must_use]
pub fn draw(salt: u64, key: u64, number: u64) -> f64 {
    (mix(salt ^ mix(key ^ mix(number))) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_uniform_over_numbers_and_over_keys() {
        for by_key in [false, true] {
            let mut buckets = [0_u32; 10];
            let mut sum = 0.0;
            for nth in 0..100_000 {
                let drawn = if by_key { draw(7, nth, 3) } else { draw(7, 3, nth) };
                assert!((0.0..1.0).contains(&drawn));
                let bucket = (0..9).take_while(|&bucket| drawn >= f64::from(bucket + 1) / 10.0).count();
                buckets[bucket] += 1;
                sum += drawn;
            }
            // Four standard deviations: 95 for a bucket, and 0.0009 for the mean.
            assert!(buckets.iter().all(|count| count.abs_diff(10_000) < 380), "{buckets:?}");
            assert!((sum / 100_000.0 - 0.5).abs() < 0.0037);
        }
    }
}
