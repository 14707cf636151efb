//! Transmission times of packets on a link.

use crate::time::Duration;
use crate::units::Rate;

/// Calculates the transmission times of packets at a rate. Nearly all packets are full or without data, so two lengths are remembered and
/// divisions are rare.
#[derive(Debug, Clone)]
pub struct TransmissionTimes {
    rate: Rate,
    lengths: [u32; 2],
    times: [Duration; 2],
}

impl TransmissionTimes {
    /// Creates a calculator for this rate.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, lengths: [0; 2], times: [Duration::ZERO; 2] }
    }

    /// Returns the transmission time of `bytes` bytes, as [`Rate::transmission_time`].
    #[inline]
    pub fn of(&mut self, bytes: u32) -> Duration {
        if self.lengths[0] == bytes {
            self.times[0]
        } else if self.lengths[1] == bytes {
            self.times[1]
        } else {
            let time = self.rate.transmission_time(bytes);
            self.lengths = [bytes, self.lengths[0]];
            self.times = [time, self.times[0]];
            time
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_it_takes() {
        let rate = Rate::from_bits_per_second(3_000_000_000).unwrap();
        let mut times = TransmissionTimes::new(rate);
        for bytes in [0, 1, 1_500, 1_500, 40, 1_500, 40, 700, 40, u32::MAX, 40] {
            assert_eq!(times.of(bytes), rate.transmission_time(bytes), "{bytes}");
        }
    }
}
