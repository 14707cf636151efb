//! What arrives on the link, and what of it a core that is too slow lets through.

use super::attacked_queues::RANKS;
use forebay_core::convert::saturate;
use forebay_core::{Duration, FlowId, Seed, Time};
use forebay_sim::attack::traffic::{Gaps, Stream, is_attack};
use forebay_sim::attack::{Attack, Innocent, Job, Jobs, Quantity, Traffic};
use std::collections::VecDeque;

/// Of innocents, which at most need 10 Gb/s of a processor.
pub(super) const INNOCENT_BPS: f64 = 8e9;
/// The attacker's packets, and the most work that they make.
const ATTACK_BYTES: u32 = 64;
const MAX_WORK: Duration = Duration::from_us(10);
/// The number of steps in which falling jobs shrink to a fifth of the largest.
const STEPS: u64 = 15_000;
const STEP: Duration = Duration::from_ps(512);
/// Picoseconds of work per byte for each rank.
const RANK_UNIT: u64 = 8;
/// Descriptors of packets that wait for the core.
const RING: usize = 4_096;
/// Packets that the core takes out of them at once, if they are there.
const BURST: usize = 32;

/// A packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) at_ps: u64,
    pub(super) work_ps: u64,
    pub(super) rank: u32,
    /// Innocent bits: none if it attacks.
    pub(super) bits: u32,
}

/// What the attacker sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The largest job every time: all rank alike, and last.
    Largest,
    /// Each job a little smaller than the one before, down to a fifth, and again: each pushes another out.
    Falling,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Largest, Self::Falling];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Largest => "largest jobs",
            Self::Falling => "falling jobs",
        }
    }

    fn stream(self, bps: f64, seed: Seed) -> Stream {
        let largest = Attack::steady(Job::known(ATTACK_BYTES, MAX_WORK)).stream(bps, seed);
        match self {
            Self::Largest => largest,
            Self::Falling => Box::new(largest.zip((0..STEPS).cycle()).map(|(mut arrival, step)| {
                let less = MAX_WORK.as_ps() - step * STEP.as_ps();
                arrival.job = Job::known(ATTACK_BYTES, Duration::from_ps(less));
                arrival
            })),
        }
    }
}

/// What innocents send.
pub(super) struct Link {
    innocent: Innocent,
}

impl Link {
    /// Jobs of the source: Gaussian, with Poisson gaps.
    pub(super) fn new() -> Self {
        let normal = |mean, deviation, min, max| Quantity::Normal { mean, deviation, min, max };
        let jobs = Jobs::Independent {
            size_bytes: normal(1_250.0, 100.0, 64.0, 9_000.0),
            work_ns: normal(1_000.0, 100.0, 1.0, 10_000.0),
        };
        Self { innocent: Innocent::new(jobs, Gaps::Poisson, 1) }
    }

    /// Packets until then, with those of an attack at a rate in bits per second.
    pub(super) fn arrivals(&self, attack: Option<(Kind, f64)>, until: Time, seed: Seed) -> Vec<Arrival> {
        let innocent = self.innocent.stream(INNOCENT_BPS, seed);
        let traffic = Traffic::new(innocent, attack.map(|(kind, bps)| kind.stream(bps, seed)), until);
        let arrivals = traffic.map(|arrival| {
            let Job { size_bytes, work, .. } = arrival.job;
            let rank = saturate::<u32>(work.as_ps() / u64::from(size_bytes) / RANK_UNIT);
            Arrival {
                at_ps: arrival.at.as_ps(),
                work_ps: work.as_ps(),
                rank: rank.min(RANKS - 1),
                bits: if is_attack(FlowId(arrival.flow)) { 0 } else { size_bytes * 8 },
            }
        });
        arrivals.collect()
    }
}

/// Returns the packets that pass a ring before a core that needs `core_ps` picoseconds for each, with their times.
///
/// The core takes all that wait, up to a burst, and by that frees their descriptors at once, as drivers do. If it freed them one by one,
/// evenly spaced packets would find more of them than others.
pub(super) fn through_ring(arrivals: &[Arrival], core_ps: u64) -> Vec<Arrival> {
    let mut core = Core { core_ps, free_at: 0, ring: VecDeque::with_capacity(RING), through: Vec::new() };
    for arrival in arrivals {
        core.take_until(arrival.at_ps);
        if core.ring.len() < RING {
            core.ring.push_back(*arrival);
        }
    }
    core.take_until(u64::MAX);
    core.through
}

struct Core {
    core_ps: u64,
    /// When it will have put the last burst into the queue.
    free_at: u64,
    ring: VecDeque<Arrival>,
    through: Vec<Arrival>,
}

impl Core {
    /// Takes bursts until `now`.
    fn take_until(&mut self, now: u64) {
        while let Some(first) = self.ring.front().filter(|_| self.free_at <= now) {
            let begin = self.free_at.max(first.at_ps);
            let burst = self.ring.iter().take(BURST).take_while(|arrival| arrival.at_ps <= begin).count();
            self.free_at = begin;
            for arrival in self.ring.drain(..burst) {
                self.free_at += self.core_ps;
                self.through.push(Arrival { at_ps: self.free_at, ..arrival });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Time = Time::from_ns(10_000_000);

    #[test]
    fn traffic_has_its_rates_and_attackers_come_last() {
        for kind in Kind::ALL {
            let all = Link::new().arrivals(Some((kind, 1e9)), END, Seed(1));
            assert!(all.is_sorted_by_key(|arrival| arrival.at_ps));
            let bits: u64 = all.iter().map(|arrival| u64::from(arrival.bits)).sum();
            assert!((bits as f64 / 80e6 - 1.0).abs() < 0.05, "{bits}");
            let attacks = all.iter().filter(|arrival| arrival.bits == 0);
            assert!(attacks.clone().count().abs_diff(19_531) < 3);
            let worst = all.iter().filter(|arrival| arrival.bits > 0).map(|arrival| arrival.rank).max().unwrap();
            assert!(attacks.clone().all(|arrival| arrival.rank > worst), "{kind:?}");
            assert_eq!(attacks.map(|arrival| arrival.work_ps).max(), Some(10_000_000));
        }
    }

    #[test]
    fn a_fast_core_delays_and_a_slow_one_drops() {
        let all = Link::new().arrivals(Some((Kind::Largest, 1e9)), END, Seed(1));
        let through = through_ring(&all, 1_000);
        assert_eq!(through.len(), all.len());
        assert!(through.iter().zip(&all).all(|(after, before)| after.at_ps >= before.at_ps + 1_000));
        // 2.75 packets arrive in a microsecond.
        let through = through_ring(&all, 1_000_000);
        assert!(through.len().abs_diff(10_000 + RING) < BURST + 10, "{}", through.len());
        assert!(through.windows(2).all(|pair| pair[1].at_ps - pair[0].at_ps >= 1_000_000));
        let innocent =
            |all: &[Arrival]| all.iter().filter(|arrival| arrival.bits > 0).count() as f64 / all.len() as f64;
        assert!((innocent(&through) / innocent(&all) - 1.0).abs() < 0.1, "all are dropped alike");
    }
}
