//! Exact distributions of values: percentiles are values that occurred.

use super::run_result::{AtLeast, Spread};

/// The number of parts in which shares are counted.
const PARTS: u128 = 10_000;

/// Returns the shares at which a curve has its values: every hundredth, every thousandth in the last hundredth, and every ten-thousandth in
/// the last thousandth.
pub(super) fn quantiles() -> impl Iterator<Item = f64> {
    parts().map(|part| part as f64 / PARTS as f64)
}

fn parts() -> impl Iterator<Item = u128> {
    (0..9_900).step_by(100).chain((9_900..9_990).step_by(10)).chain(9_990..=10_000)
}

/// Returns the value at a share, in [`PARTS`], of sorted values: the least that at least this share of them does not exceed (nearest rank).
fn at(sorted: &[f64], part: u128) -> Option<f64> {
    let rank = (part * sorted.len() as u128).div_ceil(PARTS).max(1);
    sorted.get(usize::try_from(rank - 1).ok()?).copied()
}

/// Returns the distribution of values in any order, with their mean.
pub(super) fn spread(mut values: Vec<f64>, mean: Option<f64>, has_curve: bool) -> Spread {
    values.sort_unstable_by(f64::total_cmp);
    let curve = if has_curve { parts().filter_map(|part| at(&values, part)).collect() } else { Vec::new() };
    Spread {
        count: values.len() as u64,
        mean,
        p50: at(&values, 5_000),
        p90: at(&values, 9_000),
        p99: at(&values, 9_900),
        p999: at(&values, 9_990),
        max: values.last().copied(),
        curve,
    }
}

/// Returns the distribution of lower bounds in any order, with their mean.
pub(super) fn at_least(mut values: Vec<f64>, mean: Option<f64>) -> AtLeast {
    values.sort_unstable_by(f64::total_cmp);
    AtLeast { mean, p99: at(&values, 9_900) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    #[test]
    fn percentiles_of_a_few_values() {
        // Nearest rank: of 5 values the median is the third, and from 80 % on it is the last.
        let few = spread(vec![50.0, 15.0, 40.0, 20.0, 35.0], Some(32.0), true);
        assert_eq!((few.count, few.p50, few.p99, few.max), (5, Some(35.0), Some(50.0), Some(50.0)));
        let hundred = spread((1..=100).rev().map(f64::from).collect(), None, false);
        assert_eq!((hundred.p50, hundred.p99, hundred.p999), (Some(50.0), Some(99.0), Some(100.0)));
        let thousand = spread((1..=1_000).map(f64::from).collect(), None, false);
        assert_eq!((thousand.p99, thousand.p999, thousand.max), (Some(990.0), Some(999.0), Some(1_000.0)));
        assert_eq!(spread(Vec::new(), None, true), Spread::default());
    }

    #[test]
    fn percentiles_are_the_least_values_not_below_so_many() {
        let mut rng = Seed(1).stream("percentiles");
        for _ in 0..200 {
            let count = rng.random_range(1..2_500_usize);
            let values: Vec<f64> = (0..count).map(|_| f64::from(rng.random_range(0..1_000_u32))).collect();
            let naive = |part: u128| {
                let is_enough = |limit: f64| {
                    values.iter().filter(|&&value| value <= limit).count() as u128 * PARTS >= part * count as u128
                };
                values.iter().copied().filter(|&value| is_enough(value)).reduce(f64::min)
            };
            let measured = spread(values.clone(), None, true);
            assert_eq!(measured.p50, naive(5_000));
            assert_eq!(measured.p90, naive(9_000));
            assert_eq!(measured.p99, naive(9_900));
            assert_eq!(measured.p999, naive(9_990));
            assert_eq!(at_least(values.clone(), None).p99, naive(9_900));
            for (part, value) in parts().zip(&measured.curve).step_by(13) {
                assert_eq!(Some(*value), naive(part), "{part}");
            }
        }
    }

    #[test]
    fn curves_reach_from_the_least_to_the_greatest() {
        let shares: Vec<f64> = quantiles().collect();
        assert_eq!((shares.len(), shares[0], shares[99], shares[118]), (119, 0.0, 0.99, 1.0));
        assert!(shares.is_sorted());
        let curve = spread(vec![3.0, 1.0, 2.0], None, true).curve;
        assert_eq!((curve.len(), curve[0], curve[118]), (119, 1.0, 3.0));
    }
}
