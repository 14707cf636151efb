//! The burstiness of the requests for one object.

/// Watches the gaps between events (Welford's sums) for the score of Goh and Barabasi,
/// "Burstiness and memory in complex systems", EPL 81 (2008).
#[derive(Debug, Clone, Copy, Default)]
pub struct Burstiness {
    events: u64,
    last: u64,
    mean: f64,
    squares: f64,
}

impl Burstiness {
    /// Number of gaps before the score is meaningful.
    pub const LEAST_GAPS: u64 = 2;

    /// Adds an event at `time`, which must not be before the previous event.
    #[inline]
    pub fn event(&mut self, time: u64) {
        if self.events > 0 {
            let gap = (time - self.last) as f64;
            let distance = gap - self.mean;
            self.mean += distance / self.events as f64;
            self.squares += distance * (gap - self.mean);
        }
        self.events += 1;
        self.last = time;
    }

    /// Number of events.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns (sigma - mu) / (sigma + mu) of the gaps: -1 if all gaps are equal, 0 for Poisson arrivals, and near 1 for bursts. Returns
    /// `None` for fewer than two gaps, or if every gap is zero.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let gaps = self.events.saturating_sub(1);
        let sigma = (self.squares / gaps as f64).sqrt();
        let sum = sigma + self.mean;
        (gaps >= Self::LEAST_GAPS && sum > 0.0).then(|| (sigma - self.mean) / sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(times: &[u64]) -> Option<f64> {
        let mut watched = Burstiness::default();
        times.iter().for_each(|&time| watched.event(time));
        watched.score()
    }

    #[test]
    fn even_gaps_are_not_bursty_and_trains_are() {
        assert_eq!(score(&[0, 10]), None);
        assert_eq!(score(&[5, 5, 5]), None);
        assert_eq!(score(&[0, 10, 20, 30]), Some(-1.0));
        // Gaps 1, 1, 98: mean 100/3, deviation sqrt(2) x 97/3.
        let (mean, sigma) = (100.0 / 3.0, 2_f64.sqrt() * 97.0 / 3.0);
        let expected = (sigma - mean) / (sigma + mean);
        assert!((score(&[0, 1, 2, 100]).unwrap() - expected).abs() < 1e-12);
    }
}
