//! A share of the capacity.

/// This share of the capacity in its units, rounded down. A rounding error of a float just below a whole number does not
/// count: 0.29 of 100 is 29.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is at least 0; casts saturate")]
pub fn share(capacity: u64, share: f64) -> u64 {
    let exact = capacity as f64 * share;
    let near = exact.round();
    let whole = if (exact - near).abs() < 1e-9 * near { near as u64 } else { exact as u64 };
    // Above 2^53 a float may be more than the capacity.
    if share <= 1.0 { whole.min(capacity) } else { whole }
}

/// As [`share`], but rounded up.
#[must_use]
pub fn share_up(capacity: u64, of: f64) -> u64 {
    let down = share(capacity, of);
    let exact = capacity as f64 * of;
    down.saturating_add(u64::from(exact - down as f64 > 1e-9 * exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_that_mean_whole_numbers_are_whole() {
        assert_eq!((share(100, 0.29), share_up(100, 0.29)), (29, 29));
        assert_eq!((share(30, 0.1), share_up(30, 0.1)), (3, 3));
        assert_eq!((share(1, 0.1), share_up(1, 0.1)), (0, 1));
        assert_eq!((share(15, 0.5), share_up(15, 0.5)), (7, 8));
        assert_eq!((share(9, 0.0), share_up(9, 0.0)), (0, 0));
        assert_eq!((share(9, 1.0), share_up(9, 1.0)), (9, 9));
        let large = (1 << 60) - 1;
        assert_eq!((share(large, 1.0), share_up(large, 1.0)), (large, large));
    }
}
