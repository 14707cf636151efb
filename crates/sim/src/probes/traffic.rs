//! Packets, bytes and delays per class and in all.
//!
//! *Delay* is the time from a packet's arrival to its last bit on the link: its wait plus its own transmission. Quantiles come from a
//! histogram with three significant digits; the mean and the maximum are exact.

use crate::probe::Probe;
use forebay_core::{Packet, Time};
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Significant digits of the delay histogram.
const DIGITS: u8 = 3;

/// The statistics of delays in nanoseconds; `None` where no packet was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Delay {
    /// Mean, exact.
    pub mean: Option<f64>,
    /// Median, to three digits.
    pub p50: Option<f64>,
    /// 90th percentile, to three digits.
    pub p90: Option<f64>,
    /// 99th percentile, to three digits.
    pub p99: Option<f64>,
    /// 99.9th percentile, to three digits.
    pub p999: Option<f64>,
    /// Greatest, exact.
    pub max: Option<f64>,
}

/// The packets, bytes and delays of one class or of all classes.
#[derive(Debug, Clone)]
pub struct ClassTraffic {
    /// The number of packets that arrived.
    pub packets_in: u64,
    /// The bytes of the packets that arrived.
    pub bytes_in: u64,
    /// The number of packets whose last bit has left.
    pub packets_out: u64,
    /// The bytes of the packets whose last bit has left.
    pub bytes_out: u64,
    /// The number of these packets that report congestion to their receiver.
    pub packets_marked: u64,
    /// The number of packets dropped, on arrival or later.
    pub packets_dropped: u64,
    /// The bytes of the dropped packets.
    pub bytes_dropped: u64,
    /// The sum of the values of packets that arrived, before any change by a policy.
    pub value_in: u64,
    /// Sum of the values of packets whose last bit has left. A policy may have changed them.
    pub value_out: u64,
    /// Sum of the values of packets dropped.
    pub value_dropped: u64,
    delay_ps_sum: u128,
    delay_ps_max: u64,
    delays_ps: Histogram<u64>,
}

impl Default for ClassTraffic {
    fn default() -> Self {
        let delays_ps = Histogram::new(DIGITS).expect("the number of digits is valid");
        Self {
            packets_in: 0,
            bytes_in: 0,
            packets_out: 0,
            bytes_out: 0,
            packets_marked: 0,
            packets_dropped: 0,
            bytes_dropped: 0,
            value_in: 0,
            value_out: 0,
            value_dropped: 0,
            delay_ps_sum: 0,
            delay_ps_max: 0,
            delays_ps,
        }
    }
}

impl ClassTraffic {
    /// The delays.
    #[must_use]
    pub fn delay(&self) -> Delay {
        if self.packets_out == 0 {
            return Delay::default();
        }
        Delay {
            mean: Some(self.delay_ps_sum as f64 / self.packets_out as f64 / 1e3),
            p50: Some(self.delay_quantile_ns(0.5)),
            p90: Some(self.delay_quantile_ns(0.9)),
            p99: Some(self.delay_quantile_ns(0.99)),
            p999: Some(self.delay_quantile_ns(0.999)),
            max: Some(self.delay_ps_max as f64 / 1e3),
        }
    }

    /// The delay in nanoseconds below which the share `q` of packets lies.
    #[must_use]
    pub fn delay_quantile_ns(&self, q: f64) -> f64 {
        // A bucket of the histogram may reach beyond the greatest delay.
        self.delays_ps.value_at_quantile(q).min(self.delay_ps_max) as f64 / 1e3
    }

    /// The number of packets that have neither left nor been dropped.
    #[must_use]
    pub fn packets_queued(&self) -> u64 {
        self.packets_in - self.packets_out - self.packets_dropped
    }

    fn add(&mut self, other: &Self) {
        self.packets_in += other.packets_in;
        self.bytes_in += other.bytes_in;
        self.packets_out += other.packets_out;
        self.bytes_out += other.bytes_out;
        self.packets_marked += other.packets_marked;
        self.packets_dropped += other.packets_dropped;
        self.bytes_dropped += other.bytes_dropped;
        self.value_in += other.value_in;
        self.value_out += other.value_out;
        self.value_dropped += other.value_dropped;
        self.delay_ps_sum += other.delay_ps_sum;
        self.delay_ps_max = self.delay_ps_max.max(other.delay_ps_max);
        self.delays_ps.add(&other.delays_ps).expect("a histogram that resizes takes every value");
    }

    fn dropped(&mut self, packet: &Packet) {
        self.packets_dropped += 1;
        self.bytes_dropped += u64::from(packet.size_bytes);
        self.value_dropped += u64::from(packet.value);
    }
}

/// Counts packets, bytes and delays per class.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// Indexed by class; made when its first packet arrives.
    by_class: Vec<Option<Box<ClassTraffic>>>,
}

impl Default for Traffic {
    fn default() -> Self {
        Self { by_class: vec![None; 256] }
    }
}

impl Traffic {
    /// The classes that had packets, in order of their number.
    pub fn classes(&self) -> impl Iterator<Item = (u8, &ClassTraffic)> {
        (0..=u8::MAX).zip(&self.by_class).filter_map(|(class, traffic)| Some((class, traffic.as_deref()?)))
    }

    /// All classes together.
    #[must_use]
    pub fn total(&self) -> ClassTraffic {
        self.classes().fold(ClassTraffic::default(), |mut total, (_, class)| {
            total.add(class);
            total
        })
    }

    #[inline]
    fn class_of(&mut self, packet: &Packet) -> &mut ClassTraffic {
        self.by_class[usize::from(packet.class.0)].get_or_insert_default()
    }
}

impl Probe for Traffic {
    fn offered(&mut self, _: Time, packet: &Packet) {
        let class = self.class_of(packet);
        class.packets_in += 1;
        class.bytes_in += u64::from(packet.size_bytes);
        class.value_in += u64::from(packet.value);
    }

    fn refused(&mut self, _: Time, packet: &Packet) {
        self.class_of(packet).dropped(packet);
    }

    fn evicted(&mut self, _: Time, packet: &Packet) {
        self.class_of(packet).dropped(packet);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        let delay = now.since(packet.arrival);
        let class = self.class_of(packet);
        class.packets_out += 1;
        class.bytes_out += u64::from(packet.size_bytes);
        class.value_out += u64::from(packet.value);
        class.packets_marked += u64::from(packet.marks.congested());
        class.delay_ps_sum += u128::from(delay.as_ps());
        class.delay_ps_max = class.delay_ps_max.max(delay.as_ps());
        let recorded = class.delays_ps.record(delay.as_ps());
        debug_assert!(recorded.is_ok(), "the histogram grows as it must");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ClassId;

    #[test]
    fn classes_add_up_to_the_total() {
        let mut probe = Traffic::default();
        for ns in 1..=1_000 {
            let class = ClassId(u8::from(ns % 2 == 0));
            let packet = Packet { class, size_bytes: 100, value: 3, ..Packet::default() };
            probe.offered(Time::ZERO, &packet);
            match ns % 10 {
                0 => probe.evicted(Time::ZERO, &packet),
                1 => {}
                _ => probe.sent(Time::from_ns(ns), &packet),
            }
        }
        let total = probe.total();
        assert_eq!((total.packets_in, total.packets_out, total.packets_dropped), (1_000, 800, 100));
        assert_eq!((total.packets_queued(), total.bytes_out), (100, 80_000));
        assert_eq!([total.value_in, total.value_out, total.value_dropped], [3_000, 2_400, 300]);
        let delay = total.delay();
        assert_eq!((delay.mean, delay.max), (Some(500.5), Some(999.0)));
        for (quantile, exact) in [(delay.p50, 499.0), (delay.p99, 989.0)] {
            assert!(quantile.is_some_and(|ns| (ns / exact - 1.0).abs() < 1e-3), "{delay:?}");
        }
        assert_eq!(
            probe.classes().map(|(class, traffic)| (class, traffic.packets_out)).collect::<Vec<_>>(),
            [(0, 400), (1, 400)]
        );
    }

    #[test]
    fn a_class_that_sent_nothing_has_no_delay() {
        assert_eq!(ClassTraffic::default().delay().mean, None);
    }
}
