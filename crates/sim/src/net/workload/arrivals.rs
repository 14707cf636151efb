//! When flows start: after a Poisson process, in equal gaps, or at given times.
//!
//! An arrival starts as many flows as the pattern says, mostly one. A load is a share of the capacity of the links of all hosts that may
//! send. It counts the payload of the flows, times the wire's overhead that the caller states. So a load of 0.6 fills 60 % of every
//! sender's link if the pattern treats all hosts alike. It implies no utilisation of other links.

use forebay_core::{Duration, ParamError, Rng, real};

/// Picoseconds of a second.
const PS_PER_S: f64 = 1e12;

/// The times at which flows arrive.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrivals {
    /// Independent exponential gaps; the first arrival is one gap after the start.
    Poisson(Intensity),
    /// Equal gaps; the first arrival is at the start.
    Constant(Intensity),
    /// Times after the workload's start, which never decrease.
    At(Vec<Duration>),
}

/// The frequency of arrivals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Intensity {
    /// A number of flows per second.
    FlowsPerSecond(f64),
    /// An arrival in each such interval, on average if arrivals are random.
    Every(Duration),
    /// A share of the senders' capacity.
    Load {
        /// The share, above 0; above 1 the network cannot follow.
        load: f64,
        /// Bytes on the wire over bytes of payload, at least 1: 1500/1460 for full packets of TCP; 1 for a load that counts
        /// payload alone. Small flows have a greater overhead than full packets have, so the wire's true load can be above.
        wire_overhead: f64,
    },
}

impl Intensity {
    /// The mean gap between two arrivals, in picoseconds. The mean size is that of all flows of an arrival.
    fn mean_gap_ps(self, flows_per_arrival: f64, mean_bytes: f64, capacity_bps: f64) -> Result<f64, ParamError> {
        let positive = |name: &str, value: f64| {
            let message = || format!("`{name}` must be a number above 0, not {value}");
            if value > 0.0 && value.is_finite() { Ok(value) } else { Err(ParamError::of(name, message())) }
        };
        match self {
            Self::FlowsPerSecond(rate) => Ok(flows_per_arrival * PS_PER_S / positive("flows_per_second", rate)?),
            Self::Every(Duration::ZERO) => Err(ParamError::of("interval", "`interval` must be above 0")),
            Self::Every(interval) => Ok(interval.as_ps() as f64),
            Self::Load { load, wire_overhead } => {
                let load = positive("load", load)?;
                if !(wire_overhead >= 1.0 && wire_overhead.is_finite()) {
                    let message = format!("`wire_overhead` must be a number from 1, not {wire_overhead}");
                    return Err(ParamError::of("wire_overhead", message));
                }
                if mean_bytes.is_infinite() {
                    let message = "flows that never end have no load; give `flows_per_second` or `interval`";
                    return Err(ParamError::of("load", message));
                }
                Ok(mean_bytes * wire_overhead * 8.0 * PS_PER_S / (load * capacity_bps))
            }
        }
    }
}

/// The clock that returns the time of the next arrival.
#[derive(Debug)]
pub(crate) struct ArrivalClock {
    gaps: Gaps,
    /// The time of the last arrival in whole picoseconds, and the fraction beyond them.
    now_ps: u64,
    beyond_ps: f64,
}

#[derive(Debug)]
enum Gaps {
    Poisson { mean_ps: f64, rng: Rng },
    Constant { gap_ps: f64, first: bool },
    At(std::vec::IntoIter<Duration>),
}

impl ArrivalClock {
    /// `mean_bytes` and `flows_per_arrival` are those of an arrival, `capacity_bps` is that of all senders.
    pub(crate) fn new(
        arrivals: Arrivals,
        flows_per_arrival: u64,
        mean_bytes: f64,
        capacity_bps: f64,
        rng: Rng,
    ) -> Result<Self, ParamError> {
        let gap = |intensity: Intensity| intensity.mean_gap_ps(flows_per_arrival as f64, mean_bytes, capacity_bps);
        let gaps = match arrivals {
            Arrivals::Poisson(intensity) => Gaps::Poisson { mean_ps: gap(intensity)?, rng },
            Arrivals::Constant(intensity) => Gaps::Constant { gap_ps: gap(intensity)?, first: true },
            Arrivals::At(times) if times.is_sorted() => Gaps::At(times.into_iter()),
            Arrivals::At(_) => return Err(ParamError::of("times", "the times of arrivals must not decrease")),
        };
        Ok(Self { gaps, now_ps: 0, beyond_ps: 0.0 })
    }

    /// The next arrival, as a time after the workload's start; `None` if there is none, or not for 200 days.
    pub(crate) fn next(&mut self) -> Option<Duration> {
        let gap_ps = match &mut self.gaps {
            Gaps::At(times) => return times.next(),
            Gaps::Poisson { mean_ps, rng } => real::exponential(rng) * *mean_ps,
            Gaps::Constant { first, .. } if *first => {
                *first = false;
                0.0
            }
            Gaps::Constant { gap_ps, .. } => *gap_ps,
        };
        // Only the fraction of a picosecond is added up in floats, so that nothing is lost as time goes on.
        let gap_ps = gap_ps + self.beyond_ps;
        self.beyond_ps = gap_ps.fract();
        self.now_ps = self.now_ps.saturating_add(whole(gap_ps));
        (self.now_ps < u64::MAX).then_some(Duration::from_ps(self.now_ps))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn whole(ps: f64) -> u64 {
    ps as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;

    fn clock(arrivals: Arrivals) -> Result<ArrivalClock, String> {
        // Two flows of 500 bytes at every arrival, and 8 Gb/s.
        ArrivalClock::new(arrivals, 2, 1_000.0, 8e9, Seed(1).stream("arrivals")).map_err(|error| error.to_string())
    }

    fn times(arrivals: Arrivals, count: usize) -> Vec<u64> {
        let mut clock = clock(arrivals).unwrap();
        (0..count).map_while(|_| clock.next()).map(Duration::as_ps).collect()
    }

    #[test]
    fn equal_gaps_are_exact_for_ever() {
        let every = Arrivals::Constant(Intensity::Every(Duration::from_ps(3)));
        assert_eq!(times(every, 4), [0, 3, 6, 9]);
        // Eight flows in 5 ps, two at an arrival: gaps of 1.25 ps.
        let rate = Arrivals::Constant(Intensity::FlowsPerSecond(1.6e12));
        assert_eq!(times(rate.clone(), 7), [0, 1, 2, 3, 5, 6, 7]);
        assert_eq!(times(rate, 4_000_001).last(), Some(&5_000_000));
        // 1,000 bytes take 1 us of the links: at half the load an arrival every 2 us.
        let load = Intensity::Load { load: 0.5, wire_overhead: 1.0 };
        assert_eq!(times(Arrivals::Constant(load), 3), [0, 2_000_000, 4_000_000]);
        let with_headers = Intensity::Load { load: 0.5, wire_overhead: 1.25 };
        assert_eq!(times(Arrivals::Constant(with_headers), 2), [0, 2_500_000]);
    }

    #[test]
    fn poisson_gaps_have_their_mean_and_spread() {
        let times = times(Arrivals::Poisson(Intensity::FlowsPerSecond(2e6)), 100_001);
        let gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / 1e5;
        let variance = gaps.iter().map(|gap| (gap - 1.0).powi(2)).sum::<f64>() / 1e5;
        // Five standard deviations of either.
        assert!((mean - 1.0).abs() < 5.0 / 1e5_f64.sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 5.0 * 8_f64.sqrt() / 1e5_f64.sqrt(), "{variance}");
    }

    #[test]
    fn given_times_are_kept_and_the_clock_has_an_end() {
        let at = vec![Duration::from_ps(2), Duration::from_ps(2), Duration::from_ps(9)];
        assert_eq!(times(Arrivals::At(at), 5), [2, 2, 9]);
        assert_eq!(times(Arrivals::Constant(Intensity::FlowsPerSecond(1e-30)), 5), [0]);
    }

    #[test]
    fn what_is_no_intensity_is_refused() {
        let load = |load, wire_overhead| Arrivals::Poisson(Intensity::Load { load, wire_overhead });
        for (arrivals, word) in [
            (Arrivals::Poisson(Intensity::FlowsPerSecond(0.0)), "`flows_per_second` must be a number above 0, not 0"),
            (Arrivals::Poisson(Intensity::FlowsPerSecond(f64::NAN)), "not NaN"),
            (Arrivals::Constant(Intensity::Every(Duration::ZERO)), "`interval` must be above 0"),
            (load(-1.0, 1.0), "`load` must be a number above 0, not -1"),
            (load(0.5, 0.9), "`wire_overhead` must be a number from 1, not 0.9"),
            (Arrivals::At(vec![Duration::from_ps(2), Duration::ZERO]), "must not decrease"),
        ] {
            let error = clock(arrivals).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        let endless = ArrivalClock::new(load(0.5, 1.0), 1, f64::INFINITY, 8e9, Seed(1).stream("arrivals"));
        assert!(endless.unwrap_err().to_string().contains("never end"));
    }
}
