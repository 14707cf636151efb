//! The attacks that a search considers, as points of a unit cube.

use crate::attack::jobs::Job;
use crate::attack::traffic::{Attack, Strategy, Timing};
use forebay_core::Duration;

/// The limits of an attacker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Space {
    /// The least and the greatest rate in bits per second.
    pub rate_bps: (f64, f64),
    /// The sizes of the smallest and the largest packet in bytes.
    pub size_bytes: (u32, u32),
    /// The least and the largest job; the least is above zero.
    pub work: (Duration, Duration),
    /// The most flows of one kind of packet; each packet may also be a flow of its own.
    pub flows: u32,
    /// The shortest and the longest period of attacks with ON and OFF times.
    pub period: (Duration, Duration),
    /// The most kinds of packets that an attack mixes, up to [`Space::MAX_KINDS`].
    pub kinds: usize,
}

/// An attack and its rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The packets of the attack, and their timing.
    pub attack: Attack,
    /// The mean rate in bits per second.
    pub rate_bps: f64,
}

/// A point of the cube. Coordinates: rate, whether ON and OFF, period, duty, and for each kind size, work, flows
/// and share.
pub(super) type Point = Vec<f64>;

/// The number of coordinates before those of the kinds.
const COMMON: usize = 4;
/// Coordinates of a kind.
const OF_KIND: usize = 4;
/// Least share of a period that is ON.
const LEAST_DUTY: f64 = 0.005;
/// A kind with less than this share of the most is not sent at all.
const LEAST_SHARE: f64 = 0.02;

/// The part of the cube that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// One kind of packet, evenly spaced, each packet a flow of its own.
    OneKind,
    /// One kind of packet, with any flows and any timing.
    AnyTiming,
    /// Everything.
    Mixtures,
}

impl Stage {
    /// Every stage, in order.
    pub(super) const ALL: [Self; 3] = [Self::OneKind, Self::AnyTiming, Self::Mixtures];
}

impl Space {
    /// The most kinds of packets that an attack may mix.
    pub const MAX_KINDS: usize = 4;

    pub(super) fn dimensions(&self) -> usize {
        COMMON + OF_KIND * self.kinds.clamp(1, Self::MAX_KINDS)
    }

    /// The coordinates that a stage moves; the others stay where [`plain`](Self::plain) has them.
    pub(super) fn free(&self, stage: Stage) -> Vec<usize> {
        let rate_is_free = self.rate_bps.0 < self.rate_bps.1;
        (0..self.dimensions())
            .filter(|&coordinate| match stage {
                Stage::OneKind => [0, COMMON, COMMON + 1].contains(&coordinate),
                Stage::AnyTiming => coordinate < COMMON + OF_KIND - 1,
                Stage::Mixtures => true,
            })
            .filter(|&coordinate| coordinate != 0 || rate_is_free)
            .collect()
    }

    /// Returns the point of one kind of packet, evenly spaced, each packet a flow of its own.
    pub(super) fn plain(&self) -> Point {
        let mut point = vec![0.0; self.dimensions()];
        point[COMMON + OF_KIND - 1] = 1.0;
        point
    }

    /// The attack that is a point.
    pub(super) fn candidate(&self, point: &[f64]) -> Candidate {
        let (common, kinds) = point.split_at(COMMON);
        let timing = if common[1] < 0.5 {
            Timing::Steady
        } else {
            let seconds = (self.period.0.as_secs_f64(), self.period.1.as_secs_f64());
            Timing::OnOff {
                period: Duration::from_secs_f64(geometric(common[2], seconds)),
                duty: geometric(common[3], (LEAST_DUTY, 1.0)),
            }
        };
        let most = kinds.chunks(OF_KIND).map(|kind| kind[3]).fold(0.0, f64::max);
        let strategies = kinds.chunks(OF_KIND).map(|kind| Strategy {
            job: self.job(kind[0], kind[1]),
            flows: self.flows_of(kind[2]),
            // Where all are zero the first kind is sent.
            share: if kind[3] >= (most * LEAST_SHARE).max(f64::MIN_POSITIVE) { kind[3] } else { 0.0 },
        });
        let mut strategies: Vec<Strategy> = strategies.collect();
        if most <= 0.0 {
            strategies[0].share = 1.0;
        }
        strategies.retain(|one| one.share > 0.0);
        Candidate { attack: Attack { strategies, timing }, rate_bps: geometric(common[0], self.rate_bps) }
    }

    fn job(&self, size: f64, work: f64) -> Job {
        let bytes = geometric(size, (f64::from(self.size_bytes.0), f64::from(self.size_bytes.1)));
        let seconds = geometric(work, (self.work.0.as_secs_f64(), self.work.1.as_secs_f64()));
        Job::known(whole(bytes), Duration::from_secs_f64(seconds))
    }

    /// Half of the coordinate means a flow for each packet.
    fn flows_of(&self, coordinate: f64) -> u32 {
        if coordinate < 0.5 { 0 } else { whole(geometric(2.0 * coordinate - 1.0, (1.0, f64::from(self.flows.max(1))))) }
    }
}

/// Maps a coordinate to the range from `low` at 0 to `high` at 1, in equal ratios.
fn geometric(coordinate: f64, (low, high): (f64, f64)) -> f64 {
    low * (high / low).powf(coordinate)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn whole(value: f64) -> u32 {
    value.round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt as _;

    fn space() -> Space {
        Space {
            rate_bps: (1e7, 1e10),
            size_bytes: (64, 1_500),
            work: (Duration::from_ns(10), Duration::from_us(10)),
            flows: 1_000,
            period: (Duration::from_us(10), Duration::from_ms(10)),
            kinds: 3,
        }
    }

    #[test]
    fn every_point_is_an_attack_within_the_limits() {
        let space = space();
        let mut rng = Seed(1).stream("points");
        for _ in 0..10_000 {
            let point: Point = (0..space.dimensions()).map(|_| rng.random()).collect();
            let Candidate { attack, rate_bps } = space.candidate(&point);
            assert!((1e7..=1e10).contains(&rate_bps));
            assert!((1..=3).contains(&attack.strategies.len()));
            for one in attack.strategies {
                assert!((64..=1_500).contains(&one.job.size_bytes));
                assert!((10_000..=10_000_000).contains(&one.job.work.as_ps()), "{:?}", one.job);
                assert!(one.flows <= 1_000 && one.share > 0.0);
            }
            if let Timing::OnOff { duty, period } = attack.timing {
                assert!((LEAST_DUTY..=1.0).contains(&duty));
                assert!((10_000_000..=10_000_000_000).contains(&period.as_ps()));
            }
        }
    }

    #[test]
    fn corners_are_the_limits() {
        let space = space();
        let corner = space.candidate(&vec![0.0; space.dimensions()]);
        assert_eq!(corner.attack.strategies, [Strategy::only(Job::known(64, Duration::from_ns(10)))]);
        let plain = space.candidate(&space.plain());
        assert_eq!(plain, corner);
        let full = space.candidate(&vec![1.0; space.dimensions()]);
        assert_eq!(full.attack.strategies.len(), 3);
        assert_eq!(full.attack.strategies[0].job, Job::known(1_500, Duration::from_us(10)));
        assert_eq!(full.attack.strategies[0].flows, 1_000);
    }

    #[test]
    fn a_fixed_rate_is_not_searched() {
        let space = Space { rate_bps: (1e9, 1e9), ..space() };
        assert!(Stage::ALL.into_iter().all(|stage| !space.free(stage).contains(&0)));
        assert!((space.candidate(&space.plain()).rate_bps - 1e9).abs() < 1.0);
    }
}
