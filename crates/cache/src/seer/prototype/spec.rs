//! The parameters of the prototype.

use crate::StateCacheSpec;
use crate::seer::{AnnouncerSpec, Pace, SeerSpec};
use forebay_core::{Duration, ParamError, Rate, Seed};

/// The prototype's parameters. The default is that of section 5.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrototypeSpec {
    /// How the port announces, its classes and the rate of its link. Of the bytes of control packets the overhead is not a
    /// part.
    pub announcer: AnnouncerSpec,
    /// The propagation delay of the link.
    pub propagation: Duration,
    /// The mean rate of generation, in bits of packets without overhead.
    pub load: Rate,
    /// The length of every packet.
    pub packet_bytes: u32,
    /// The bytes of packets that arrive at one instant: as many packets as fit, and one at least. The paper has a Poisson
    /// process of packets. In bursts of bytes, the longer the packets, the fewer a port has.
    pub burst_bytes: u32,
    /// Packets arrive on a clock of this cycle, one in a cycle at most, as in hardware; 0: at any time.
    pub clock: Duration,
    /// The rate at which the generator writes packets into the queues. It sets the least time from one packet to the next,
    /// and the rest of the mean gap is exponential. [`None`]: no time, which is a Poisson process.
    pub writes_at: Option<Rate>,
    /// The overhead of every packet on the link, control packets too: Ethernet's preamble of 8 B and gap of 12 B. FPMs give
    /// the length with it, since the target adds times on the link.
    pub overhead_bytes: u32,
    /// How many flows there are: ids from 0, all alike.
    pub flows: u64,
    /// How many bytes of packets wait in the port at most, in all classes; [`None`]: any number.
    pub queue_bytes: Option<u64>,
    /// How many flows' states the target's cache holds.
    pub entries: u64,
    /// The ways of its sets; [`None`]: one set.
    pub ways: Option<u64>,
    /// How long a fetch from the backing store takes.
    pub fetch: Duration,
    /// How many fetches it serves at a time; [`None`]: all.
    pub parallel: Option<u32>,
    /// How many packets the target expects at most.
    pub list_capacity: usize,
    /// The cycle of the target's cache manager.
    pub cycle: Duration,
}

impl Default for PrototypeSpec {
    fn default() -> Self {
        let gigabits = |count: u64| Rate::from_bits_per_second(count * 1_000_000_000).expect("above 0");
        Self {
            announcer: AnnouncerSpec {
                classes: 2,
                rate: gigabits(10),
                interval: Duration::from_us(5),
                queue_capacity: 256,
                ..AnnouncerSpec::default()
            },
            propagation: Duration::from_ns(10),
            load: gigabits(6),
            packet_bytes: 256,
            burst_bytes: 0,
            clock: Duration::ZERO,
            writes_at: None,
            overhead_bytes: 20,
            flows: 100_000,
            queue_bytes: None,
            entries: 30_000,
            ways: Some(2),
            fetch: Duration::from_ns(100),
            parallel: None,
            list_capacity: 256,
            // 150 MHz (table 1).
            cycle: Duration::from_ps(6_667),
        }
    }
}

impl PrototypeSpec {
    /// The bytes that a packet takes of the link.
    #[must_use]
    pub fn wire_bytes(&self) -> u32 {
        self.packet_bytes.saturating_add(self.overhead_bytes)
    }

    /// Packets that arrive at one instant.
    pub(super) fn burst_packets(&self) -> u64 {
        u64::from((self.burst_bytes / self.packet_bytes).max(1))
    }

    /// The least time from one packet to the next.
    pub(super) fn least_gap(&self) -> Duration {
        self.writes_at.map_or(Duration::ZERO, |rate| rate.transmission_time(self.packet_bytes))
    }

    /// The share of the link that the packets take, if none is dropped.
    #[must_use]
    pub fn utilisation(&self) -> f64 {
        let per_packet = f64::from(self.wire_bytes()) / f64::from(self.packet_bytes);
        per_packet * self.load.bits_per_second() as f64 / self.announcer.rate.bits_per_second() as f64
    }

    /// The target's cache and its store; a tick is a picosecond.
    #[must_use]
    pub fn cache(&self, seed: Seed) -> StateCacheSpec {
        let Self { entries, ways, parallel, .. } = *self;
        StateCacheSpec { entries, ways, latency: self.fetch.as_ps(), parallel, seed }
    }

    /// The same cache with a manager that receives notifications.
    #[must_use]
    pub fn seer(&self, seed: Seed) -> SeerSpec {
        let of = SeerSpec::of(self.cache(seed), vec![self.announcer.rate], Pace::Cycle(self.cycle));
        SeerSpec { list_capacity: self.list_capacity, ..of }
    }

    /// The announcer with control packets as long as they are on the link.
    pub(super) fn announcer_on_the_wire(&self) -> AnnouncerSpec {
        let control_bytes = self.announcer.control_bytes.saturating_add(self.overhead_bytes);
        AnnouncerSpec { control_bytes, ..self.announcer }
    }

    /// Checks that the values are possible.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        let wrong = |name: &str, message: String| Err(ParamError::of(name, message));
        if self.packet_bytes == 0 {
            return wrong("packet_bytes", "a packet has 1 byte or more".to_owned());
        }
        if self.flows == 0 {
            return wrong("flows", "a packet belongs to a flow; there must be 1 or more".to_owned());
        }
        if self.queue_bytes.is_some_and(|bytes| bytes < u64::from(self.packet_bytes)) {
            let least = self.packet_bytes;
            return wrong("queue_bytes", format!("no packet of {least} bytes fits; take {least} or more"));
        }
        if let Some(rate) = self.writes_at {
            if self.burst_packets() > 1 {
                return wrong("writes_at", "packets of a burst arrive together; leave out one of both".to_owned());
            }
            if rate <= self.load {
                return wrong("writes_at", "it is below the load; take a rate above that".to_owned());
            }
        }
        let utilisation = self.utilisation();
        if self.queue_bytes.is_none() && utilisation >= 1.0 {
            let message = format!(
                "the link would be busy for {utilisation:.2} of the time and the queues would grow \
                                   without bound; take less load, or bound queue_bytes"
            );
            return wrong("load", message);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seer::prototype::Prototype;

    #[test]
    fn what_cannot_be_is_refused() {
        let wrong = |spec: PrototypeSpec| Prototype::new(&spec, Seed(1)).unwrap_err().to_string();
        let default = PrototypeSpec::default;
        assert!(wrong(PrototypeSpec { packet_bytes: 0, ..default() }).contains("1 byte or more"));
        assert!(wrong(PrototypeSpec { flows: 0, ..default() }).contains("belongs to a flow"));
        assert!(wrong(PrototypeSpec { queue_bytes: Some(255), ..default() }).contains("take 256 or more"));
        let slow = PrototypeSpec { writes_at: Rate::parse("6 Gbps").ok(), ..default() };
        assert!(wrong(slow).contains("take a rate above that"));
        let both = PrototypeSpec { writes_at: Rate::parse("12 Gbps").ok(), burst_bytes: 4_096, ..default() };
        assert!(wrong(both).contains("leave out one of both"));
        let fast = PrototypeSpec { packet_bytes: 64, load: Rate::parse("8 Gbps").unwrap(), ..default() };
        assert!(wrong(fast).contains("busy for 1.05 of the time"));
        assert!(Prototype::new(&PrototypeSpec { queue_bytes: Some(1_000), ..fast }, Seed(1)).is_ok());
    }

    #[test]
    fn preamble_and_gap_load_the_link() {
        let small = PrototypeSpec { packet_bytes: 64, ..PrototypeSpec::default() };
        assert!((small.utilisation() - 0.7875).abs() < 1e-12);
    }
}
