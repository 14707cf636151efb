//! The link is the bottleneck: a simulated 10 GbE port that two links of the same rate feed.
//!
//! Nothing here depends on how fast the program is, and ratios do not depend on the size of packets.

use super::{Contender, WIRE_BYTES, draw, packet};
use crate::Measured;
use crate::drawing::{Line, add};
use crate::policy::engine;
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay::output::csv;
use forebay_core::{Discipline, Fields, Packet, Rate, Rng, Seed, Source, Time};
use forebay_engine::PolicyDiscipline;
use forebay_lang::Policy;
use forebay_sim::{Port, Probe, RunOptions};
use rand::RngExt;
use rayon::prelude::*;

/// Gbps that arrive, of which both sources together can send 20.
const LOADS: [u32; 8] = [5, 8, 10, 12, 14, 16, 18, 20];
const ACCESS_GBPS: u32 = 20;
/// Packets that arrive in a run.
const PACKETS: u64 = 150_000;
/// Packets of a burst on average: half of what the buffer holds.
const BURST: f64 = 256.0;

/// How packets arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// One by one after exponential gaps.
    Poisson,
    /// In bursts of one flow and one priority, as fast as they can come.
    Bursts,
}

impl Pattern {
    const ALL: [Self; 2] = [Self::Poisson, Self::Bursts];

    fn name(self) -> &'static str {
        match self {
            Self::Poisson => "Poisson",
            Self::Bursts => "bursts",
        }
    }
}

/// Makes the packets of a run.
struct Traffic {
    pattern: Pattern,
    /// Picoseconds between packets on average, and in a burst.
    mean_gap: f64,
    least_gap: f64,
    rng: Rng,
    now_ps: f64,
    made: u64,
    /// Like the one before in its burst.
    last: Packet,
}

impl Traffic {
    fn new(pattern: Pattern, gbps: u32, seed: Seed) -> Self {
        let gap = |gbps: u32| f64::from(WIRE_BYTES) * 8e3 / f64::from(gbps);
        let mut rng = seed.stream(&format!("operational-cost/{}/{gbps}", pattern.name()));
        let last = packet(&mut rng);
        Self { pattern, mean_gap: gap(gbps), least_gap: gap(ACCESS_GBPS), rng, now_ps: 0.0, made: 0, last }
    }

    /// After an exponential distribution.
    fn exponential(&mut self, mean: f64) -> f64 {
        -(1.0 - self.rng.random::<f64>()).ln() * mean
    }
}

impl Source for Traffic {
    fn next_packet(&mut self) -> Option<Packet> {
        if self.made == PACKETS {
            return None;
        }
        match self.pattern {
            Pattern::Poisson => {
                self.now_ps += self.exponential(self.mean_gap);
                self.last = packet(&mut self.rng);
            }
            Pattern::Bursts => {
                self.now_ps += self.least_gap;
                if self.rng.random_bool(1.0 / BURST) {
                    self.now_ps += self.exponential((self.mean_gap - self.least_gap) * BURST);
                    self.last = packet(&mut self.rng);
                }
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
        let arrival = Time::from_ps(self.now_ps as u64);
        self.made += 1;
        Some(Packet { arrival, id: self.made, ..self.last })
    }

    fn fields(&self) -> Fields {
        Fields::ALL
    }
}

/// What leaves after the first tenth of the packets has arrived, and before the last has.
#[derive(Debug, Default)]
struct Sent {
    offered: u64,
    from: Time,
    last: Time,
    packets: u64,
    value: u64,
    /// Of the higher priority.
    high_packets: u64,
    high_delay_ps: f64,
}

impl Probe for Sent {
    fn offered(&mut self, now: Time, _: &Packet) {
        self.offered += 1;
        self.last = now;
        if self.offered == PACKETS / 10 {
            self.from = now;
        }
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        if self.offered < PACKETS / 10 || self.offered == PACKETS {
            return;
        }
        self.packets += 1;
        self.value += u64::from(packet.value);
        if packet.value > 1 {
            self.high_packets += 1;
            self.high_delay_ps += now.since(packet.arrival).as_ps() as f64;
        }
    }
}

impl Sent {
    /// Numbers by name.
    fn numbers(&self) -> [(&'static str, f64); 3] {
        let us = self.last.since(self.from).as_secs_f64() * 1e6;
        [
            ("million packets per second", self.packets as f64 / us),
            ("value per microsecond", self.value as f64 / us),
            ("delay of high priority in microseconds", self.high_delay_ps / self.high_packets as f64 / 1e6),
        ]
    }
}

/// Runs a discipline at a load.
fn simulate(
    discipline: impl Discipline,
    pattern: Pattern,
    gbps: u32,
    seed: Seed,
    observer: &dyn Observer,
) -> Result<Sent> {
    let rate = link_rate()?;
    let mut port = Port::new(rate, discipline, Sent::default());
    let go_on = |_| observer.goes_on();
    port.run(&mut Traffic::new(pattern, gbps, seed), &RunOptions { go_on: &go_on, ..RunOptions::default() });
    Ok(port.into_parts().1)
}

fn link_rate() -> Result<Rate> {
    Rate::parse("10 Gbps").map_err(|error| UserError::new(error.to_string()))
}

/// The contender's policy at the port.
fn discipline(contender: &Contender, seed: Seed) -> Result<impl Discipline + use<>> {
    let build = move |policy: &Policy, _| engine(policy, seed);
    PolicyDiscipline::new(build, contender.policy.clone(), link_rate()?, seed)
        .map_err(|refused| UserError::new(format!("algorithm {}: {refused}", contender.label)))
}

/// Adds what a 10 GbE port sends.
pub(super) fn measure(
    contenders: &[&Contender],
    seed: Seed,
    measured: &mut Measured,
    observer: &dyn Observer,
) -> Result<()> {
    let mut rows = Vec::new();
    for pattern in Pattern::ALL {
        let runs: Vec<_> = contenders.iter().flat_map(|&contender| LOADS.map(|gbps| (contender, gbps))).collect();
        let results = runs
            .par_iter()
            .map(|&(contender, gbps)| simulate(discipline(contender, seed)?, pattern, gbps, seed, observer))
            .collect::<Result<Vec<_>>>()?;
        let mut lines: Vec<Line> = Vec::new();
        for ((contender, gbps), sent) in runs.into_iter().zip(results) {
            let numbers = sent.numbers();
            let label = &contender.label;
            let mut row = vec![label.clone(), pattern.name().to_owned(), gbps.to_string()];
            for (what, number) in numbers {
                measured.value(format!("{label}: {} at {gbps} Gbps: {what}", pattern.name()), number);
                row.push(number.to_string());
            }
            rows.push(row);
            add(&mut lines, label.clone(), (f64::from(gbps), numbers[1].1));
        }
        let name = pattern.name().to_lowercase();
        let title = format!("Value sent by a 10 GbE port, {name}");
        let axes = [("input load", "Gbit/s"), ("value per microsecond", "")];
        draw(measured, &format!("link-{name}"), &title, axes, lines)?;
    }
    let header =
        ["algorithm", "arrivals", "load_gbps", "million_packets_per_s", "value_per_us", "high_priority_delay_us"];
    measured.files.push(("link.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::operational_cost::tests::contenders_of;
    use forebay_core::Verdict;

    /// The three algorithms as the paper tells them: a list that is looked through.
    struct Plain {
        waiting: Vec<Packet>,
        drops_lowest: bool,
        sends_highest: bool,
    }

    impl Discipline for Plain {
        fn enqueue(&mut self, _: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
            self.waiting.push(packet);
            if self.waiting.len() > 512 {
                let victim = self.waiting.iter().rposition(|one| !self.drops_lowest || one.value == 1);
                let victim = self.waiting.remove(victim.unwrap_or(512));
                if victim.id == packet.id {
                    return Verdict::Refused { rank: 0 };
                }
                evicted.push(victim);
            }
            Verdict::Queued { rank: 0 }
        }

        fn dequeue(&mut self, _: Time) -> Option<Packet> {
            let first = self.waiting.iter().position(|one| !self.sends_highest || one.value == 63).unwrap_or(0);
            (first < self.waiting.len()).then(|| self.waiting.remove(first))
        }

        fn next_wakeup(&self, _: Time) -> Option<Time> {
            None
        }

        fn len(&self) -> usize {
            self.waiting.len()
        }

        fn bytes(&self) -> u64 {
            0
        }
    }

    #[test]
    fn the_policies_send_what_plain_lists_send() {
        let contenders = contenders_of("openqueue/experiment-1");
        for (pattern, gbps) in [(Pattern::Poisson, 18), (Pattern::Bursts, 12)] {
            let mut worth = Vec::new();
            for contender in &contenders {
                let (drops_lowest, sends_highest) = (contender.algorithm != "A", contender.algorithm.starts_with('C'));
                let plain = Plain { waiting: Vec::new(), drops_lowest, sends_highest };
                let expected = simulate(plain, pattern, gbps, Seed(3), &forebay::Silent).unwrap();
                let sent = simulate(discipline(contender, Seed(3)).unwrap(), pattern, gbps, Seed(3), &forebay::Silent)
                    .unwrap();
                assert_eq!(sent.numbers(), expected.numbers(), "{} {pattern:?}", contender.label);
                if !contender.by_heap() {
                    worth.push(sent.value);
                }
            }
            assert!(worth.is_sorted() && worth[0] < worth[1], "A < B <= C: {worth:?}");
        }
    }

    #[test]
    fn traffic_has_its_load_and_both_priorities() {
        for pattern in Pattern::ALL {
            for gbps in [5, 16, 20] {
                let mut traffic = Traffic::new(pattern, gbps, Seed(2));
                let packets: Vec<_> = std::iter::from_fn(|| traffic.next_packet()).collect();
                let bits = PACKETS as f64 * f64::from(WIRE_BYTES) * 8.0;
                let measured = bits / packets[packets.len() - 1].arrival.as_secs_f64() / 1e9;
                let off = (measured / f64::from(gbps) - 1.0).abs();
                assert!(off < 0.15, "{pattern:?} at {gbps}: {measured}");
                let high = packets.iter().filter(|packet| packet.value == 63).count() as f64 / PACKETS as f64;
                assert!((high - 0.5).abs() < 0.1, "{pattern:?} at {gbps}: {high}");
            }
        }
    }
}
