//! The packets of an attacker with a budget of bits, and their times.

use super::turns::Turns;
use super::{Arrival, Stream, to_time};
use crate::attack::jobs::Job;
use forebay_core::{Duration, Rng, Seed};
use rand::RngExt as _;

/// One kind of attack packet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strategy {
    /// The packet's size, its work and, where the attacker can fool the estimator, the scheduler's estimate.
    pub job: Job,
    /// The number of flows among which packets take turns; with 0, each packet is a flow of its own. The numbers of such flows are reused
    /// after [`OWN_FLOWS`] packets.
    pub flows: u32,
    /// The strategy's share of the attack's bits, relative to the other shares.
    pub share: f64,
}

impl Strategy {
    /// Creates a strategy whose packets are each a flow of their own.
    #[must_use]
    pub fn only(job: Job) -> Self {
        Self { job, flows: 0, share: 1.0 }
    }
}

/// The number of packets after which flow numbers are reused, if each packet is a flow of its own. Policies keep state for each flow, so
/// the number is limited.
pub const OWN_FLOWS: u32 = 1 << 20;

/// The times at which an attacker sends.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Timing {
    /// Evenly.
    #[default]
    Steady,
    /// Evenly spaced packets while ON, none while OFF; the mean rate is the budget.
    OnOff {
        /// Length of ON and OFF together.
        period: Duration,
        /// Share of the period that is ON; above 0, at most 1.
        duty: f64,
    },
}

/// The packets of an attacker, and their timing.
#[derive(Debug, Clone, PartialEq)]
pub struct Attack {
    /// The kinds of packets; at least one with a share above 0.
    pub strategies: Vec<Strategy>,
    /// The times at which packets are sent.
    pub timing: Timing,
}

impl Attack {
    /// Creates an attack of evenly spaced packets of one kind, each a flow of its own.
    #[must_use]
    pub fn steady(job: Job) -> Self {
        Self { strategies: vec![Strategy::only(job)], timing: Timing::Steady }
    }

    /// Returns packets without end at the mean rate `rate_bps` in bits per second. There are none at a rate of zero.
    ///
    /// Kinds take turns so that each kind has its share of the bits, as exactly as whole packets allow.
    #[must_use]
    pub fn stream(&self, rate_bps: f64, seed: Seed) -> Stream {
        let ps_per_bit = 1e12 / rate_bps;
        let mut rng = seed.stream("attack");
        let mut flows = 0;
        let kinds = self.strategies.iter().filter(|one| one.share > 0.0).map(|one| {
            let first_flow = flows;
            flows += one.flows;
            (Kind { strategy: *one, first_flow, sent: 0 }, one.job.size_bytes, one.share)
        });
        let kinds = Turns::new(kinds.collect::<Vec<_>>(), || rng.random());
        if kinds.is_empty() || !ps_per_bit.is_finite() {
            return Box::new(std::iter::empty());
        }
        let clock = Clock::new(self.timing, ps_per_bit, &mut rng);
        Box::new(Sending { kinds, clock, first_own_flow: flows, own_flows: 0 })
    }
}

/// The clock of an attack, which maps sent bits to times.
struct Clock {
    timing: Timing,
    ps_per_bit: f64,
    /// The attack begins somewhere in a period.
    phase_ps: f64,
}

impl Clock {
    fn new(timing: Timing, ps_per_bit: f64, rng: &mut Rng) -> Self {
        let phase_ps = match timing {
            Timing::Steady => 0.0,
            Timing::OnOff { period, .. } => rng.random::<f64>() * period.as_ps() as f64,
        };
        Self { timing, ps_per_bit, phase_ps }
    }

    /// Returns the time in picoseconds at which `bits` bits have been sent.
    fn at(&self, bits: f64) -> f64 {
        let even_ps = bits * self.ps_per_bit;
        match self.timing {
            Timing::Steady => even_ps,
            Timing::OnOff { period, duty } => {
                let period_ps = period.as_ps() as f64;
                let on_ps = even_ps * duty;
                let periods = (on_ps / (period_ps * duty)).floor();
                self.phase_ps + periods * period_ps + (on_ps - periods * period_ps * duty)
            }
        }
    }
}

/// A kind of packet and its progress.
struct Kind {
    strategy: Strategy,
    first_flow: u32,
    sent: u32,
}

struct Sending {
    /// The kinds of packets; at least one.
    kinds: Turns<Kind>,
    clock: Clock,
    first_own_flow: u32,
    /// The number of packets that were flows of their own, before numbers are reused.
    own_flows: u32,
}

impl Iterator for Sending {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        let (kind, bits) = self.kinds.next()?;
        let at = to_time(self.clock.at(bits));
        let flow = if kind.strategy.flows == 0 {
            let flow = self.first_own_flow + self.own_flows;
            self.own_flows = (self.own_flows + 1) % OWN_FLOWS;
            flow
        } else {
            kind.first_flow + kind.sent % kind.strategy.flows
        };
        kind.sent = kind.sent.wrapping_add(1);
        Some(Arrival { at, flow, job: kind.strategy.job })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Time;
    use std::collections::BTreeSet;

    fn job(size_bytes: u32) -> Job {
        Job::known(size_bytes, Duration::from_us(10))
    }

    fn until(attack: &Attack, rate_bps: f64, end: Time) -> Vec<Arrival> {
        attack.stream(rate_bps, Seed(1)).take_while(|arrival| arrival.at <= end).collect()
    }

    #[test]
    fn the_budget_is_kept_by_all_kinds_together() {
        let kinds = [(64, 3.0), (1_000, 1.0), (200, 0.0)];
        let strategies: Vec<Strategy> =
            kinds.map(|(size, share)| Strategy { share, ..Strategy::only(job(size)) }).into();
        for timing in [Timing::Steady, Timing::OnOff { period: Duration::from_us(700), duty: 0.1 }] {
            let attack = Attack { strategies: strategies.clone(), timing };
            let sent = until(&attack, 1e9, Time::from_ns(100_000_000));
            let bits =
                |size| sent.iter().filter(|one| one.job.size_bytes == size).count() as f64 * f64::from(size) * 8.0;
            assert!((bits(64) / 0.75e8 - 1.0).abs() < 0.01, "{timing:?} {}", bits(64));
            assert!((bits(1_000) / 0.25e8 - 1.0).abs() < 0.01, "{timing:?} {}", bits(1_000));
            assert!(bits(200) < 1.0);
            assert!(sent.is_sorted_by_key(|one| one.at));
        }
    }

    #[test]
    fn nothing_is_sent_while_off() {
        let timing = Timing::OnOff { period: Duration::from_us(100), duty: 0.25 };
        let attack = Attack { timing, ..Attack::steady(job(64)) };
        let sent = until(&attack, 100e6, Time::from_ns(10_000_000));
        // 5.12 us between packets on average, a quarter of that while ON.
        let gaps: Vec<u64> = sent.windows(2).map(|pair| pair[1].at.since(pair[0].at).as_ns()).collect();
        assert!(gaps.iter().all(|&gap| (1_279..=1_281).contains(&gap) || (75_000..78_000).contains(&gap)), "{gaps:?}");
        assert!(gaps.iter().filter(|&&gap| gap > 2_000).count() >= 97);
    }

    #[test]
    fn flows_are_as_many_as_wanted() {
        let own = Strategy { share: 1.0, ..Strategy::only(job(64)) };
        let few = Strategy { flows: 5, ..own };
        let attack = Attack { strategies: vec![few, own], timing: Timing::Steady };
        let sent = until(&attack, 1e9, Time::from_ns(1_000_000));
        let flows: BTreeSet<u32> = sent.iter().map(|arrival| arrival.flow).collect();
        let of_few = sent.iter().filter(|arrival| arrival.flow < 5).count();
        assert_eq!(flows.len(), 5 + sent.len() - of_few);
        assert!(of_few.abs_diff(sent.len() / 2) <= 1);
    }

    #[test]
    fn a_budget_of_zero_is_no_packet() {
        assert_eq!(Attack::steady(job(64)).stream(0.0, Seed(1)).next(), None);
    }
}
