//! Hill climbing: a share of a cache moves in the direction in which the hit ratio rises.

/// Compares the hit ratio of each sample of requests with that of the sample before. While it rises, the share goes on in the same
/// direction; when it falls, the share turns around. Steps become smaller, until the hit ratio changes by much.
///
/// The method is that of Einziger, Eytan, Friedman and Manes, "Adaptive software cache management", Middleware 2018,
/// section 4. The constants are those of Caffeine, as we remember them. The first step is 6.25 % of the capacity, and each
/// further one 0.98 times the last. Where the hit ratio changes by 5 points or more, a whole step follows again.
#[derive(Debug, Clone)]
pub struct HillClimb {
    requests: u64,
    hits: u64,
    ratio: f64,
    step: f64,
}

/// The first and the greatest step, as a share of the capacity.
const STEP: f64 = 0.0625;
const DECAY: f64 = 0.98;
/// A change of the hit ratio after which the search begins again.
const RESTART: f64 = 0.05;

impl Default for HillClimb {
    fn default() -> Self {
        Self { requests: 0, hits: 0, ratio: 0.0, step: -STEP }
    }
}

impl HillClimb {
    /// Counts a request. After `sample` requests, returns by what share of the capacity to change the share that is adapted.
    #[inline]
    pub fn request(&mut self, is_hit: bool, sample: u64) -> Option<f64> {
        self.requests += 1;
        self.hits += u64::from(is_hit);
        (self.requests >= sample).then(|| self.climb())
    }

    fn climb(&mut self) -> f64 {
        let ratio = self.hits as f64 / self.requests as f64;
        let change = ratio - self.ratio;
        let step = if change >= 0.0 { self.step } else { -self.step };
        self.step = if change.abs() >= RESTART { STEP.copysign(step) } else { DECAY * step };
        (self.ratio, self.requests, self.hits) = (ratio, 0, 0);
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Climbs to the peak of a hit ratio, and to another when it moves.
    #[test]
    fn finds_the_peak() {
        let mut climb = HillClimb::default();
        let mut share = 0.5_f64;
        for peak in [0.8, 0.1] {
            for sample in 0..400_u32 {
                let hits = 1_000.0 * (0.9 - 0.5 * (share - peak).abs());
                let steps: Vec<f64> =
                    (0..1_000_u32).filter_map(|request| climb.request(f64::from(request) < hits, 1_000)).collect();
                assert_eq!(steps.len(), 1, "one step a sample");
                share = (share + steps[0]).clamp(0.0, 1.0);
                if sample > 300 {
                    assert!((share - peak).abs() < 0.02, "{share} {peak}");
                }
            }
        }
    }
}
