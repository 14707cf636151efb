//! How well estimates go with the truth: the coefficients of Pearson and Spearman.

/// Both coefficients of some pairs of numbers: 1 if the larger estimate always goes with the larger truth (Pearson: on a line), 0 if
/// neither says anything of the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// How many pairs there are.
    pub pairs: u64,
    /// Pearson's coefficient: of the numbers themselves. [`None`] where one side is always the same.
    pub pearson: Option<f64>,
    /// Spearman's coefficient: Pearson's of the ranks, where equal numbers share the mean of their ranks.
    pub rank: Option<f64>,
}

impl Correlation {
    /// Of these pairs (estimate, truth), which are finite. Takes O(n log n).
    #[must_use]
    pub fn of(pairs: &[(f64, f64)]) -> Self {
        let (estimates, truths): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        Self {
            pairs: pairs.len() as u64,
            pearson: pearson(&estimates, &truths),
            rank: pearson(&ranks(&estimates), &ranks(&truths)),
        }
    }
}

fn pearson(xs: &[f64], ys: &[f64]) -> Option<f64> {
    let varies = |numbers: &[f64]| numbers.windows(2).any(|pair| pair[0] != pair[1]);
    // By the numbers themselves: a mean that is rounded would leave deviations.
    if !(varies(xs) && varies(ys)) {
        return None;
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let (mean_x, mean_y) = (mean(xs), mean(ys));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    (xx > 0.0 && yy > 0.0).then(|| (xy / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// The rank of each number from 0; equal ones share the mean of theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_unstable_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut first = 0.0;
    for equal in order.chunk_by(|&a, &b| numbers[a] == numbers[b]) {
        let count = equal.len() as f64;
        equal.iter().for_each(|&at| ranks[at] = first + (count - 1.0) / 2.0);
        first += count;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rank as defined: how many are smaller, and half of the others that are equal.
    fn rank_by_counting(numbers: &[f64], at: usize) -> f64 {
        let smaller = numbers.iter().filter(|other| **other < numbers[at]).count() as f64;
        let equal = numbers.iter().filter(|other| **other == numbers[at]).count() as f64;
        smaller + (equal - 1.0) / 2.0
    }

    proptest! {
        #[test]
        fn ranks_are_what_counting_says(numbers in proptest::collection::vec(0..9_u8, 0..40)) {
            let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
            let expected: Vec<f64> = (0..numbers.len()).map(|at| rank_by_counting(&numbers, at)).collect();
            prop_assert_eq!(ranks(&numbers), expected);
        }
    }

    #[test]
    fn cases_that_are_known() {
        let of = |pairs: &[(f64, f64)]| {
            let Correlation { pearson, rank, .. } = Correlation::of(pairs);
            (pearson.map(|r| (r * 1e6).round() / 1e6), rank.map(|r| (r * 1e6).round() / 1e6))
        };
        assert_eq!(of(&[]), (None, None));
        assert_eq!(of(&[(1.0, 5.0), (2.0, 5.0)]), (None, None));
        assert_eq!(of(&[(0.1, 1.0), (0.1, 2.0), (0.1, 3.0)]), (None, None));
        assert_eq!(of(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]), (Some(1.0), Some(1.0)));
        assert_eq!(of(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), (Some(-1.0), Some(-1.0)));
        // In order, but on no line: deviations (-1, 0, 1) and (-7, -4, 11) / 3, so 6 / sqrt(2 x 62 / 3).
        assert_eq!(of(&[(1.0, 1.0), (2.0, 2.0), (3.0, 7.0)]), (Some(0.933_257), Some(1.0)));
    }
}
