//! What the source proves about the displacement factor of each policy.

use crate::attack::jobs::Means;
use forebay_core::Duration;

/// The quantities in the bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// The means of innocent jobs.
    pub means: Means,
    /// The rate of innocent traffic in bits per second.
    pub innocent_bps: f64,
    /// The size of the smallest packet that can be sent, in bytes.
    pub min_bytes: u32,
    /// The largest job that a packet can make.
    pub max_work: Duration,
    /// The number of servers that share the work.
    pub servers: usize,
}

impl Terms {
    /// The innocent load on the processor, at most 1.
    #[must_use]
    pub fn load(&self) -> f64 {
        (self.innocent_bps / self.means.capacity_bps(self.servers)).min(1.0)
    }

    /// Least and mean packet: `E[P]` over `P_min`.
    fn packets(&self) -> f64 {
        self.means.size_bits / (f64::from(self.min_bytes) * 8.0)
    }

    /// Theorem 2: the bound under shortest job first.
    #[must_use]
    pub fn shortest_job_first(&self) -> f64 {
        self.packets() * self.load()
    }

    /// Theorem 3: the bound under weighted shortest job first.
    #[must_use]
    pub fn weighted_shortest_job_first(&self) -> f64 {
        self.load()
    }

    /// The loss under first come, first served at an attack of `attack_bps`, for each bit of the attack. There is no bound, but with the
    /// largest jobs of the smallest packets innocents share the processor in this way (claim 3, equation 3.3, without its last estimate).
    #[must_use]
    pub fn first_come_first_served(&self, attack_bps: f64) -> f64 {
        let capacity = self.means.capacity_bps(self.servers);
        let work = self.innocent_bps / capacity + self.attack_work(attack_bps);
        let goodput = self.innocent_bps / work.max(1.0);
        (self.innocent_bps.min(capacity) - goodput).max(0.0) / attack_bps
    }

    /// The loss under fair queueing at an attack of `attack_bps`, for each bit of the attack: there is no bound. Packets that are each a
    /// flow of their own go before the second packets of all other flows (claim 4), so innocents get the remaining capacity.
    #[must_use]
    pub fn fair_queueing(&self, attack_bps: f64) -> f64 {
        let capacity = self.means.capacity_bps(self.servers);
        let left = capacity * (1.0 - self.attack_work(attack_bps)).max(0.0);
        let without = self.innocent_bps.min(capacity);
        (without - without.min(left)) / attack_bps
    }

    /// The work of the attack with the largest jobs of the smallest packets, relative to the capacity of the servers.
    fn attack_work(&self, attack_bps: f64) -> f64 {
        attack_bps / (f64::from(self.min_bytes) * 8.0) * self.max_work.as_secs_f64() / self.servers as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(innocent_gbps: f64) -> Terms {
        Terms {
            means: Means { size_bits: 10_000.0, work_s: 1e-6 },
            innocent_bps: innocent_gbps * 1e9,
            min_bytes: 64,
            max_work: Duration::from_us(10),
            servers: 1,
        }
    }

    #[test]
    fn the_bounds_are_those_of_the_theorems() {
        // 1,250 B over 64 B are 19.5; 5 Gb/s are half of the capacity.
        assert!((terms(5.0).shortest_job_first() - 9.765_625).abs() < 1e-9);
        assert!((terms(5.0).weighted_shortest_job_first() - 0.5).abs() < 1e-12);
        assert!((terms(20.0).weighted_shortest_job_first() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn first_come_first_served_loses_about_as_much_as_the_simulations_of_the_source() {
        let worst = |innocent_gbps| {
            (0..300)
                .map(|step| terms(innocent_gbps).first_come_first_served(1e7 * 1.023_f64.powi(step)))
                .fold(0.0, f64::max)
        };
        for (innocent_gbps, about) in [(1.0, 5.0), (5.0, 30.0), (10.0, 160.0)] {
            let worst = worst(innocent_gbps);
            assert!((worst / about - 1.0_f64).abs() < 0.25, "{innocent_gbps}: {worst}");
        }
    }

    #[test]
    fn fair_queueing_gives_the_attack_all_it_asks_for() {
        // 100 Mbps are 195,312 packets/s of 10 us each: more than there is.
        assert!((terms(5.0).fair_queueing(1e8) - 50.0).abs() < 1e-9);
        // 10 Mbps take a fifth, which innocents at half load do not miss.
        assert!(terms(5.0).fair_queueing(1e7).abs() < 1e-9);
        assert!((terms(10.0).fair_queueing(1e7) - 195.312_5).abs() < 1e-6);
    }
}
