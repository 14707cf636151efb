//! Jain's index of fairness.

/// Returns Jain's index of fairness of the values: 1 if all are equal, 1/n if only one of n is not zero. Returns [`None`] for fewer than
/// two values, and if all are zero.
#[must_use]
pub fn jain_index(has: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum, squares) =
        has.fold((0_u64, 0.0, 0.0), |(count, sum, squares), has| (count + 1, sum + has, squares + has * has));
    (count > 1 && squares > 0.0).then(|| sum * sum / (count as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    #[test]
    fn known_values() {
        for (has, index) in [
            (vec![3.0, 3.0, 3.0], 1.0),
            (vec![0.0, 7.0, 0.0, 0.0], 0.25),
            // As many of them as have something, and all of these the same: the paper's first example.
            (vec![1.0, 1.0, 0.0, 0.0, 0.0], 0.4),
            (vec![1.0, 2.0, 3.0], 36.0 / 42.0),
        ] {
            let own = jain_index(has.iter().copied()).unwrap();
            assert!((own - index).abs() < 1e-12, "{has:?} {own}");
        }
        assert_eq!(jain_index([5.0].into_iter()), None);
        assert_eq!(jain_index([0.0, 0.0].into_iter()), None);
    }

    #[test]
    fn it_is_that_of_relative_deviations_and_no_unit_changes_it() {
        let mut rng = Seed(1).stream("fairness");
        for _ in 0..500 {
            let count = rng.random_range(2..60_usize);
            let has: Vec<f64> = (0..count).map(|_| rng.random_range(0.0..9.0_f64)).collect();
            let index = jain_index(has.iter().copied()).unwrap();
            // 1 / (1 + c²), where c is the coefficient of variation.
            let mean = has.iter().sum::<f64>() / count as f64;
            let variance = has.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / count as f64;
            assert!((index - 1.0 / (1.0 + variance / mean / mean)).abs() < 1e-9, "{has:?}");
            assert!(index <= 1.0 + 1e-12 && index >= 1.0 / count as f64 - 1e-12, "{index} of {count}");
            let in_bits = jain_index(has.iter().map(|own| own * 8e9)).unwrap();
            assert!((in_bits - index).abs() < 1e-9);
        }
    }
}
