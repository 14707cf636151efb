//! The packet generator.

use super::PrototypeSpec;
use forebay_core::{Duration, Rng, Seed, Time, real};
use rand::RngExt as _;

/// A packet that was generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// When it arrived.
    pub time: Time,
    /// Its class.
    pub class: usize,
    /// Its flow.
    pub id: u64,
}

/// A Poisson process of packets, or of bursts, or packets that each take a time to write; each packet has a class and a
/// flow drawn from all alike.
///
/// It yields the packets of a [`Prototype`](super::Prototype) of the same parameters and seed, without end.
#[derive(Debug, Clone)]
pub struct Generator {
    gaps: Rng,
    classes: Rng,
    flows: Rng,
    /// From one burst to the next: the least time, and the mean of the random part that is added to it.
    least_gap: Duration,
    mean_rest_secs: f64,
    /// Packets of a burst, and how many of the present one are left.
    burst: u64,
    to_come: u64,
    class_count: usize,
    flow_count: u64,
    /// Packets arrive on a clock of this cycle, if it is above 0.
    clock: Duration,
    /// When the next packet would arrive without the clock.
    unclocked: Time,
    next: Packet,
}

impl Generator {
    /// Of these parameters.
    #[must_use]
    pub fn new(spec: &PrototypeSpec, seed: Seed) -> Self {
        let burst = spec.burst_packets();
        let mean_gap_secs = 8.0 * burst as f64 * f64::from(spec.packet_bytes) / spec.load.bits_per_second() as f64;
        let least_gap = spec.least_gap();
        let mut generator = Self {
            gaps: seed.stream("generator/gaps"),
            classes: seed.stream("generator/classes"),
            flows: seed.stream("generator/flows"),
            least_gap,
            mean_rest_secs: mean_gap_secs - least_gap.as_secs_f64(),
            burst,
            to_come: 0,
            class_count: spec.announcer.classes,
            flow_count: spec.flows,
            clock: spec.clock,
            unclocked: Time::ZERO,
            next: Packet { time: Time::ZERO, class: 0, id: 0 },
        };
        generator.draw();
        generator
    }

    /// When the next packet arrives.
    pub(super) fn next_time(&self) -> Time {
        self.next.time
    }

    /// The next packet, if it arrives by `now`.
    pub(super) fn next_before(&mut self, now: Time) -> Option<Packet> {
        let packet = self.next;
        (packet.time <= now).then(|| {
            self.draw();
            packet
        })
    }

    fn draw(&mut self) {
        let gap = if self.to_come > 0 {
            self.to_come -= 1;
            Duration::ZERO
        } else {
            self.to_come = self.burst - 1;
            self.least_gap + Duration::from_secs_f64(real::exponential(&mut self.gaps) * self.mean_rest_secs)
        };
        self.unclocked += gap;
        self.next = Packet {
            time: self.on_clock(self.unclocked),
            class: self.classes.random_range(0..self.class_count),
            id: self.flows.random_range(0..self.flow_count),
        };
    }

    /// The first cycle from a time on in which no packet has arrived.
    fn on_clock(&self, time: Time) -> Time {
        match self.clock.as_ps() {
            0 => time,
            cycle => Time::from_ps(time.as_ps().div_ceil(cycle).saturating_mul(cycle)).max(self.next.time + self.clock),
        }
    }
}

impl Iterator for Generator {
    type Item = Packet;

    fn next(&mut self) -> Option<Packet> {
        self.next_before(Time::MAX)
    }
}
