//! Faults of notifications on their way: some notifications are lost, some are late, and clocks are wrong.
//!
//! A late notification has crossed its link and is held up at the link's end, so a failure of the link no longer loses it. Each port that
//! notifies has a random stream of its own for each of these faults. So no other random number of a run changes, nor do those of the other
//! impairments.

use forebay_cache::seer::{Fpm, Says};
use forebay_core::{Duration, Rng, Seed, Time};
use rand::RngExt as _;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The faults of the notifications of a port. The default is no faults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impairments {
    /// The probability with which each notification is lost, from 0 to 1. A control packet takes its time of the link even if the
    /// notifications that it carries are lost.
    pub loss: f64,
    /// The greatest random delay of a notification. Its contents are not corrected for the delay.
    pub jitter: Duration,
    /// The factor by which notified delays differ from the true delays.
    pub clock_rate: f64,
    /// The greatest random error of notified delays, in both directions; no notified delay is below 0.
    pub clock_error: Duration,
    /// The step to whose multiples notified delays are rounded; zero: to the picosecond.
    pub clock_step: Duration,
}

impl Default for Impairments {
    fn default() -> Self {
        Self {
            loss: 0.0,
            jitter: Duration::ZERO,
            clock_rate: 1.0,
            clock_error: Duration::ZERO,
            clock_step: Duration::ZERO,
        }
    }
}

/// [`Impairments`] in a run.
pub(super) struct Impaired {
    spec: Impairments,
    losses: Rng,
    lateness: Rng,
    errors: Rng,
    /// Notifications that are on their way for longer than they should be.
    late: BinaryHeap<Reverse<Late>>,
    count: u64,
}

/// Late notifications, in order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Late {
    arrival: Time,
    /// As they were sent.
    number: u64,
    /// Its fields.
    fpm: (u64, u32, Duration, Says),
}

impl Impaired {
    /// Creates the faults of a link's port; returns [`None`] if the port has no faults.
    pub(super) fn new(spec: Impairments, seed: Seed, link: usize) -> Option<Box<Self>> {
        let stream = |what: &str| seed.stream(&format!("net/notifications/{what}/{link}"));
        (spec != Impairments::default()).then(|| {
            Box::new(Self {
                spec,
                losses: stream("losses"),
                lateness: stream("lateness"),
                errors: stream("errors"),
                late: BinaryHeap::new(),
                count: 0,
            })
        })
    }

    /// Whether packets may arrive at another time than notified, though no notification was lost.
    pub(super) fn misleads(&self) -> bool {
        self.spec != Impairments { loss: self.spec.loss, ..Impairments::default() }
    }

    /// Makes the delays of departing notifications wrong, and loses some of them. Returns the number of lost ones.
    pub(super) fn send(&mut self, fpms: &mut Vec<Fpm>) -> u64 {
        let Self { spec, losses, errors, .. } = self;
        let before = fpms.len();
        fpms.retain_mut(|fpm| {
            fpm.delay = spec.told(fpm.delay, errors);
            spec.loss == 0.0 || losses.random::<f64>() >= spec.loss
        });
        (before - fpms.len()) as u64
    }

    /// Removes the notifications that should arrive now but will be late; `at` receives the time of each arrival.
    pub(super) fn hold_up(&mut self, now: Time, fpms: &mut Vec<Fpm>, mut at: impl FnMut(Time)) {
        let jitter = self.spec.jitter.as_ps();
        if jitter == 0 {
            return;
        }
        for fpm in fpms.drain(..) {
            let arrival = now + Duration::from_ps(self.lateness.random_range(0..=jitter));
            self.late.push(Reverse(Late {
                arrival,
                number: self.count,
                fpm: (fpm.id, fpm.size_bytes, fpm.delay, fpm.says),
            }));
            self.count += 1;
            at(arrival);
        }
    }

    /// Returns the next late notification.
    pub(super) fn comes(&mut self) -> Option<Fpm> {
        let Reverse(Late { fpm: (id, size_bytes, delay, says), .. }) = self.late.pop()?;
        Some(Fpm { id, size_bytes, delay, says })
    }

    /// The number of late notifications that have not arrived.
    pub(super) fn held_up(&self) -> u64 {
        self.late.len() as u64
    }
}

impl Impairments {
    /// The delay that is notified in place of a true one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn told(&self, delay: Duration, errors: &mut Rng) -> Duration {
        let mut ps = delay.as_ps();
        if self.clock_rate != 1.0 {
            ps = (ps as f64 * self.clock_rate).round() as u64;
        }
        let error = self.clock_error.as_ps();
        if error > 0 {
            // From -error to +error.
            let drawn = errors.random_range(0..=error.saturating_mul(2));
            ps = ps.saturating_add(drawn).saturating_sub(error);
        }
        let step = self.clock_step.as_ps();
        if let Some(steps) = ps.saturating_add(step / 2).checked_div(step) {
            ps = steps.saturating_mul(step);
        }
        Duration::from_ps(ps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impaired(spec: Impairments) -> Box<Impaired> {
        Impaired::new(spec, Seed(1), 0).unwrap()
    }

    fn fpms(count: u64) -> Vec<Fpm> {
        (0..count).map(|id| Fpm::of(id, 64, Duration::from_ps(1_000))).collect()
    }

    #[test]
    fn nothing_goes_wrong_by_default() {
        assert!(Impaired::new(Impairments::default(), Seed(1), 0).is_none());
    }

    #[test]
    fn clocks_tell_wrong_delays() {
        let told = |spec: Impairments| {
            let mut fpms = fpms(1_000);
            assert_eq!(impaired(spec).send(&mut fpms), 0);
            fpms.iter().map(|fpm| fpm.delay.as_ps()).collect::<Vec<_>>()
        };
        let default = Impairments::default();
        assert_eq!(told(Impairments { clock_rate: 1.02, ..default })[0], 1_020);
        for (step, rounded) in [(64, 1_024), (300, 900), (2_000, 2_000), (2_001, 0)] {
            assert_eq!(told(Impairments { clock_step: Duration::from_ps(step), ..default })[0], rounded);
        }
        let errors = told(Impairments { clock_error: Duration::from_ps(5), ..default });
        assert_eq!((errors.iter().min(), errors.iter().max()), (Some(&995), Some(&1_005)));
        let errors = told(Impairments { clock_error: Duration::from_ps(5_000), ..default });
        assert!(errors.iter().min() == Some(&0) && errors.iter().max() > Some(&5_900));
    }

    #[test]
    fn some_are_lost_and_some_late() {
        let mut all = fpms(10_000);
        let lost = impaired(Impairments { loss: 0.25, ..Impairments::default() }).send(&mut all);
        assert!((2_300..2_700).contains(&lost) && all.len() as u64 == 10_000 - lost);
        let mut all = fpms(1_000);
        let mut impaired = impaired(Impairments { jitter: Duration::from_ps(100), ..Impairments::default() });
        let mut times = Vec::new();
        impaired.hold_up(Time::from_ps(50), &mut all, |time| times.push(time));
        assert!(all.is_empty() && impaired.held_up() == 1_000);
        assert_eq!((times.iter().min(), times.iter().max()), (Some(&Time::from_ps(50)), Some(&Time::from_ps(150))));
        let first = impaired.comes().unwrap();
        assert_eq!(times[usize::try_from(first.id).unwrap()], Time::from_ps(50));
        assert_eq!(impaired.held_up(), 999);
    }
}
