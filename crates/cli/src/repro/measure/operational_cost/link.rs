//! The link is the bottleneck: a simulated 10 GbE port that two links of the same rate feed with the smallest packets.
//!
//! Nothing here depends on how fast the program is.

use super::{Contender, LINK_BPS, WIRE_BYTES, draw, packet};
use crate::error::{Result, UserError};
use crate::interrupt;
use crate::output::csv;
use crate::output::curves::Curve;
use crate::repro::Measured;
use crate::repro::policy::engine;
use forebay_core::{Fields, Packet, Rate, Rng, Seed, Source, Time};
use forebay_engine::PolicyDiscipline;
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

/// Numbers of a run by name.
type Numbers = [(&'static str, f64); 3];

/// Runs a contender at a load.
fn simulate(contender: &Contender, pattern: Pattern, gbps: u32, seed: Seed) -> Result<Numbers> {
    let refused = || UserError::new(format!("algorithm {} must have one port", contender.label));
    let rate = Rate::from_bits_per_second(LINK_BPS).ok_or_else(refused)?;
    let build = move |policy: &forebay_lang::Policy, _| engine(policy, seed);
    let discipline =
        PolicyDiscipline::new(build, contender.policy.clone(), rate, seed).map_err(|_| refused())?;
    let mut port = Port::new(rate, discipline, Sent::default());
    let go_on = |_| !interrupt::requested();
    port.run(&mut Traffic::new(pattern, gbps, seed), &RunOptions { go_on: &go_on, ..RunOptions::default() });
    let sent = port.into_parts().1;
    let us = sent.last.since(sent.from).as_secs_f64() * 1e6;
    Ok([
        ("million packets per second", sent.packets as f64 / us),
        ("value per microsecond", sent.value as f64 / us),
        ("delay of high priority in microseconds", sent.high_delay_ps / sent.high_packets as f64 / 1e6),
    ])
}

/// Adds what a 10 GbE port sends.
pub(super) fn measure(contenders: &[Contender], seed: Seed, measured: &mut Measured) -> Result<()> {
    let mut rows = Vec::new();
    for pattern in Pattern::ALL {
        let runs: Vec<_> = contenders.iter().flat_map(|contender| LOADS.map(|gbps| (contender, gbps))).collect();
        let results = runs
            .par_iter()
            .map(|&(contender, gbps)| simulate(contender, pattern, gbps, seed))
            .collect::<Result<Vec<_>>>()?;
        let mut curves: Vec<Curve> = Vec::new();
        for ((contender, gbps), numbers) in runs.into_iter().zip(results) {
            let label = &contender.label;
            let mut row = vec![label.clone(), pattern.name().to_owned(), gbps.to_string()];
            for (what, number) in numbers {
                measured.value(format!("{label}: {} at {gbps} Gbps: {what}", pattern.name()), number);
                row.push(number.to_string());
            }
            rows.push(row);
            if curves.last().is_none_or(|curve| curve.label != *label) {
                curves.push(Curve { label: label.clone(), points: Vec::new() });
            }
            if let Some(curve) = curves.last_mut() {
                curve.points.push((f64::from(gbps), numbers[1].1));
            }
        }
        let name = pattern.name().to_lowercase();
        let title = format!("Value sent by a 10 GbE port, {name}");
        draw(measured, &format!("link-{name}"), [&title, "input load in Gbps", "per microsecond (log scale)"], &curves)?;
    }
    let header = ["algorithm", "arrivals", "load_gbps", "million_packets_per_s", "value_per_us", "high_priority_delay_us"];
    measured.files.push(("link.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(())
}
